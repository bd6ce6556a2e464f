/**
 * What a user would lose if these failed: seeing what weir works with, page by page and without gaps,
 * under the names that kubectl takes.
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { parse } from "valibot";
import { ProblemSchema } from "../../../src/api/problem.ts";
import { StateListSchema, StateSummarySchema } from "../../../src/api/state.ts";
import type { Diagnostic } from "../../../src/gateway/diagnostics/diagnostic_codes.ts";
import { pageCharsMax } from "../../../src/http/state_routes.ts";
import { objectKey } from "../../../src/kube/object.ts";
import { createTestApi, manifest, type TestApi } from "../../fakes/http_api.ts";

/** An API with HTTPRoutes in namespaces whose order by key differs from the order by namespace. */
function createApiWithRoutes(): TestApi {
  const api = createTestApi();
  for (const namespace of ["b", "a-b", "a"]) {
    for (const name of ["z", "x", "y"]) {
      api.cluster.create("HTTPRoute", manifest("HTTPRoute", namespace, name));
    }
  }
  api.cluster.create("GatewayClass", manifest("GatewayClass", undefined, "weir"));
  return api;
}

const inOrder = ["a/x", "a/y", "a/z", "a-b/x", "a-b/y", "a-b/z", "b/x", "b/y", "b/z"];

interface Page {
  readonly names: string[];
  readonly remaining: number;
  readonly next: string | undefined;
}

async function page(api: TestApi, query: string): Promise<Page> {
  const response = await api.app.request(`/api/v1/state/httproutes?${query}`);
  assertEquals(response.status, 200);
  const list = parse(StateListSchema, await response.json());
  return {
    names: list.items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
    remaining: list.remainingItemCount,
    next: list.continue,
  };
}

Deno.test("/api/v1/state tells what is valid and probably not meant", async () => {
  const api = createTestApi();
  const found: Diagnostic = {
    code: "ListenerUnused",
    kind: "Gateway",
    namespace: "default",
    name: "edge",
    part: "listener http",
    message: "No route is attached to it",
  };
  api.diagnostics.push(...Array.from({ length: 1001 }, () => found));
  const response = await api.app.request("/api/v1/state");
  const summary = parse(StateSummarySchema, await response.json());
  assertEquals([summary.diagnosticCount, summary.diagnostics.length], [1001, 1000]);
  assertEquals(summary.diagnostics[0], {
    code: "ListenerUnused",
    object: "Gateway default/edge",
    part: "listener http",
    message: "No route is attached to it",
  });
});

Deno.test("/api/v1/state says epoch, revision, counts of every kind, and problems", async () => {
  const api = createApiWithRoutes();
  const problem = {
    source: "a.yaml:3",
    object: "",
    field: "",
    message: "Read file: it is no YAML",
  };
  api.problems.push(...Array.from({ length: 1001 }, () => problem));
  const response = await api.app.request("/api/v1/state");
  const summary = parse(StateSummarySchema, await response.json());
  assertEquals([summary.epoch, summary.revision], ["e1", "e1.7"]);
  assertEquals(summary.counts, {
    GatewayClass: 1,
    Gateway: 0,
    HTTPRoute: 9,
    GRPCRoute: 0,
    TLSRoute: 0,
    TCPRoute: 0,
    UDPRoute: 0,
    ListenerSet: 0,
    BackendTLSPolicy: 0,
    ReferenceGrant: 0,
    Namespace: 4,
    Service: 0,
    EndpointSlice: 0,
    Secret: 1,
    ConfigMap: 1,
  });
  assertEquals([summary.problemCount, summary.problems.length], [1001, 1000]);
  assertEquals(summary.problems[0], problem);
  assertEquals([summary.diagnosticCount, summary.diagnostics], [0, []]);
});

Deno.test("A list is sorted by namespace and name and can be limited to a namespace", async () => {
  const api = createApiWithRoutes();
  assertEquals(await page(api, ""), { names: inOrder, remaining: 0, next: undefined });
  assertEquals((await page(api, "namespace=a-b")).names, ["a-b/x", "a-b/y", "a-b/z"]);
  assertEquals((await page(api, "namespace=none")).names, []);
});

Deno.test("Pages of any size hold every object once, also when objects come and go", async () => {
  const api = createApiWithRoutes();
  for (let limit = 1; limit <= 10; limit++) {
    const seen: string[] = [];
    let query = `limit=${limit}`;
    for (let pages = 0; pages <= 9; pages++) {
      const { names, remaining, next } = await page(api, query);
      seen.push(...names);
      assertEquals(remaining, inOrder.length - seen.length);
      if (next === undefined) break;
      query = `limit=${limit}&continue=${next}`;
    }
    assertEquals(seen, inOrder, `limit ${limit}`);
  }
  const first = await page(api, "limit=2");
  api.cluster.delete("HTTPRoute", objectKey("a", "y"));
  api.cluster.create("HTTPRoute", manifest("HTTPRoute", "a", "yy"));
  const second = await page(api, `limit=2&continue=${first.next}`);
  assertEquals(second.names, ["a/yy", "a/z"]);
  const inNamespace = await page(api, `namespace=b&limit=1&continue=${first.next}`);
  assertEquals([inNamespace.names, inNamespace.remaining], [["b/x"], 2]);
});

Deno.test("A kind may be called by kind, plural or short name in any case", async () => {
  const api = createApiWithRoutes();
  for (
    const [called, kind] of [
      ["HTTPRoute", "HTTPRoute"],
      ["httproute", "HTTPRoute"],
      ["HttpRoutes", "HTTPRoute"],
      ["gtw", "Gateway"],
      ["SVC", "Service"],
      ["ns", "Namespace"],
      ["gc", "GatewayClass"],
    ] as const
  ) {
    const response = await api.app.request(`/api/v1/state/${called}`);
    assertEquals(parse(StateListSchema, await response.json()).kind, kind);
  }
});

Deno.test("An object comes as the cluster keeps it, with its status", async () => {
  const api = createApiWithRoutes();
  const status = { parents: [], note: "kept" };
  api.cluster.updateStatus("HTTPRoute", { ...manifest("HTTPRoute", "a", "x"), status });
  const response = await api.app.request("/api/v1/state/httproute/a/x");
  assertEquals(response.headers.get("weir-revision"), "e1.7");
  const stored = api.cluster.get("HTTPRoute", objectKey("a", "x"));
  assertEquals(await response.json(), { ...stored });
  assertEquals(stored?.["status"], status);
  const gatewayClass = await api.app.request("/api/v1/state/gatewayclasses/weir");
  assertEquals((await gatewayClass.json()).metadata.name, "weir");
});

Deno.test("A page of large objects is cut by size, and the next one goes on", async () => {
  const api = createTestApi();
  const spec = { note: "x".repeat(pageCharsMax / 4) };
  for (const name of ["a", "b", "c", "d", "e"]) {
    assertEquals(
      api.cluster.create("HTTPRoute", { ...manifest("HTTPRoute", "a", name), spec }).ok,
      true,
    );
  }
  const first = await page(api, "");
  assertEquals([first.names, first.remaining], [["a/a", "a/b", "a/c"], 2]);
  const second = await page(api, `continue=${first.next}`);
  assertEquals(second, { names: ["a/d", "a/e"], remaining: 0, next: undefined });
});

const refusals: readonly [string, number, string, string][] = [
  ["gatway", 404, "UnknownKind", 'did you mean "gateways"?'],
  ["pods", 404, "UnknownKind", "wanted one of gatewayclasses, gateways,"],
  ["httproutes/a/none", 404, "NotFound", "no such HTTPRoute"],
  ["httproutes/a%2Fx", 404, "NotFound", "HTTPRoute has namespaces"],
  ["httproutes/x", 404, "NotFound", "wanted .../httproutes/NAMESPACE/NAME"],
  ["gatewayclasses/a/weir", 404, "NotFound", "wanted .../gatewayclasses/NAME"],
  ["httproutes?limit=0", 400, "InvalidParameter", "from 1 to 1000"],
  ["httproutes?limit=1001", 400, "InvalidParameter", "from 1 to 1000"],
  ["httproutes?limit=1e2", 400, "InvalidParameter", "from 1 to 1000"],
  ["httproutes?limit=", 400, "InvalidParameter", "from 1 to 1000"],
  ["httproutes?continue=%00", 400, "InvalidParameter", "not from a list of httproutes"],
  ["httproutes?continue=WzEsMiwzXQ", 400, "InvalidParameter", "not from a list of httproutes"],
  ["gatewayclasses?namespace=a", 400, "InvalidParameter", "GatewayClass has no namespaces"],
];
for (const [path, status, reason, part] of refusals) {
  Deno.test(`/api/v1/state/${path} is refused with ${reason}`, async () => {
    const response = await createApiWithRoutes().app.request(`/api/v1/state/${path}`);
    const problem = parse(ProblemSchema, await response.json());
    assertEquals([response.status, problem.reason], [status, reason]);
    assertStringIncludes(problem.detail, part);
  });
}
