// Between a write and its echo a controller that trusts its cache fights with itself: each of its next
// writes is refused, or undoes the one before.

import { assertEquals, assertRejects } from "@std/assert";
import { ClusterError, clusterErrorOf } from "../../../src/kube/cluster_error.ts";
import { ClusterStatusClient } from "../../../src/kube/cluster_status_client.ts";
import type { ClusterRequest } from "../../../src/kube/cluster_transport.ts";
import { type KubeObject, objectKey } from "../../../src/kube/object.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

const key = objectKey("shop", "a");
const { signal } = new AbortController();
const options = { timeoutMs: 4_000, signal };

function route(resourceVersion: string, uid = "u"): KubeObject {
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    metadata: {
      name: "a",
      namespace: "shop",
      uid,
      resourceVersion,
      creationTimestamp: "2026-01-01T00:00:00Z",
    },
    status: { parents: [] },
  };
}

/** A client whose requests are answered by `answer`, over a cache that holds `cached`. */
function clientOver(answer: (request: ClusterRequest) => unknown, version?: string) {
  const clock = new FakeClock();
  const requests: ClusterRequest[] = [];
  const cache: { cached: KubeObject | undefined } = { cached: route("5") };
  const client = new ClusterStatusClient(
    {
      // deno-lint-ignore require-await -- what `answer` throws is a rejection
      request: async (request) => {
        requests.push(request);
        return answer(request);
      },
      open: () => Promise.reject(new Error("nothing is streamed")),
    },
    {
      get: () => cache.cached,
      states: () => new Map([["HTTPRoute", version === undefined ? {} : { version }]]),
    },
    clock,
  );
  const seen = async () => {
    const read = await client.get("HTTPRoute", key, { live: false, signal });
    return read.outcome === "ok" ? read.object.metadata.resourceVersion : read.outcome;
  };
  return { client, clock, requests, cache, seen };
}

Deno.test("updateStatus() puts the status at its version, and get() sees the effect at once", async () => {
  const { client, requests, cache, seen, clock } = clientOver(() => route("9"));
  assertEquals(await seen(), "5");
  const written = await client.updateStatus("HTTPRoute", route("5"), options);
  assertEquals(written, { outcome: "ok", object: route("9") });
  const [request] = requests;
  assertEquals(
    [request?.method, request?.path],
    ["PUT", "/apis/gateway.networking.k8s.io/v1/namespaces/shop/httproutes/a/status"],
  );
  assertEquals(request?.body, route("5"));
  // The server ends it as well: what waits in its queues would be stored when another one leads.
  const query = { fieldManager: "weir.dev/status", timeout: "4000ms" };
  assertEquals([request?.timeoutMs, request?.query], [4_000, query]);
  assertEquals(await seen(), "9");
  cache.cached = route("7");
  assertEquals(await seen(), "9");
  cache.cached = route("10");
  assertEquals(await seen(), "10");
  // An echo that never comes must not hold a key for ever.
  await client.updateStatus("HTTPRoute", route("10"), options);
  cache.cached = route("8");
  assertEquals(await seen(), "9");
  await clock.advance(2_000);
  assertEquals(await seen(), "8");
});

Deno.test("applyStatus() says only what is ours, of exactly this object, and get() sees the effect", async () => {
  const { client, requests, seen } = clientOver(() => route("9"));
  const intent = { conditions: [] };
  const written = await client.applyStatus("HTTPRoute", route("5"), intent, options);
  assertEquals(written.outcome, "ok");
  const [request] = requests;
  assertEquals(
    [request?.method, request?.path, request?.contentType],
    [
      "PATCH",
      "/apis/gateway.networking.k8s.io/v1/namespaces/shop/httproutes/a/status",
      "application/apply-patch+yaml",
    ],
  );
  assertEquals(request?.query, {
    fieldManager: "weir.dev/status",
    force: "true",
    timeout: "4000ms",
  });
  assertEquals(request?.body, {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    metadata: { name: "a", namespace: "shop", uid: "u" },
    status: intent,
  });
  assertEquals(await seen(), "9");
});

Deno.test("What was written does not outlive its object", async () => {
  const { client, cache, seen } = clientOver(() => route("9"));
  await client.updateStatus("HTTPRoute", route("5"), options);
  cache.cached = route("8", "another");
  assertEquals(await seen(), "8");
  await client.updateStatus("HTTPRoute", route("5"), options);
  cache.cached = undefined;
  assertEquals(await seen(), "gone");
});

// Ten thousand statuses at a start left ten thousand objects behind, for as long as nobody asked for them.
Deno.test("What was written is forgotten with time, also when nobody asks for it", async () => {
  const { client, clock } = clientOver(({ path }) => {
    const object = route("9");
    const name = path.split("/").at(-2) ?? "";
    return { ...object, metadata: { ...object.metadata, name } };
  });
  const write = (name: string) => {
    const object = route("5");
    const metadata = { ...object.metadata, name };
    return client.updateStatus("HTTPRoute", { ...object, metadata }, options);
  };
  for (let i = 0; i < 20; i++) await write(`r${i}`);
  assertEquals(client.rememberedCount, 20);
  await clock.advance(2_000);
  await write("last");
  assertEquals(client.rememberedCount, 1);
});

Deno.test("get() live asks the server, in the version that is served", async () => {
  const { client, requests, seen } = clientOver(() => route("20"), "v1beta1");
  const read = await client.get("HTTPRoute", key, { live: true, signal });
  assertEquals(read.outcome === "ok" && read.object.metadata.resourceVersion, "20");
  assertEquals(
    requests[0]?.path,
    "/apis/gateway.networking.k8s.io/v1beta1/namespaces/shop/httproutes/a",
  );
  assertEquals(await seen(), "20");
});

const status = (reason: string, message = "") => ({ kind: "Status", reason, message });
const failures: readonly [error: ClusterError, outcome: string][] = [
  [clusterErrorOf(404, undefined), "gone"],
  [clusterErrorOf(403, undefined), "forbidden"],
  [clusterErrorOf(401, undefined), "forbidden"],
  [clusterErrorOf(409, status("Conflict")), "conflict"],
  [clusterErrorOf(409, status("Conflict", "Precondition failed: UID in precondition")), "conflict"],
  [clusterErrorOf(409, status("AlreadyExists")), "conflict"],
  [clusterErrorOf(422, status("Invalid")), "invalid"],
  [clusterErrorOf(429, undefined, "3"), "overloaded"],
  [clusterErrorOf(503, undefined), "overloaded"],
  [new ClusterError("unreachable", "x"), "failed"],
  [new ClusterError("garbled", "x"), "failed"],
];
for (const [error, outcome] of failures) {
  Deno.test(`updateStatus() tells ${error.kind} as ${outcome}`, async () => {
    const { client } = clientOver(() => {
      throw error;
    });
    const written = await client.updateStatus("HTTPRoute", route("5"), options);
    assertEquals(written.outcome, outcome);
    assertEquals("retryAfterMs" in written, error.retryAfterMs !== undefined);
  });
}

Deno.test("An abort is the only rejection", async () => {
  const { client } = clientOver(() => {
    throw new DOMException("stopped", "AbortError");
  });
  await assertRejects(() => client.get("HTTPRoute", key, { live: true, signal }), DOMException);
});
