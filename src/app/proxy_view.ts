/**
 * The proxy view of the HTTP API and of `weir translate`: the data plane's configuration as JSON.
 *
 * Pure. Of a certificate only name and digest are read; the chain and the key stay where they are.
 * Parts whose shapes agree (matches, filters, backends) are passed on, not copied.
 */

import type {
  Cluster as ClusterState,
  Listener as ListenerState,
  ProxyGateway,
  ProxyState,
  RouteEntry,
  StreamEntry,
} from "../api/proxy.ts";
import type { Acknowledgement, BoundListener } from "../dataplane/data_plane.ts";
import type {
  Certificate,
  CertificateName,
  Cluster,
  DataPlaneConfig,
  GatewayConfig,
  GatewayKey,
  HttpRouteEntry,
  Listener,
  Origin,
  StreamRouteEntry,
} from "../dataplane/model.ts";
import { compareStrings } from "../kube/json_value.ts";

/** What the view is made from. */
export interface ProxyViewSources {
  /** What the data plane was given last. */
  readonly config: DataPlaneConfig;
  /** The latest answer for each Gateway. */
  readonly acknowledgements: ReadonlyMap<GatewayKey, Acknowledgement>;
  /** Random per start of the process. */
  readonly epoch: string;
  /** The data plane's name. */
  readonly dataPlane: string;
}

/** The JSON of `/api/v1/proxy`. */
export function toProxyState(sources: ProxyViewSources): ProxyState {
  const { config, acknowledgements, epoch, dataPlane } = sources;
  const gateways = [...config.gateways.values()]
    .map((gateway) => toGateway(gateway, acknowledgements.get(gateway.key), config.certificates))
    .sort((a, b) => compareStrings(a.namespace, b.namespace) || compareStrings(a.name, b.name));
  const clusters = [...config.clusters.values()].map(toCluster)
    .sort((a, b) => compareStrings(a.name, b.name));
  return { revision: `${epoch}.${config.revision}`, dataPlane, gateways, clusters };
}

function toGateway(
  gateway: GatewayConfig,
  answer: Acknowledgement | undefined,
  certificates: ReadonlyMap<CertificateName, Certificate>,
): ProxyGateway {
  const slash = gateway.key.indexOf("/");
  return {
    namespace: gateway.key.slice(0, slash),
    name: gateway.key.slice(slash + 1),
    addresses: gateway.addresses,
    ...(gateway.clientCertificate && { clientCertificate: gateway.clientCertificate }),
    acknowledged: answer?.config === gateway,
    refusals: (answer?.refusals ?? []).map(({ origin, listener, reason, message }) => ({
      object: toRef(origin),
      ...(listener === undefined ? {} : { listener }),
      reason,
      message,
    })),
    listeners: gateway.listeners.map((listener) =>
      toListener(listener, answer?.listeners ?? [], certificates)
    ),
  };
}

function toListener(
  listener: Listener,
  bound: readonly BoundListener[],
  certificates: ReadonlyMap<CertificateName, Certificate>,
): ListenerState {
  const { name, origin, protocol, port, hostname, clientValidation, routes, streams } = listener;
  const scheme = protocol.toLowerCase();
  const own = bound.filter((entry) => entry.name === name && isSame(entry.origin, origin));
  return {
    name,
    owner: toRef(origin),
    protocol,
    port,
    ...(hostname === undefined ? {} : { hostname }),
    bound: own.map(({ address, boundPort }) => ({
      address,
      port: boundPort,
      url: `${scheme}://${address.includes(":") ? `[${address}]` : address}:${boundPort}/`,
    })),
    ...(listener.certificates === undefined ? {} : {
      certificates: listener.certificates.map((certificate) => {
        const digest = certificates.get(certificate)?.digest;
        return { name: certificate, ...(digest === undefined ? {} : { digest }) };
      }),
    }),
    ...(clientValidation && {
      clientValidation: clientValidation.isOptional ? "AllowInsecureFallback" : "AllowValidOnly",
    }),
    routes: routes.map(toRouteEntry),
    streams: streams.map(toStreamEntry),
  };
}

function toStreamEntry({ origin, ruleName, hostname, backends }: StreamRouteEntry): StreamEntry {
  return {
    route: toRef(origin),
    ...(ruleName === undefined ? {} : { ruleName }),
    ...(hostname === undefined ? {} : { hostname }),
    backends,
  };
}

function toRouteEntry(entry: HttpRouteEntry): RouteEntry {
  const { origin, ruleIndex, ruleName, matchIndex, hostname, match, action } = entry;
  return {
    route: toRef(origin),
    ruleIndex,
    ...(ruleName === undefined ? {} : { ruleName }),
    matchIndex,
    ...(hostname === undefined ? {} : { hostname }),
    match,
    ...action,
  };
}

function toCluster(
  { name, origin, port, endpoints, addressType, appProtocol, tls }: Cluster,
): ClusterState {
  return {
    name,
    service: toRef(origin),
    port,
    endpoints,
    ...(addressType && { addressType }),
    ...(appProtocol && { appProtocol }),
    ...(tls && {
      tls: {
        hostname: tls.hostname,
        subjectAltNames: tls.subjectAltNames,
        trust: tls.trust === "system" ? "System" : "CACertificates",
      },
    }),
  };
}

function toRef({ kind, namespace, name }: Origin): Origin {
  return { kind, namespace, name };
}

function isSame(a: Origin, b: Origin): boolean {
  return a.kind === b.kind && a.namespace === b.namespace && a.name === b.name;
}
