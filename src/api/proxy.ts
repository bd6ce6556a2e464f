/**
 * What `/api/v1/proxy` shows: the configuration that the data plane was given, and where it listens.
 *
 * Certificates appear by name and digest; a private key has no field here. Words are those of the
 * Gateway API. Routes stand in the order in which they are tried.
 */

import * as v from "valibot";
import type { ReadonlyDeep } from "./readonly_deep.ts";
import { RevisionSchema } from "./state.ts";

const port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65535));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const clusterName = v.pipe(v.string(), v.description("A name in clusters"));

/** The object that a part of the configuration comes from. */
export const ObjectRefSchema = v.pipe(
  v.object({ kind: v.string(), namespace: v.string(), name: v.string() }),
  v.title("ObjectRef"),
);
/** See {@linkcode ObjectRefSchema}. */
export type ObjectRef = ReadonlyDeep<v.InferOutput<typeof ObjectRefSchema>>;

const HeaderValueSchema = v.object({ name: v.string(), value: v.string() });

const HeaderModifierSchema = v.pipe(
  v.object({
    set: v.array(HeaderValueSchema),
    add: v.array(HeaderValueSchema),
    remove: v.array(v.string()),
  }),
  v.description("Applied in the order remove, set, add"),
);

const PathModifierSchema = v.variant("type", [
  v.object({ type: v.literal("ReplaceFullPath"), value: v.string() }),
  v.object({ type: v.literal("ReplacePrefixMatch"), value: v.string(), prefix: v.string() }),
]);

const CorsSchema = v.object({
  allowOrigins: v.array(v.string()),
  allowMethods: v.array(v.string()),
  allowHeaders: v.array(v.string()),
  exposeHeaders: v.array(v.string()),
  allowCredentials: v.boolean(),
  maxAgeSeconds: count,
});

const ExternalAuthSchema = v.object({
  protocol: v.picklist(["HTTP", "GRPC"]),
  cluster: clusterName,
  pathPrefix: v.string(),
  requestHeaders: v.array(v.string()),
  responseHeaders: v.array(v.string()),
  bodyBytesMax: v.pipe(count, v.description("0: the body is not sent along")),
});

/** A filter in the words of the API. */
export const FilterSchema = v.pipe(
  v.variant("type", [
    v.object({ type: v.literal("RequestHeaderModifier"), headers: HeaderModifierSchema }),
    v.object({ type: v.literal("ResponseHeaderModifier"), headers: HeaderModifierSchema }),
    v.object({
      type: v.literal("RequestRedirect"),
      redirect: v.object({
        scheme: v.exactOptional(v.picklist(["http", "https"])),
        hostname: v.exactOptional(v.string()),
        path: v.exactOptional(PathModifierSchema),
        port: v.exactOptional(port),
        statusCode: v.pipe(v.number(), v.integer()),
      }),
    }),
    v.object({
      type: v.literal("URLRewrite"),
      rewrite: v.object({
        hostname: v.exactOptional(v.string()),
        path: v.exactOptional(PathModifierSchema),
      }),
    }),
    v.object({ type: v.literal("CORS"), cors: CorsSchema }),
    v.object({
      type: v.literal("RequestMirror"),
      mirror: v.object({ cluster: clusterName, numerator: count, denominator: count }),
    }),
    v.object({ type: v.literal("ExternalAuth"), auth: ExternalAuthSchema }),
  ]),
  v.title("Filter"),
);
/** See {@linkcode FilterSchema}. */
export type Filter = ReadonlyDeep<v.InferOutput<typeof FilterSchema>>;

const ValueMatchSchema = v.object({
  name: v.string(),
  type: v.picklist(["Exact", "RegularExpression"]),
  value: v.string(),
});

/** What a request must be like. */
export const MatchSchema = v.object({
  path: v.object({
    type: v.picklist(["Exact", "PathPrefix", "RegularExpression"]),
    value: v.string(),
  }),
  method: v.exactOptional(v.string()),
  headers: v.array(ValueMatchSchema),
  queryParams: v.array(ValueMatchSchema),
});

/** One match of one rule: what is tried, and what then happens. */
export const RouteEntrySchema = v.pipe(
  v.object({
    route: ObjectRefSchema,
    ruleIndex: count,
    ruleName: v.exactOptional(v.string()),
    matchIndex: count,
    hostname: v.pipe(v.exactOptional(v.string()), v.description("Absent: every host")),
    match: MatchSchema,
    filters: v.array(FilterSchema),
    backends: v.array(v.object({
      weight: count,
      cluster: v.pipe(
        v.exactOptional(v.string()),
        v.description("A name in clusters; absent: this share is answered 500, gRPC 503"),
      ),
      filters: v.array(FilterSchema),
    })),
    requestTimeoutMs: v.exactOptional(count),
    backendRequestTimeoutMs: v.exactOptional(count),
    retry: v.exactOptional(v.object({
      codes: v.array(count),
      attempts: v.exactOptional(v.pipe(count, v.description("After the first"))),
      backoffMs: v.exactOptional(count),
    })),
    sessionPersistence: v.exactOptional(v.object({
      type: v.picklist(["Cookie", "Header"]),
      sessionName: v.string(),
      absoluteTimeoutMs: v.exactOptional(count),
      isPermanent: v.pipe(v.boolean(), v.description("The cookie outlives the browser")),
    })),
  }),
  v.title("RouteEntry"),
);
/** See {@linkcode RouteEntrySchema}. */
export type RouteEntry = ReadonlyDeep<v.InferOutput<typeof RouteEntrySchema>>;

/** What a TLSRoute, TCPRoute or UDPRoute asks for, for one hostname. */
export const StreamEntrySchema = v.pipe(
  v.object({
    route: ObjectRefSchema,
    ruleName: v.exactOptional(v.string()),
    hostname: v.pipe(
      v.exactOptional(v.string()),
      v.description("What the name that a TLS client asks for must match; absent: every name"),
    ),
    backends: v.array(v.object({
      weight: count,
      cluster: v.pipe(
        v.exactOptional(v.string()),
        v.description("A name in clusters; absent: connections of this share are refused"),
      ),
    })),
  }),
  v.title("StreamEntry"),
);
/** See {@linkcode StreamEntrySchema}. */
export type StreamEntry = ReadonlyDeep<v.InferOutput<typeof StreamEntrySchema>>;

/** A listener of the specification and where it is bound. */
export const ListenerSchema = v.pipe(
  v.object({
    name: v.string(),
    owner: v.pipe(ObjectRefSchema, v.description("The object whose spec the listener stands in")),
    protocol: v.picklist(["HTTP", "HTTPS", "TLS", "TCP", "UDP"]),
    port: v.pipe(port, v.description("The port of the spec")),
    hostname: v.pipe(v.exactOptional(v.string()), v.description("Absent: every host")),
    bound: v.pipe(
      v.array(v.object({
        address: v.string(),
        port: v.pipe(port, v.description("The port that is really bound; it may be shifted")),
        url: v.pipe(v.string(), v.description("Reaches the listener from this machine")),
      })),
      v.description("Empty: the data plane does not listen for it"),
    ),
    certificates: v.exactOptional(v.array(v.object({
      name: v.pipe(v.string(), v.description("NAMESPACE/NAME of the Secret")),
      digest: v.pipe(v.exactOptional(v.string()), v.description("Changes with the certificate")),
    }))),
    clientValidation: v.pipe(
      v.exactOptional(v.picklist(["AllowValidOnly", "AllowInsecureFallback"])),
      v.description("How certificates of clients are checked; absent: none is asked for"),
    ),
    routes: v.pipe(v.array(RouteEntrySchema), v.description("Of HTTP and HTTPS")),
    streams: v.pipe(v.array(StreamEntrySchema), v.description("Of TLS, TCP and UDP")),
  }),
  v.title("Listener"),
);
/** See {@linkcode ListenerSchema}. */
export type Listener = ReadonlyDeep<v.InferOutput<typeof ListenerSchema>>;

/** One Gateway as it is served. */
export const ProxyGatewaySchema = v.pipe(
  v.object({
    namespace: v.string(),
    name: v.string(),
    addresses: v.array(v.string()),
    clientCertificate: v.pipe(
      v.exactOptional(v.string()),
      v.description("NAMESPACE/NAME of the Secret that is shown to backends"),
    ),
    acknowledged: v.pipe(
      v.boolean(),
      v.description("Whether the data plane has answered this very configuration"),
    ),
    refusals: v.pipe(
      v.array(v.object({
        object: ObjectRefSchema,
        listener: v.exactOptional(v.string()),
        reason: v.string(),
        message: v.string(),
      })),
      v.description("Parts that are not in service, as the data plane last said"),
    ),
    listeners: v.array(ListenerSchema),
  }),
  v.title("ProxyGateway"),
);
/** See {@linkcode ProxyGatewaySchema}. */
export type ProxyGateway = ReadonlyDeep<v.InferOutput<typeof ProxyGatewaySchema>>;

/** The ready endpoints of one Service port. */
export const ClusterSchema = v.pipe(
  v.object({
    name: v.string(),
    service: ObjectRefSchema,
    port,
    endpoints: v.pipe(
      v.array(v.object({ address: v.string(), port })),
      v.description("Empty: answered 503"),
    ),
    addressType: v.pipe(
      v.exactOptional(v.literal("FQDN")),
      v.description("The address is a name; absent: addresses are IP addresses"),
    ),
    appProtocol: v.pipe(
      v.exactOptional(v.picklist(["h2c", "ws", "wss"])),
      v.description("What backends speak; absent: HTTP/1.1"),
    ),
    tls: v.pipe(
      v.exactOptional(v.object({
        hostname: v.string(),
        subjectAltNames: v.array(
          v.object({ type: v.picklist(["Hostname", "URI"]), value: v.string() }),
        ),
        trust: v.pipe(
          v.picklist(["System", "CACertificates"]),
          v.description("Authorities of the system, or those that the policy names"),
        ),
      })),
      v.description("How connections are secured (BackendTLSPolicy); absent: not at all"),
    ),
  }),
  v.title("Cluster"),
);
/** See {@linkcode ClusterSchema}. */
export type Cluster = ReadonlyDeep<v.InferOutput<typeof ClusterSchema>>;

/** The answer of `/api/v1/proxy`. */
export const ProxyStateSchema = v.pipe(
  v.object({
    revision: RevisionSchema,
    dataPlane: v.pipe(v.string(), v.description("embedded, none …")),
    gateways: v.pipe(v.array(ProxyGatewaySchema), v.description("Sorted by namespace and name")),
    clusters: v.pipe(v.array(ClusterSchema), v.description("Sorted by name")),
  }),
  v.title("ProxyState"),
);
/** See {@linkcode ProxyStateSchema}. */
export type ProxyState = ReadonlyDeep<v.InferOutput<typeof ProxyStateSchema>>;
