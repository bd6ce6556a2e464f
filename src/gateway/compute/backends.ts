/**
 * Backend references of routes and the endpoints behind them.
 *
 * A reference that does not resolve keeps its share of the traffic, which is answered 500; one that
 * resolves to no ready endpoint is answered 503 by the data plane.
 */

import { formatIp, parseIp } from "../../base/ip_address.ts";
import {
  type AppProtocol,
  type Cluster,
  type ClusterName,
  clusterName,
  type Endpoint,
} from "../../dataplane/model.ts";
import type { EndpointSlice } from "../../kube/decode/endpoint_slice.ts";
import type { BackendObjectReference } from "../../kube/decode/backend_reference.ts";
import { endpointsAnnotation, type Service } from "../../kube/decode/service.ts";
import { type ObjectKey, objectKey } from "../../kube/object.ts";
import { gatewayGroup } from "../parent_keys.ts";
import type { RouteKind } from "../route_kinds.ts";
import type { BackendUse, ComputeView, ServicePort } from "./compute_view.ts";
import { describeExternalNameFault, normalizeExternalName } from "./external_name.ts";
import type { Finding } from "./finding.ts";
import { isReferenceAllowed } from "./reference_grants.ts";

/** The route whose reference is resolved: grants are for its kind and namespace. */
export interface ReferringRoute {
  readonly kind: RouteKind;
  readonly namespace: string;
  /** What it speaks with the backend. */
  readonly use: BackendUse;
}

/** Resolves a reference of a route. */
export function resolveBackend(
  view: ComputeView,
  { kind: routeKind, namespace, use }: ReferringRoute,
  reference: BackendObjectReference,
): ServicePort | Finding {
  const { group, kind, name, port } = reference;
  if (group !== "" || kind !== "Service") {
    const type = group === "" ? kind : `${kind}.${group}`;
    return finding("InvalidKind", `Cannot use "${name}": its kind is "${type}", wanted "Service"`);
  }
  const target = reference.namespace ?? namespace;
  const key = objectKey(target, name);
  const from = { group: gatewayGroup, kind: routeKind, namespace };
  // Before anything is said about the Service: without a grant not even whether it exists.
  if (!isReferenceAllowed(view, from, { group, kind, namespace: target, name })) {
    const message = `Cannot use Service "${key}": no ReferenceGrant in namespace "${target}" ` +
      `allows it`;
    return finding("RefNotPermitted", message);
  }
  if (port === undefined) {
    return finding("BackendNotFound", `Cannot use Service "${key}": the reference names no port`);
  }
  return view.servicePort(key, port, use);
}

/** Whether `text` is a {@linkcode BackendUse}. */
export function isBackendUse(text: string): text is BackendUse {
  return text === "HTTP" || text === "GRPC" || text === "TCP" || text === "UDP";
}

/** Whether `use` can be sent to a port of a Service. */
export function computeServicePort(
  view: ComputeView,
  key: ObjectKey,
  port: number,
  use: BackendUse,
): ServicePort | Finding {
  const service = view.get("Service", key);
  if (!service) {
    return finding("BackendNotFound", `Cannot use Service "${key}": it does not exist`);
  }
  const fault = findServiceFault(view, key, service, port, use);
  if (fault) return fault;
  const { namespace, name } = service.metadata;
  // Bytes of streams are passed on as they are; stream_rules.ts knows where a policy secures them.
  if (use === "TCP" || use === "UDP") return { cluster: clusterName(namespace, name, port, use) };
  const cluster = clusterName(namespace, name, port, use === "GRPC" ? use : undefined);
  const tls = view.backendTls(key, port);
  if (!tls && service.spec.ports.some((found) => found.port === port && needsTls(found))) {
    const message =
      `Cannot use Service "${key}": appProtocol "kubernetes.io/wss" of port ${port} ` +
      "needs a BackendTLSPolicy";
    return finding("UnsupportedProtocol", message);
  }
  return tls && "reason" in tls ? { cluster, isUnusable: true } : { cluster };
}

function finding(reason: string, message: string): Finding {
  return { reason, message };
}

/** Values of `appProtocol` that Kubernetes defines; others are somebody else's and change nothing. */
const knownAppProtocols: ReadonlyMap<string, AppProtocol> = new Map([
  ["kubernetes.io/h2c", "h2c"],
  ["kubernetes.io/ws", "ws"],
  ["kubernetes.io/wss", "wss"],
]);

/** Calls are streams of HTTP/2, which a WebSocket has no place for (GEP-1911). */
function isWebSocket(appProtocol: string | undefined): boolean {
  const known = knownAppProtocols.get(appProtocol ?? "");
  return known === "ws" || known === "wss";
}

/** Without a policy nobody knows which certificate to trust (GEP-1911). */
function needsTls({ appProtocol }: { readonly appProtocol?: string }): boolean {
  return appProtocol === "kubernetes.io/wss";
}

function findServiceFault(
  view: ComputeView,
  key: ObjectKey,
  service: Service,
  number: number,
  use: BackendUse,
): Finding | undefined {
  if (service.spec.type === "ExternalName") {
    const fault = view.dataPlane.features.has("ServiceExternalName")
      ? describeExternalNameFault(service.spec.externalName ?? "")
      : "type ExternalName is not allowed, wanted --allow-external-name";
    if (fault !== undefined) {
      return finding("InvalidKind", `Cannot use Service "${key}": ${fault}`);
    }
    // Such a Service needs no ports: nothing is translated on the way to the name.
    if (service.spec.ports.length === 0) return undefined;
  }
  const ports = service.spec.ports.filter(({ port }) => port === number);
  const wanted = use === "UDP" ? "UDP" : "TCP";
  const port = ports.find(({ protocol }) => protocol === wanted);
  if (!port) {
    return ports[0]
      ? finding(
        "UnsupportedProtocol",
        `Cannot use Service "${key}": port ${number} is ${ports[0].protocol}, wanted ${wanted}`,
      )
      : finding("BackendNotFound", `Cannot use Service "${key}": it has no port ${number}`);
  }
  const { appProtocol } = port;
  if (use === "GRPC" && isWebSocket(appProtocol)) {
    return finding(
      "UnsupportedProtocol",
      `Cannot use Service "${key}": appProtocol "${appProtocol}" of port ${number} carries no gRPC`,
    );
  }
  if (
    use === "HTTP" && appProtocol !== undefined && knownAppProtocols.has(appProtocol) &&
    !view.dataPlane.appProtocols.includes(appProtocol)
  ) {
    return finding(
      "UnsupportedProtocol",
      `Cannot use Service "${key}": appProtocol "${appProtocol}" of port ${number} is not ` +
        `spoken by data plane "${view.dataPlane.name}"`,
    );
  }
  const { annotatedEndpoints } = service;
  if (
    annotatedEndpoints && "invalid" in annotatedEndpoints && view.slicesOfService(key).length === 0
  ) {
    return finding(
      "BackendNotFound",
      `Cannot use Service "${key}": annotation "${endpointsAnnotation}": ` +
        annotatedEndpoints.invalid,
    );
  }
  return undefined;
}

/**
 * The endpoints of a Service port that take requests, from its EndpointSlices, else from the
 * annotation. Without a ready one those that still serve while they terminate, as Kubernetes' own
 * proxy has it.
 */
export function computeCluster(view: ComputeView, cluster: ClusterName): Cluster {
  const [namespace = "", name = "", portText, use = "HTTP"] = cluster.split("/");
  const number = Number(portText);
  const protocol = use === "UDP" ? use : "TCP";
  const key = objectKey(namespace, name);
  const service = view.get("Service", key);
  const port = service?.spec.ports.find((found) =>
    found.port === number && found.protocol === protocol
  );
  const appProtocol = appProtocolOf(use, port?.appProtocol);
  const tls = use === "TCP" || use === "UDP" ? undefined : view.backendTls(key, number);
  return {
    name: cluster,
    origin: { kind: "Service", namespace, name },
    port: number,
    ...destinationOf(view, service, key, { number, protocol, name: port?.name }),
    ...(appProtocol && { appProtocol }),
    ...(tls && !("reason" in tls) && { tls }),
  };
}

function appProtocolOf(use: string, named: string | undefined): AppProtocol | undefined {
  if (use === "GRPC") return "h2c";
  return use === "HTTP" ? knownAppProtocols.get(named ?? "") : undefined;
}

interface WantedPort {
  readonly number: number;
  readonly protocol: "TCP" | "UDP";
  readonly name: string | undefined;
}

function destinationOf(
  view: ComputeView,
  service: Service | undefined,
  key: ObjectKey,
  port: WantedPort,
): Pick<Cluster, "endpoints" | "addressType"> {
  if (service?.spec.type === "ExternalName") {
    const address = normalizeExternalName(service.spec.externalName ?? "");
    return { endpoints: [{ address, port: port.number }], addressType: "FQDN" };
  }
  const keys = view.slicesOfService(key);
  if (keys.length === 0) return { endpoints: sortUnique(annotatedEndpointsOf(service)) };
  const slices = keys.flatMap((slice) => view.get("EndpointSlice", slice) ?? []);
  const gather = (addressesOf: (slice: EndpointSlice) => readonly string[]) =>
    sortUnique(slices.flatMap((slice) => endpointsAt(slice, addressesOf(slice), port)));
  const ready = gather(({ readyAddresses }) => readyAddresses);
  return {
    endpoints: ready.length > 0 ? ready : gather(({ drainingAddresses }) => drainingAddresses),
  };
}

function endpointsAt(
  slice: EndpointSlice,
  addresses: readonly string[],
  wanted: WantedPort,
): readonly Endpoint[] {
  if (slice.addressType === "FQDN") return [];
  const port = slice.ports.find(({ name, protocol }) =>
    name === wanted.name && protocol === wanted.protocol
  );
  if (!port) return [];
  return addresses.flatMap((text) => {
    const address = parseIp(text);
    return address ? [{ address: formatIp(address), port: port.port }] : [];
  });
}

function annotatedEndpointsOf(service: Service | undefined): readonly Endpoint[] {
  const annotated = service?.annotatedEndpoints;
  return annotated && "endpoints" in annotated ? annotated.endpoints : [];
}

function sortUnique(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  if (endpoints.length < 2) return endpoints;
  const sorted = [...endpoints].sort((a, b) =>
    a.address < b.address ? -1 : a.address > b.address ? 1 : a.port - b.port
  );
  return sorted.filter((endpoint, index) => {
    const before = sorted[index - 1];
    return before?.address !== endpoint.address || before.port !== endpoint.port;
  });
}
