/** What holds of outputs whatever the world is: promises that do not depend on how they are computed. */

import { assert, assertEquals } from "@std/assert";
import type {
  DataPlaneConfig,
  GatewayConfig,
  GatewayKey,
  Listener,
  RouteEntry,
} from "../../src/dataplane/model.ts";
import { gatewayKey } from "../../src/dataplane/model.ts";
import type { Outputs } from "../../src/gateway/outputs.ts";
import { routeKinds } from "../../src/gateway/route_kinds.ts";
import type { State } from "../../src/gateway/state.ts";
import type { DesiredCondition, DesiredStatus } from "../../src/kube/desired_status.ts";
import type { GatewayListener } from "../../src/kube/decode/gateway.ts";
import type { ParentReference } from "../../src/kube/decode/parent_reference.ts";
import { type ObjectKey, objectKey, parseObjectKey } from "../../src/kube/object.ts";

/** What protocols can share a port. */
function classOf(protocol: string): string {
  return protocol === "HTTPS" ? "TLS" : protocol;
}

/** UDP has ports of its own. */
function placeOf(address: string, { port, protocol }: { port: number; protocol: string }): string {
  return `${address}:${port}${protocol === "UDP" ? "/udp" : ""}`;
}

/** What one address and port are bound to: one kind of protocol, and no name twice. */
export function assertBindable({ dataPlane }: Outputs): void {
  const classes = new Map<string, string>();
  const names = new Map<string, string>();
  for (const { key, addresses, listeners } of dataPlane.gateways.values()) {
    for (const listener of listeners) {
      const own = classOf(listener.protocol);
      for (const address of addresses) {
        const place = placeOf(address, listener);
        const known = classes.get(place) ?? own;
        assertEquals(own, known, `${place} is asked for with two protocols`);
        classes.set(place, own);
        const name = `${place} ${listener.hostname}`;
        const owner = names.get(name);
        assert(owner === undefined, `${name}: ${key} ${listener.name} and ${owner}`);
        names.set(name, `${key} ${listener.name}`);
      }
    }
  }
}

/** A listener of a Gateway or of one of its ListenerSets, and how it was judged. */
interface JudgedListener {
  readonly gateway: ObjectKey;
  readonly spec: GatewayListener;
  readonly accepted: DesiredCondition | undefined;
  readonly addresses: readonly string[];
  /** Whether the Gateway is accepted: nothing of it is served otherwise. */
  readonly isServed: boolean;
}

function judgedListeners({ inputs, outputs: { statuses } }: State): readonly JudgedListener[] {
  const judge = (
    gateway: ObjectKey,
    specs: readonly GatewayListener[],
    status: DesiredStatus,
  ): readonly JudgedListener[] => {
    const found = status.body.shape === "conditions" ? status.body.listeners ?? [] : [];
    const isServed = conditionOf(statuses.Gateway.get(gateway), "Accepted")?.status === "True";
    return specs.map((spec) => {
      const { conditions = [] } = found.find(({ name }) => name === spec.name) ?? {};
      const accepted = conditions.find(({ type }) => type === "Accepted");
      const addresses = inputs.addressesOf(gateway)?.addresses ?? [];
      return { gateway, spec, accepted, addresses, isServed };
    });
  };
  return [
    ...[...statuses.Gateway].flatMap(([key, status]) =>
      judge(key, inputs.get("Gateway", key)?.spec.listeners ?? [], status)
    ),
    ...[...statuses.ListenerSet].flatMap(([key, status]) => {
      const set = inputs.get("ListenerSet", key);
      if (!set) return [];
      const { parentRef, listeners } = set.spec;
      const gateway = objectKey(parentRef.namespace ?? set.metadata.namespace, parentRef.name);
      return judge(gateway, listeners, status);
    }),
  ];
}

/** A listener loses its port only to one that keeps it, never to one that is not served itself. */
export function assertLossesHaveWinners(state: State): void {
  const listeners = judgedListeners(state);
  for (const { gateway, spec, accepted, addresses } of listeners) {
    if (accepted?.reason !== "PortUnavailable") continue;
    const hasWinner = listeners.some((other) =>
      other.gateway !== gateway && other.isServed && other.accepted?.status === "True" &&
      placeOf("", other.spec) === placeOf("", spec) &&
      (classOf(other.spec.protocol) !== classOf(spec.protocol) ||
        other.spec.hostname === spec.hostname) &&
      other.addresses.some((address) => addresses.includes(address))
    );
    assert(hasWinner, `${gateway} ${spec.name} lost its port to nobody: ${accepted.message}`);
  }
}

/** Programmed is True only of what the data plane holds, address for address, name for name. */
export function assertServed(
  { statuses, dataPlane }: Outputs,
  held: DataPlaneConfig | undefined,
): void {
  for (const status of statuses.Gateway.values()) {
    if (conditionOf(status, "Programmed")?.status !== "True") continue;
    const { namespace = "", name } = parseObjectKey(status.key);
    const gateway = gatewayKey(namespace, name);
    assertEquals(ownPart(held, gateway), ownPart(dataPlane, gateway));
    assert(held?.gateways.has(gateway), `${gateway} is programmed and not served`);
  }
  for (const status of statuses.ListenerSet.values()) {
    if (conditionOf(status, "Programmed")?.status !== "True") continue;
    const { namespace = "", name } = parseObjectKey(status.key);
    const parts = (config: DataPlaneConfig | undefined) =>
      listenersOf(config, { kind: "ListenerSet", name }, namespace).map(withoutRoutes);
    assertEquals(parts(held), parts(dataPlane), status.key);
    assert(parts(held).length > 0, `${status.key} is programmed and not served`);
  }
}

/** The same for routes of all kinds: entry for entry, at a listener that is where it shall be. */
export function assertRoutesServed(
  { statuses, dataPlane }: Outputs,
  held: DataPlaneConfig | undefined,
): void {
  for (const kind of routeKinds) {
    for (const { key, body } of statuses[kind].values()) {
      const { namespace = "", name } = parseObjectKey(key);
      for (const { parentRef, conditions } of body.shape === "parents" ? body.parents : []) {
        const programmed = conditions.find(({ type }) => type === "weir.dev/Programmed");
        if (programmed?.status !== "True") continue;
        const isOwn = ({ origin }: RouteEntry): boolean =>
          origin.kind === kind && origin.namespace === namespace && origin.name === name;
        const parts = (config: DataPlaneConfig | undefined) =>
          listenersOf(config, parentRef, namespace).map((listener) => ({
            ...withoutRoutes(listener),
            entries: [...listener.routes, ...listener.streams].filter(isOwn),
          })).filter(({ entries }) => entries.length > 0);
        assertEquals(parts(held), parts(dataPlane), `${kind} ${key} at ${parentRef.name}`);
      }
    }
  }
}

function conditionOf(
  status: DesiredStatus | undefined,
  type: string,
): DesiredCondition | undefined {
  const { body } = status ?? {};
  return body?.shape === "conditions"
    ? body.conditions.find((condition) => condition.type === type)
    : undefined;
}

/** The listeners that `reference` of an object in `from` means, with the addresses that they are at. */
function listenersOf(
  config: DataPlaneConfig | undefined,
  { kind = "Gateway", namespace, name, sectionName, port }: ParentReference,
  from: string,
): readonly (Listener & Pick<GatewayConfig, "addresses">)[] {
  const isParent = ({ origin }: Listener): boolean =>
    origin.kind === kind && origin.namespace === (namespace ?? from) && origin.name === name;
  return [...config?.gateways.values() ?? []].flatMap(({ addresses, listeners }) =>
    listeners.filter((listener) =>
      isParent(listener) && listener.port === (port ?? listener.port) &&
      (sectionName === undefined || listener.name.split("/").at(-1) === sectionName)
    ).map((listener) => ({ ...listener, addresses }))
  );
}

function ownPart(config: DataPlaneConfig | undefined, key: GatewayKey): unknown {
  const gateway = config?.gateways.get(key);
  return {
    addresses: gateway?.addresses,
    clientCertificate: gateway?.clientCertificate,
    listeners: gateway?.listeners.map(withoutRoutes),
  };
}

function withoutRoutes<Part extends Listener>(
  { routes: _, streams: __, ...own }: Part,
): Omit<Part, "routes" | "streams"> {
  return own;
}
