/**
 * What Envoy does with connections and datagrams that it does not look into (Gateway API, TLSRoute,
 * TCPRoute, UDPRoute). A share without a valid reference goes to a cluster that is never defined, so
 * those connections are closed.
 */

import type { StreamRouteEntry } from "../../dataplane/model.ts";
import type { ProtoObject } from "../codec.ts";
import { invalidCluster } from "./cluster_names.ts";
import { extension, typed } from "./proto_fields.ts";

/** The name of a reference's cluster in Envoy. */
export type NameOfReference = (
  backend: StreamRouteEntry["backends"][number],
) => string;

/** The network filter that forwards connections; without an entry it closes them. */
export function tcpProxy(
  statPrefix: string,
  entry: StreamRouteEntry | undefined,
  nameOf: NameOfReference,
): ProtoObject {
  const shares = (entry?.backends ?? []).filter(({ weight }) => weight > 0);
  const [only] = shares;
  const target = shares.length > 1
    ? {
      weightedClusters: {
        clusters: shares.map((share) => ({ name: nameOf(share), weight: share.weight })),
      },
    }
    : { cluster: only === undefined ? invalidCluster : nameOf(only) };
  return extension(
    "envoy.filters.network.tcp_proxy",
    "envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy",
    { statPrefix, ...target },
  );
}

/** The listener filter that forwards datagrams to `cluster`. */
export function udpProxy(statPrefix: string, cluster: string): ProtoObject {
  return extension(
    "envoy.filters.udp_listener.udp_proxy",
    "envoy.extensions.filters.udp.udp_proxy.v3.UdpProxyConfig",
    {
      statPrefix,
      matcher: {
        onNoMatch: {
          action: {
            name: "route",
            typedConfig: typed("envoy.extensions.filters.udp.udp_proxy.v3.Route", { cluster }),
          },
        },
      },
    },
  );
}
