/**
 * Whether this machine lets weir listen: at the addresses of Gateways, on the ports of their listeners,
 * or where those are shifted to, and on the address of the HTTP API.
 *
 * Each port is bound for a moment. Where the API's address is taken, a weir probably runs here already,
 * and what it holds is no failure.
 */

import { formatHostPort, formatIp } from "../base/ip_address.ts";
import type { ClusterCheckLine } from "../cli/context.ts";
import { asList, asNumber, asString } from "../kube/json_value.ts";
import { type Kind, kinds } from "../kube/kinds.ts";
import { itemsOf } from "../kube/slim_object.ts";
import { shiftedPorts } from "../proxy/port_shift.ts";
import type {
  ClusterCheckSettings,
  ClusterCheckSurroundings,
  ListenOutcome,
  TryListen,
} from "./cluster_check_inputs.ts";
import { askCluster, valueAt } from "./cluster_question.ts";

/** As the operating system answers. */
export function tryListen(hostname: string, port: number): ListenOutcome {
  try {
    Deno.listen({ hostname, port }).close();
    return "ok";
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return "taken";
    if (error instanceof Deno.errors.PermissionDenied) return "forbidden";
    return error instanceof Deno.errors.AddrNotAvailable ? "no-address" : "failed";
  }
}

/** Of more ranges of addresses than this, and of more ports, the first ones are tried. */
const addressesMax = 8;
const portsMax = 100;

/** Lines for addresses, then for ports, then for the API's address. None where nothing listens here. */
export async function checkPorts(
  settings: ClusterCheckSettings,
  surroundings: ClusterCheckSurroundings,
): Promise<readonly ClusterCheckLine[]> {
  const api = apiLine(settings, surroundings.tryListen);
  if (settings.dataPlane !== "embedded") return [api];
  const addresses = settings.gatewayAddresses.slice(0, addressesMax)
    .map(({ family, first }) => formatIp({ family, value: first }));
  const lines = addresses.map((address) => addressLine(address, surroundings.tryListen));
  const usable = addresses.filter((_, index) => lines[index]?.result === "ok");
  const ports = await portsOfGateways(settings, surroundings);
  const isRunning = api.result !== "ok";
  const { portShift: shift, apiAddress } = settings;
  const portLines = usable.flatMap((address) =>
    ports.slice(0, portsMax).map((port) =>
      address === apiAddress.host && port === apiAddress.port
        ? apiPortLine(address, port)
        : portLine({ address, port, ports, isRunning, shift }, surroundings)
    )
  );
  return [...lines, ...portLines, api];
}

function apiLine({ apiAddress }: ClusterCheckSettings, listen: TryListen): ClusterCheckLine {
  const { host, port } = apiAddress;
  const subject = formatHostPort(host, port);
  const common = { check: "address", subject } as const;
  switch (listen(host, port)) {
    case "ok":
      return { ...common, result: "ok", message: "free for the HTTP API" };
    case "taken":
      return {
        ...common,
        result: "warning",
        message: "taken, perhaps by a weir that runs here already",
        advice: "nothing if so; else free it, or set --api-address",
      };
    default:
      return {
        ...common,
        result: "failed",
        message: "this process may not listen there",
        advice: "set --api-address to an address of this machine and a port from 1024 up",
      };
  }
}

function addressLine(address: string, listen: TryListen): ClusterCheckLine {
  const common = { check: "address", subject: address } as const;
  const outcome = listen(address, 0);
  if (outcome === "ok") return { ...common, result: "ok", message: "can be listened at" };
  return {
    ...common,
    result: "failed",
    message: outcome === "no-address"
      ? "is no address of this machine"
      : "cannot be listened at by this process",
    advice: "give it to an interface, or set --gateway-addresses to what this machine has",
  };
}

function apiPortLine(address: string, port: number): ClusterCheckLine {
  return {
    check: "port",
    subject: formatHostPort(address, port),
    result: "failed",
    message: "is where the HTTP API listens",
    advice: "set --api-address to another port",
  };
}

interface PortQuestion {
  readonly address: string;
  readonly port: number;
  /** All ports that are asked for. */
  readonly ports: readonly number[];
  readonly shift: number;
  readonly isRunning: boolean;
}

function portLine(
  { address, port, ports, shift, isRunning }: PortQuestion,
  { tryListen: listen }: ClusterCheckSurroundings,
): ClusterCheckLine {
  const common = { check: "port", subject: formatHostPort(address, port) } as const;
  const outcome = listen(address, port);
  if (outcome === "ok") return { ...common, result: "ok", message: "free" };
  const why = outcome === "taken" ? "taken" : "not allowed for this user";
  if (outcome === "taken" && isRunning) {
    return {
      ...common,
      result: "warning",
      message: "taken, as the address of the HTTP API is",
      advice: "nothing, if a weir runs here already; else free it",
    };
  }
  const advice = outcome === "taken"
    ? "free it, or choose another port in the listener"
    : "give the process CAP_NET_BIND_SERVICE, or lower net.ipv4.ip_unprivileged_port_start";
  const instead = shiftedPorts(port, shift, (each) => ports.includes(each))
    .find((each) => listen(address, each) === "ok");
  return instead === undefined
    ? { ...common, result: "failed", message: `${why}, and it cannot be shifted`, advice }
    : { ...common, result: "warning", message: `${why}: port ${instead} serves instead`, advice };
}

/** The ports of our Gateways and of all ListenerSets, sorted, each once. UDP is not looked at. */
async function portsOfGateways(
  settings: ClusterCheckSettings,
  surroundings: ClusterCheckSurroundings,
): Promise<readonly number[]> {
  const classes = await ownClasses(settings, surroundings);
  const gateways = (await listAll("Gateway", settings, surroundings)).filter((gateway) => {
    const namespace = asString(valueAt(gateway, "metadata", "namespace")) ?? "";
    const name = asString(valueAt(gateway, "metadata", "name")) ?? "";
    const isChosen = settings.gateways.length === 0 ||
      settings.gateways.includes(`${namespace}/${name}`);
    return isChosen && classes.has(valueAt(gateway, "spec", "gatewayClassName"));
  });
  const sets = gateways.length === 0 || settings.without.includes("ListenerSet")
    ? []
    : await listAll("ListenerSet", settings, surroundings);
  const ports = [...gateways, ...sets]
    .flatMap((object) => asList(valueAt(object, "spec", "listeners")))
    .filter((listener) => valueAt(listener, "protocol") !== "UDP")
    .flatMap((listener) => asNumber(valueAt(listener, "port")) ?? []);
  return [...new Set(ports)].sort((a, b) => a - b);
}

async function ownClasses(
  { gatewayClass, controllerName }: ClusterCheckSettings,
  surroundings: ClusterCheckSurroundings,
): Promise<ReadonlySet<unknown>> {
  if (gatewayClass !== undefined) return new Set([gatewayClass]);
  const answer = await askCluster(surroundings, { path: pathOf("GatewayClass", undefined) });
  const own = itemsOf(answer.ok ? answer.value : undefined)
    .filter((each) => valueAt(each, "spec", "controllerName") === controllerName);
  return new Set(own.map((each) => valueAt(each, "metadata", "name")));
}

/** What cannot be listed is told by the lines of rights and kinds. */
async function listAll(
  kind: Kind,
  { namespaces }: ClusterCheckSettings,
  surroundings: ClusterCheckSurroundings,
): Promise<readonly unknown[]> {
  const places = namespaces.length === 0 ? [undefined] : namespaces;
  const answers = await Promise.all(
    places.map((namespace) => askCluster(surroundings, { path: pathOf(kind, namespace) })),
  );
  return answers.flatMap((answer) => answer.ok ? itemsOf(answer.value) : []);
}

function pathOf(kind: Kind, namespace: string | undefined): string {
  const { group, versions, plural } = kinds[kind];
  const place = namespace === undefined ? "" : `namespaces/${namespace}/`;
  return `/apis/${group}/${versions[0]}/${place}${plural}`;
}
