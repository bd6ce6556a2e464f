/**
 * What `kubectl get` shows of each kind: the printer columns of the Gateway API's definitions, and
 * those that the API server has for its own kinds. Pure.
 */

import { asList, asString, isRecord } from "../../kube/json_value.ts";
import type { StoredKind } from "../../kube/kinds.ts";
import type { KubeObject } from "../../kube/object.ts";

/** One column. */
export interface TableColumn {
  readonly name: string;
  readonly type: "string" | "integer";
  /** 0: always shown; 1: with `-o wide`. */
  readonly priority: 0 | 1;
  readonly description: string;
  /** The cell; `nowMs` is the time of the answer. */
  readonly cell: (object: KubeObject, nowMs: number) => string | number | null;
}

/** The columns of `kind`; the name is the first, except for Events, whose names say nothing. */
export function columnsOf(kind: StoredKind): readonly TableColumn[] {
  return kind === "Event" ? eventColumns : [name, ...columns[kind] ?? [age]];
}

function column(
  title: string,
  cell: TableColumn["cell"],
  other: Partial<TableColumn> = {},
): TableColumn {
  return { name: title, type: "string", priority: 0, description: title, cell, ...other };
}

const name = column("Name", ({ metadata }) => metadata.name);
const age = column("Age", ({ metadata }, nowMs) => ageText(metadata.creationTimestamp, nowMs));
const wide = { priority: 1 } as const;

const hostnames = column("Hostnames", ({ spec }) => {
  const names = field(spec, "hostnames");
  return names === undefined ? null : JSON.stringify(names);
});

function condition(type: string): TableColumn {
  return column(type, ({ status }) => {
    const found = asList(field(status, "conditions")).find((item) => field(item, "type") === type);
    return asString(field(found, "status")) ?? null;
  });
}

const columns: Partial<Record<StoredKind, readonly TableColumn[]>> = {
  GatewayClass: [
    column("Controller", ({ spec }) => textOf(field(spec, "controllerName"))),
    condition("Accepted"),
    age,
    column("Description", ({ spec }) => textOf(field(spec, "description")), wide),
  ],
  Gateway: [
    column("Class", ({ spec }) => textOf(field(spec, "gatewayClassName"))),
    column(
      "Address",
      ({ status }) => textOf(field(asList(field(status, "addresses"))[0], "value")),
    ),
    condition("Programmed"),
    age,
  ],
  HTTPRoute: [hostnames, age],
  GRPCRoute: [hostnames, age],
  ListenerSet: [condition("Accepted"), condition("Programmed"), age],
  Namespace: [column("Status", ({ status }) => textOf(field(status, "phase"))), age],
  Service: [
    column("Type", ({ spec }) => textOf(field(spec, "type"))),
    column("Cluster-IP", ({ spec }) => textOf(field(spec, "clusterIP")) ?? "<none>"),
    column("External-IP", externalAddresses),
    column("Port(s)", ({ spec }) => joined(asList(field(spec, "ports")).map(servicePort))),
    age,
    column("Selector", ({ spec }) => labelsText(field(spec, "selector")), wide),
  ],
  EndpointSlice: [
    column("AddressType", ({ addressType }) => textOf(addressType)),
    column("Ports", ({ ports }) => shortened(asList(ports).map((port) => field(port, "port")))),
    column(
      "Endpoints",
      ({ endpoints }) =>
        shortened(asList(endpoints).flatMap((endpoint) => asList(field(endpoint, "addresses")))),
    ),
    age,
  ],
  Lease: [column("Holder", ({ spec }) => textOf(field(spec, "holderIdentity"))), age],
  Pod: [column("Status", ({ status }) => textOf(field(status, "phase"))), age],
  Secret: [
    column("Type", ({ type }) => textOf(type)),
    column("Data", ({ data }) => sizeOf(data), { type: "integer" }),
    age,
  ],
  ConfigMap: [
    column("Data", ({ data, binaryData }) => sizeOf(data) + sizeOf(binaryData), {
      type: "integer",
    }),
    age,
  ],
};

/** Times of an Event: of its series, or as old style ones have them, or when it was seen at all. */
function lastSeen(event: KubeObject): string {
  const { series, lastTimestamp } = event;
  return asString(field(series, "lastObservedTime")) ?? asString(lastTimestamp) ?? firstSeen(event);
}

function firstSeen({ firstTimestamp, eventTime }: KubeObject): string {
  return asString(firstTimestamp) ?? asString(eventTime) ?? "";
}

const eventColumns: readonly TableColumn[] = [
  column("Last Seen", (event, nowMs) => ageText(lastSeen(event), nowMs)),
  column("Type", ({ type }) => textOf(type)),
  column("Reason", ({ reason }) => textOf(reason)),
  column("Object", ({ involvedObject }) => {
    const kind = (textOf(field(involvedObject, "kind")) ?? "").toLowerCase();
    const name = textOf(field(involvedObject, "name"));
    return name === null ? kind : `${kind}/${name}`;
  }),
  column("Subobject", ({ involvedObject }) => textOf(field(involvedObject, "fieldPath")), wide),
  column("Source", ({ source, reportingComponent }) => {
    return textOf(field(source, "component")) ?? textOf(reportingComponent);
  }, wide),
  column("Message", ({ message }) => (textOf(message) ?? "").trim()),
  column("First Seen", (event, nowMs) => ageText(firstSeen(event), nowMs), wide),
  column("Count", ({ series, count }) => {
    const told = field(series, "count") ?? count;
    return typeof told === "number" && told > 0 ? told : 1;
  }, { priority: 1, type: "integer" }),
  { ...name, priority: 1 },
];

function field(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function textOf(value: unknown): string | null {
  return asString(value) ?? null;
}

function sizeOf(value: unknown): number {
  return isRecord(value) ? Object.keys(value).length : 0;
}

function joined(texts: readonly string[]): string {
  return texts.length === 0 ? "<none>" : texts.join(",");
}

/** At most three, as kubectl shows lists of addresses. */
function shortened(values: readonly unknown[]): string {
  if (values.length === 0) return "<unset>";
  const shown = values.slice(0, 3).map(String).join(",");
  return values.length > 3 ? `${shown} + ${values.length - 3} more...` : shown;
}

function servicePort(port: unknown): string {
  const node = field(port, "nodePort");
  const shown = typeof node === "number" && node > 0 ? `:${node}` : "";
  return `${field(port, "port")}${shown}/${field(port, "protocol") ?? "TCP"}`;
}

function externalAddresses({ spec, status }: KubeObject): string {
  if (field(spec, "type") === "ExternalName") return String(field(spec, "externalName") ?? "");
  const ingress = asList(field(field(status, "loadBalancer"), "ingress"))
    .map((item) => asString(field(item, "ip")) ?? asString(field(item, "hostname")) ?? "");
  return joined([...ingress, ...asList(field(spec, "externalIPs")).map(String)]);
}

function labelsText(value: unknown): string {
  return isRecord(value)
    ? joined(Object.entries(value).map(([key, one]) => `${key}=${one}`))
    : "<none>";
}

const units = [["d", 86_400], ["h", 3_600], ["m", 60], ["s", 1]] as const;

/** The two largest units while they are small, as kubectl writes ages: `3d4h`, `90m`, `12s`. */
function ageText(timestamp: string, nowMs: number): string {
  const seconds = Math.floor((nowMs - Date.parse(timestamp)) / 1000);
  if (!Number.isFinite(seconds)) return "<unknown>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return `${seconds}s`;
  const years = Math.floor(seconds / 31_536_000);
  if (years >= 2) {
    const days = Math.floor((seconds % 31_536_000) / 86_400);
    return years < 8 && days > 0 ? `${years}y${days}d` : `${years}y`;
  }
  const largest = units.findIndex(([, size]) => seconds >= 2 * size);
  const [unit, size] = units[largest] ?? ["s", 1];
  const count = Math.floor(seconds / size);
  const [below, belowSize] = units[largest + 1] ?? ["", 0];
  const rest = belowSize === 0 ? 0 : Math.floor((seconds % size) / belowSize);
  return count < 10 && rest > 0 ? `${count}${unit}${rest}${below}` : `${count}${unit}`;
}
