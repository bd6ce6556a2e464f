/**
 * What the tests put into the cluster: a class, Gateways, routes, and backends that answer.
 *
 * Backends listen on an address of the namespace: an API server takes no loopback address as an
 * endpoint.
 */

import { asList, asString, isRecord, type JsonRecord } from "../../src/kube/json_value.ts";
import type { TestCluster } from "./test_cluster.ts";
import { until } from "./until.ts";

/** The Gateways' address, outside of what load balancers are given. */
export const gatewayAddress = "10.97.0.10";
const backendAddress = "10.97.0.200";

const gatewayApi = "/apis/gateway.networking.k8s.io/v1";

/** Where an object of the Gateway API is. */
export function pathOf(plural: string, namespace: string, name = ""): string {
  return `${gatewayApi}/namespaces/${namespace}/${plural}${name === "" ? "" : `/${name}`}`;
}

/** The class, and a namespace with a Gateway `web` whose listener takes routes of that namespace. */
export function gatewayManifests(namespace: string, port = 80): string {
  return `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: weir }
spec: { controllerName: weir.dev/gateway-controller }
---
apiVersion: v1
kind: Namespace
metadata: { name: ${namespace} }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web, namespace: ${namespace} }
spec:
  gatewayClassName: weir
  listeners: [{ name: http, port: ${port}, protocol: HTTP }]
`;
}

/** A Service `app` with one endpoint, which is the test's own server. */
export function backendManifests(namespace: string, port: number): string {
  return `
apiVersion: v1
kind: Service
metadata: { name: app, namespace: ${namespace} }
spec: { clusterIP: None, ports: [{ name: http, port: 80 }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: app-1, namespace: ${namespace}, labels: { kubernetes.io/service-name: app } }
addressType: IPv4
ports: [{ name: http, port: ${port} }]
endpoints: [{ addresses: [${backendAddress}], conditions: { ready: true } }]
`;
}

/** An HTTPRoute from the Gateway `web` to the Service `app`. */
export function httpRoute(namespace: string, name: string, host: string): JsonRecord {
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    metadata: { name, namespace },
    spec: {
      parentRefs: [{ name: "web" }],
      hostnames: [host],
      rules: [{ backendRefs: [{ name: "app", port: 80 }] }],
    },
  };
}

/** How many requests a test has in flight when it makes many objects. */
const writersCount = 20;

/** Runs `work` for 0 to `count`, so many at a time. */
export async function forAll(
  count: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  await Promise.all(Array.from({ length: writersCount }, async () => {
    while (next < count) await work(next++);
  }));
}

/** A server that answers 200; the port is chosen by the system. */
export function startBackend(): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve(
    { hostname: backendAddress, port: 0, onListen: () => {} },
    () => new Response("hello from the backend\n"),
  );
}

/** `type=status/reason` of each condition. */
export function conditionsOf(holder: unknown): string[] {
  if (!isRecord(holder)) return [];
  return asList(holder.conditions).filter(isRecord)
    .map(({ type, status, reason }) => `${type}=${status}/${reason}`).sort();
}

/** The entries of a route's status that `controller` wrote. */
export function entriesOf(
  route: JsonRecord | undefined,
  controller = "weir.dev/gateway-controller",
): readonly JsonRecord[] {
  const status = isRecord(route?.status) ? route.status : {};
  return asList(status.parents).filter(isRecord)
    .filter(({ controllerName }) => asString(controllerName) === controller);
}

/** Whether weir says of the route's present spec that it is accepted with its backends. */
export function isServed(route: JsonRecord | undefined): boolean {
  const generation = isRecord(route?.metadata) ? route.metadata.generation : undefined;
  const entries = entriesOf(route);
  return entries.length > 0 && entries.every((entry) => {
    const conditions = asList(entry.conditions).filter(isRecord);
    return conditions.every(({ observedGeneration }) => observedGeneration === generation) &&
      ["Accepted", "ResolvedRefs"].every((wanted) =>
        conditions.some(({ type, status }) => type === wanted && status === "True")
      );
  });
}

/** Waits until the Gateway is programmed; its status. */
export function untilProgrammed(
  cluster: TestCluster,
  namespace: string,
  name = "web",
  limitMs = 20_000,
): Promise<JsonRecord> {
  return until(`Gateway ${namespace}/${name} is programmed`, limitMs, async () => {
    const gateway = await cluster.api(pathOf("gateways", namespace, name));
    const status = isRecord(gateway?.status) ? gateway.status : {};
    return conditionsOf(status).includes("Programmed=True/Programmed") && status;
  });
}

/** Waits until the route is served. */
export async function untilServed(
  cluster: TestCluster,
  namespace: string,
  name: string,
  limitMs = 20_000,
): Promise<void> {
  await until(
    `HTTPRoute ${namespace}/${name} is served`,
    limitMs,
    async () => isServed(await cluster.api(pathOf("httproutes", namespace, name))),
  );
}
