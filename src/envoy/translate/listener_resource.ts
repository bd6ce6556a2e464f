/**
 * Listeners of Envoy: one for each address and port, with a filter chain for each listener of the
 * model that is told apart by the name that a client asks for.
 *
 * Names of chains are stable, and HTTP routes are never in them, because a chain that changes is
 * drained. A hostname of a TLS listener without a route has a chain too, which closes its connections:
 * they must not reach a less specific listener.
 */

import { invariant } from "../../base/invariant.ts";
import type { CertificateName, StreamRouteEntry } from "../../dataplane/model.ts";
import type { ProtoObject } from "../codec.ts";
import { invalidCluster, referredCluster } from "./cluster_names.ts";
import { connectionManager, type ConnectionOptions } from "./connection_manager.ts";
import { extension, listed, socketAddress } from "./proto_fields.ts";
import { routesName, type ServedBinding, type ServedListener } from "./served_binding.ts";
import { tcpProxy, udpProxy } from "./stream_filters.ts";
import { downstreamTls } from "./tls_context.ts";
import { domainOf, ownsHostname } from "./virtual_hosts.ts";

/** What listeners depend on besides the model. */
export interface ListenerOptions extends ConnectionOptions {
  /** Where the address and port of a specification are really opened. */
  readonly place: (address: string, port: number) => Place;
  /** The cluster of the datagrams of an entry. */
  readonly datagramClusterOf: (
    entry: StreamRouteEntry,
    clientCertificate: CertificateName | undefined,
  ) => string;
}

/** An address and port. */
export interface Place {
  readonly address: string;
  readonly port: number;
}

const bufferBytesMax = 32_768;

/** `config.listener.v3.Listener` of a binding with at least one listener. */
export function listenerMessage(served: ServedBinding, options: ListenerOptions): ProtoObject {
  const { binding, listeners } = served;
  const [first] = listeners;
  invariant(first !== undefined, "A binding is served for its listeners");
  const { address, port } = options.place(binding.address, binding.port);
  const protocol = first.listener.protocol === "UDP" ? "UDP" : "TCP";
  return {
    name: binding.key,
    address: bindAddress(address, port, protocol),
    perConnectionBufferLimitBytes: bufferBytesMax,
    // Health checks that fail on purpose are for whoever drains Envoy, not for its listeners.
    drainType: "MODIFY_ONLY",
    ...(protocol === "UDP" ? udpFields(served, first, options) : tcpFields(served, options)),
  };
}

/** The address of every interface is that of both families. */
function bindAddress(address: string, port: number, protocol: "TCP" | "UDP"): ProtoObject {
  if (address !== "::") return socketAddress(address, port, protocol);
  const kind = protocol === "UDP" ? { protocol } : {};
  return { socketAddress: { ...kind, address, portValue: port, ipv4Compat: true } };
}

function udpFields(
  { binding }: ServedBinding,
  { clientCertificate, listener: { streams } }: ServedListener,
  { datagramClusterOf }: ListenerOptions,
): ProtoObject {
  const [entry] = streams;
  const cluster = entry === undefined
    ? invalidCluster
    : datagramClusterOf(entry, clientCertificate);
  return { udpListenerConfig: {}, listenerFilters: [udpProxy(binding.key, cluster)] };
}

function tcpFields(served: ServedBinding, options: ListenerOptions): ProtoObject {
  const chains = served.listeners.flatMap((listener) => filterChains(served, listener, options));
  const isTls = served.listeners.some(({ listener: { protocol } }) =>
    protocol === "HTTPS" || protocol === "TLS"
  );
  return {
    ...listed("listenerFilters", isTls ? [tlsInspector] : []),
    filterChains: isTls ? chains : chains.slice(0, 1),
  };
}

const tlsInspector = extension(
  "envoy.filters.listener.tls_inspector",
  "envoy.extensions.filters.listener.tls_inspector.v3.TlsInspector",
);

function filterChains(
  served: ServedBinding,
  listener: ServedListener,
  options: ListenerOptions,
): readonly ProtoObject[] {
  const { hostname, protocol } = listener.listener;
  switch (protocol) {
    case "HTTP":
      return [{ name: "http", filters: [httpFilter(served, listener, options)] }];
    case "HTTPS":
      return [
        namedChain(
          hostname,
          httpFilter(served, listener, options),
          tlsOf(listener, [
            "h2",
            "http/1.1",
          ]),
        ),
      ];
    case "TLS":
      return tlsChains(served, listener);
    case "TCP":
      return [{
        name: "tcp",
        filters: [streamFilter(served, listener, listener.listener.streams[0])],
      }];
    case "UDP":
      return [];
  }
}

function httpFilter(
  served: ServedBinding,
  listener: ServedListener,
  options: ListenerOptions,
): ProtoObject {
  return connectionManager({
    routes: routesName(served, listener),
    escapedSlashes: options.escapedSlashes,
    trustedHopCount: options.trustedHopCount,
    forwardsClientCertificate: listener.listener.clientValidation !== undefined,
  });
}

/** Of the entries for one hostname only the first serves. */
function tlsChains(served: ServedBinding, listener: ServedListener): readonly ProtoObject[] {
  const { hostname, streams } = listener.listener;
  const entries = new Map<string | undefined, StreamRouteEntry | undefined>();
  for (const entry of streams) {
    const owned = entry.hostname ?? hostname;
    if (!entries.has(owned)) entries.set(owned, entry);
  }
  if (!entries.has(hostname)) entries.set(hostname, undefined);
  return [...entries].filter(([owned]) => ownsHostname(served.owners, listener.listener, owned))
    .sort(([a], [b]) => domainOf(a) < domainOf(b) ? -1 : 1)
    .map(([owned, entry]) =>
      namedChain(owned, streamFilter(served, listener, entry), tlsOf(listener, []))
    );
}

function streamFilter(
  { binding }: ServedBinding,
  { clientCertificate }: ServedListener,
  entry: StreamRouteEntry | undefined,
): ProtoObject {
  return tcpProxy(
    binding.key,
    entry,
    ({ cluster }) => referredCluster(cluster, clientCertificate),
  );
}

function namedChain(
  hostname: string | undefined,
  filter: ProtoObject,
  transportSocket: ProtoObject | undefined,
): ProtoObject {
  return {
    name: domainOf(hostname),
    ...(hostname === undefined ? {} : { filterChainMatch: { serverNames: [hostname] } }),
    filters: [filter],
    ...(transportSocket === undefined ? {} : { transportSocket }),
  };
}

function tlsOf(
  { listener, certificates, validationSecret }: ServedListener,
  protocols: readonly string[],
): ProtoObject | undefined {
  if (certificates.length === 0) return undefined;
  const { clientValidation } = listener;
  return downstreamTls({ certificates, clientValidation, validationSecret, protocols });
}
