/**
 * What Envoy does with every HTTP connection, before a route is known: the embedded data plane's rules
 * for heads, paths and forwarded headers, in Envoy's words.
 *
 * Nothing here follows from routes. The filters are always there and do nothing until a route says
 * so: one that is switched off here would not run for a route that is found late.
 */

import type { EscapedSlashes } from "../../dataplane/normalize_path.ts";
import type { ProtoObject } from "../codec.ts";
import { duration, extension, fromAds } from "./proto_fields.ts";

/** What connection managers depend on besides the model. */
export interface ConnectionOptions {
  readonly escapedSlashes: EscapedSlashes;
  /** Proxies in front whose X-Forwarded-For is believed; 0: none. */
  readonly trustedHopCount: number;
}

/** One connection manager. */
export interface ConnectionManager extends ConnectionOptions {
  /** The route configuration. */
  readonly routes: string;
  /** Whether backends are told what the certificate of the client says. */
  readonly forwardsClientCertificate: boolean;
}

const headersTimeoutMs = 10_000;
const headerKibibytesMax = 60;
const concurrentStreamsMax = 100;
const streamWindowBytes = 65_536;
const connectionWindowBytes = 1_048_576;

/** The network filter. */
export function connectionManager(settings: ConnectionManager): ProtoObject {
  const { routes, escapedSlashes, trustedHopCount, forwardsClientCertificate } = settings;
  return extension(
    "envoy.filters.network.http_connection_manager",
    "envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
    {
      statPrefix: routes,
      codecType: "AUTO",
      rds: { routeConfigName: routes, configSource: fromAds },
      httpFilters,
      useRemoteAddress: true,
      ...(trustedHopCount > 0 ? { xffNumTrustedHops: trustedHopCount } : {}),
      ...(forwardsClientCertificate
        ? {
          forwardClientCertDetails: "SANITIZE_SET",
          setCurrentClientCertDetails: { subject: true, cert: true, dns: true, uri: true },
        }
        : {}),
      serverHeaderTransformation: "PASS_THROUGH",
      generateRequestId: true,
      normalizePath: true,
      mergeSlashes: true,
      pathWithEscapedSlashesAction: escapedSlashes === "KeepUnchanged"
        ? "KEEP_UNCHANGED"
        : "UNESCAPE_AND_REDIRECT",
      stripTrailingHostDot: true,
      commonHttpProtocolOptions: { headersWithUnderscoresAction: "ALLOW" },
      http2ProtocolOptions: {
        maxConcurrentStreams: concurrentStreamsMax,
        initialStreamWindowSize: streamWindowBytes,
        initialConnectionWindowSize: connectionWindowBytes,
      },
      requestHeadersTimeout: duration(headersTimeoutMs),
      maxRequestHeadersKb: headerKibibytesMax,
      upgradeConfigs: [{ upgradeType: "websocket" }],
    },
  );
}

const httpFilters: readonly ProtoObject[] = [
  extension("envoy.filters.http.cors", "envoy.extensions.filters.http.cors.v3.Cors"),
  extension(
    "envoy.filters.http.stateful_session",
    "envoy.extensions.filters.http.stateful_session.v3.StatefulSession",
  ),
  extension(
    "envoy.filters.http.router",
    "envoy.extensions.filters.http.router.v3.Router",
    { suppressEnvoyHeaders: true },
  ),
];
