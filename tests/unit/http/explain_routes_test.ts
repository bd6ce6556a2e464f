/**
 * What a user would lose: an answer to "who serves this?" by one GET, and a clear word about a
 * question that is wrong.
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { parse } from "valibot";
import { RequestExplanationSchema } from "../../../src/api/explain.ts";
import { ProblemSchema } from "../../../src/api/problem.ts";
import { createTestApi } from "../../fakes/http_api.ts";

const base = "/api/v1/explain/request?host=shop.example.com&path=%2F&port=443";

async function refusal(path: string): Promise<string> {
  const response = await createTestApi().app.request(path);
  const { status, reason, detail } = parse(ProblemSchema, await response.json());
  assertEquals(response.status, status);
  return `${status} ${reason} ${detail}`;
}

Deno.test("/api/v1/explain/request answers what its schema says", async () => {
  const { app } = createTestApi();
  const response = await app.request(
    `${base}&method=POST&header=x-a:1&header=x-b:%202&gateway=default/edge`,
  );
  const answer = parse(RequestExplanationSchema, await response.json());
  assertEquals(answer.decision, "backend");
  assertEquals([answer.gateway, answer.listener, answer.route, answer.rule], [
    "default/edge",
    "https",
    "default/shop",
    0,
  ]);
  assertEquals(answer.request.method, "POST");
});

Deno.test("/api/v1/explain/request refuses a question that is no request", async () => {
  const cases: readonly [change: string, wanted: string][] = [
    ["&port=0", `400 DuplicateParameter Read query: "port" is given twice`],
    ["&method=G%20T", `400 InvalidParameter Read query: "method" is not a method`],
    ["&gateway=edge", `400 InvalidParameter Read query: "gateway" is not NAMESPACE/NAME`],
    ["&header=nothing", `400 InvalidParameter Read query: "header" is not a header`],
    ["&headers=a:b", `400 UnknownParameter Read query: "headers" is no parameter of this path`],
    ["&header=a:b".repeat(101), `400 InvalidParameter Read query: "header" is given 101 times`],
  ];
  for (const [change, wanted] of cases) assertStringIncludes(await refusal(base + change), wanted);
  const rest: readonly [query: string, wanted: string][] = [
    [
      "host=a&path=/",
      `400 MissingParameter Read query: "port" is missing, wanted host, path, port`,
    ],
    ["host=a&path=/&port=70000", `400 InvalidParameter Read query: "port" is not a port`],
    ["host=a&path=b&port=1", `400 InvalidParameter Read query: "path" does not begin with "/"`],
    ["host=a%20b&path=/&port=1", `400 InvalidParameter Read query: "host" is not a host`],
    [
      `host=a&path=/${"x".repeat(9000)}&port=1`,
      `400 InvalidParameter Read query: "path" is longer than 8192 characters`,
    ],
  ];
  for (const [query, wanted] of rest) {
    assertStringIncludes(await refusal(`/api/v1/explain/request?${query}`), wanted);
  }
});

Deno.test("/api/v1/explain/request says when there is nothing to explain yet", async () => {
  const api = createTestApi();
  api.hasPublished = false;
  const response = await api.app.request(base);
  assertEquals([response.status, (await response.json()).reason], [503, "NotReady"]);
});

Deno.test("/openapi.json tells which parameters are required and which may be repeated", async () => {
  const { app } = createTestApi();
  const { paths } = await (await app.request("/openapi.json")).json();
  const { parameters } = paths["/api/v1/explain/request"].get;
  const facts = parameters.map(({ name, required, schema }: {
    name: string;
    required: boolean;
    schema: { type: string };
  }) => `${name} ${required} ${schema.type}`);
  assertEquals(facts, [
    "host true string",
    "path true string",
    "port true string",
    "method false string",
    "gateway false string",
    "header false array",
  ]);
});
