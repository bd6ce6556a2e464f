/**
 * The whole HTTP API over a real in-memory cluster, with a planted Secret and ConfigMap, a data plane's
 * configuration and settable health; what the composition does, without the rest of the process.
 */

import type { Check } from "../../src/api/readiness.ts";
import { MetricsRegistry } from "../../src/base/metrics.ts";
import { toExplanation } from "../../src/app/explain_view.ts";
import { toProxyState } from "../../src/app/proxy_view.ts";
import { createStateView } from "../../src/app/state_view.ts";
import type { Acknowledgement } from "../../src/dataplane/data_plane.ts";
import type {
  CertificateName,
  ClusterName,
  DataPlaneConfig,
  GatewayConfig,
  GatewayKey,
  HttpRouteEntry,
} from "../../src/dataplane/model.ts";
import type { Diagnostic } from "../../src/gateway/diagnostics/diagnostic_codes.ts";
import { RegexCache } from "../../src/dataplane/regex.ts";
import { createExplainGroup } from "../../src/http/explain_routes.ts";
import { createHttpApp } from "../../src/http/app.ts";
import type { HttpApp } from "../../src/http/http_app.ts";
import { createHealthGroup, createMetricsGroup } from "../../src/http/ops_routes.ts";
import { createProxyGroup } from "../../src/http/proxy_routes.ts";
import { createRequestMetrics } from "../../src/http/request_metrics.ts";
import type { RouteGroup } from "../../src/http/route_group.ts";
import { createStateGroup } from "../../src/http/state_routes.ts";
import { MemoryCluster } from "../../src/localkube/store.ts";
import type { ObjectInput, Problem } from "../../src/localkube/store_contract.ts";
import type { Kind } from "../../src/kube/kinds.ts";
import { ApiClient } from "./api_client.ts";
import { FakeClock } from "./fake_clock.ts";
import { openAdmission } from "./open_admission.ts";
import { RecordingLog } from "./recording_log.ts";

/** What must never be found in any answer: as written, and as the API encodes it. */
export const plantedSecrets: readonly string[] = ["hunter2-planted", btoa("hunter2-planted")];

const [plantedText = "", plantedData = ""] = plantedSecrets;

/** The Secret that holds {@linkcode plantedSecrets} in every place where one may stand. */
const plantedSecret: ObjectInput = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: {
    namespace: "default",
    name: "planted",
    labels: { app: "shop" },
    annotations: {
      "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({
        data: { "tls.key": plantedData },
      }),
      "example.com/note": plantedText,
    },
  },
  type: "kubernetes.io/tls",
  data: { "tls.crt": "Y2VydA==", "tls.key": plantedData },
  stringData: { password: plantedText },
  surprise: { nested: plantedText },
};

/** The same for a ConfigMap. */
const plantedConfigMap: ObjectInput = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: plantedSecret.metadata,
  data: { "ca.crt": plantedText },
  binaryData: { blob: plantedData },
  surprise: { nested: plantedText },
};

/** An object as a manifest would bring it. */
export function manifest(kind: Kind, namespace: string | undefined, name: string): ObjectInput {
  const isCore = kind === "Service" || kind === "Secret" || kind === "Namespace";
  return {
    apiVersion: isCore ? "v1" : "gateway.networking.k8s.io/v1",
    kind,
    metadata: namespace === undefined ? { name } : { namespace, name },
  };
}

/** Everything that a test may want to touch. */
export interface TestApi {
  readonly app: HttpApp;
  readonly cluster: MemoryCluster;
  readonly log: RecordingLog;
  readonly registry: MetricsRegistry;
  readonly problems: Problem[];
  readonly diagnostics: Diagnostic[];
  checks: Check[];
  /** Whether there is a configuration to explain. */
  hasPublished: boolean;
}

/** Makes the API; `extra` groups come after the usual ones. */
export function createTestApi(extra: readonly RouteGroup[] = []): TestApi {
  let uids = 0;
  const clock = new FakeClock();
  const cluster = new MemoryCluster({
    admission: openAdmission,
    clock,
    newUid: () => `00000000-0000-4000-8000-${String(uids++).padStart(12, "0")}`,
    freezesObjects: true,
  });
  cluster.create("Secret", plantedSecret);
  cluster.create("ConfigMap", plantedConfigMap);
  const log = new RecordingLog();
  const registry = new MetricsRegistry();
  const problems: Problem[] = [];
  const api: TestApi = {
    cluster,
    log,
    registry,
    problems,
    diagnostics: [],
    hasPublished: true,
    checks: [{ name: "engine", state: "ok", reason: "settled" }],
    app: createHttpApp({
      groups: [
        createHealthGroup({ checks: () => api.checks }),
        createMetricsGroup(registry),
        createStateGroup(createStateView({
          cluster,
          epoch: "e1",
          revision: () => 7,
          problems: () => problems,
          diagnostics: () => api.diagnostics,
          problemCount: () => problems.length,
        })),
        createProxyGroup({ state: () => toProxyState(testProxy()) }),
        createExplainGroup({
          request: (question) =>
            api.hasPublished
              ? toExplanation({
                ...testProxy(),
                escapedSlashes: "UnescapeAndRedirect",
                regexes: new RegexCache(),
              }, question)
              : undefined,
        }),
        ...extra,
      ],
      log,
      clock,
      version: "0.0.0-test",
      bodyMaxBytes: 1024,
      onAnswer: createRequestMetrics(registry, () => 0).onAnswer,
    }),
  };
  checkRequests(api.app);
  return api;
}

/** Has every answer that a test asks `app` for held to the app's own document. */
function checkRequests(app: HttpApp): void {
  const request = app.request;
  const client = new ApiClient((path, init) => request(path, init));
  app.request = (input, init) =>
    typeof input === "string" ? client.request(input, init) : request(input, init);
}

const gatewayKey = "default/edge" as GatewayKey;
const clusterName = "default/shop/80" as ClusterName;
const certificateName = "default/planted" as CertificateName;

/** A Gateway with an HTTPS listener on a shifted port and one route, acknowledged. */
export function testProxy(): Parameters<typeof toProxyState>[0] {
  const entry: HttpRouteEntry = {
    origin: { kind: "HTTPRoute", namespace: "default", name: "shop" },
    creationTimestamp: "2026-01-01T00:00:00Z",
    ruleIndex: 0,
    matchIndex: 0,
    hostname: "shop.example.com",
    match: { path: { type: "PathPrefix", value: "/" }, headers: [], queryParams: [] },
    action: { filters: [], backends: [{ weight: 1, cluster: clusterName, filters: [] }] },
  };
  const origin = { kind: "Gateway", namespace: "default", name: "edge" };
  const gateway: GatewayConfig = {
    key: gatewayKey,
    creationTimestamp: "2026-01-01T00:00:00Z",
    addresses: ["127.0.0.1", "::1"],
    listeners: [{
      name: "https",
      origin,
      port: 443,
      protocol: "HTTPS",
      certificates: [certificateName],
      routes: [entry],
      streams: [],
    }],
  };
  const config: DataPlaneConfig = {
    revision: 7,
    gateways: new Map([[gatewayKey, gateway]]),
    clusters: new Map([[clusterName, {
      name: clusterName,
      origin: { kind: "Service", namespace: "default", name: "shop" },
      port: 80,
      endpoints: [{ address: "127.0.0.1", port: 3000 }],
    }]]),
    certificates: new Map([[certificateName, {
      name: certificateName,
      certificateChain: "-----BEGIN CERTIFICATE-----",
      leaf: { dnsNames: [], notBefore: "2026-01-01T00:00:00Z", notAfter: "2036-01-01T00:00:00Z" },
      privateKey: `-----BEGIN PRIVATE KEY-----\n${plantedData}\n${plantedText}`,
      digest: "sha256:1",
    }]]),
  };
  const bound = { name: "https", origin, port: 443, boundPort: 18443 };
  const acknowledgement: Acknowledgement = {
    gateway: gatewayKey,
    config: gateway,
    listeners: gateway.addresses.map((address) => ({ ...bound, address })),
    refusals: [],
  };
  return {
    config,
    acknowledgements: new Map([[gatewayKey, acknowledgement]]),
    epoch: "e1",
    dataPlane: "embedded",
  };
}
