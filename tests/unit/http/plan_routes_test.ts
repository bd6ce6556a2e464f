// What a user would lose: a plan by one POST from a pipeline, and a clear word when there is none.

import { assertEquals, assertStringIncludes } from "@std/assert";
import { parse } from "valibot";
import { PlanSchema } from "../../../src/api/plan.ts";
import { createPlanGroup } from "../../../src/http/plan_routes.ts";
import type { PlanAnswer, PlanQuestion } from "../../../src/http/views.ts";
import { createTestApi } from "../../fakes/http_api.ts";

const unchanged: PlanAnswer = {
  ok: true,
  plan: new TextEncoder().encode(JSON.stringify({
    baseRevision: "e1.7",
    verdict: "unchanged",
    changes: [],
    changeCount: 0,
    traffic: [],
    trafficCount: 0,
    isTrafficWhole: true,
    worseCount: 0,
    newDiagnostics: [],
    problems: [],
    problemCount: 0,
  })),
};

/** Posts `body` to an API whose plans answer `result`; also what the plan was asked. */
async function post(
  query: string,
  body: string | undefined,
  contentType: string | undefined,
  result: PlanAnswer = unchanged,
) {
  const asked: PlanQuestion[] = [];
  const { app } = createTestApi([createPlanGroup({
    plan(question) {
      asked.push(question);
      return Promise.resolve(result);
    },
  })]);
  const response = await app.request(`/api/v1/plan${query}`, {
    method: "POST",
    headers: contentType === undefined ? {} : { "content-type": contentType },
    ...(body === undefined ? {} : { body }),
  });
  return {
    asked,
    status: response.status,
    headers: response.headers,
    answer: await response.json(),
  };
}

Deno.test("POST /api/v1/plan hands manifests and deletions on, and answers what its schema says", async () => {
  const query = "?delete=httproute/a/b,svc/a/c&delete=gatewayclass/weir";
  const { asked, status, answer } = await post(
    query,
    "kind: X\n",
    "Application/YAML; charset=utf-8",
  );
  assertEquals(status, 200);
  assertEquals(parse(PlanSchema, answer).verdict, "unchanged");
  assertEquals(asked, [{
    manifests: "kind: X\n",
    deletions: ["httproute/a/b", "svc/a/c", "gatewayclass/weir"],
  }]);
});

Deno.test("POST /api/v1/plan takes no body for deletions alone", async () => {
  const { asked, status } = await post("?delete=svc/a/c", undefined, undefined);
  assertEquals([status, asked], [200, [{ manifests: "", deletions: ["svc/a/c"] }]]);
});

Deno.test("POST /api/v1/plan refuses what is neither YAML nor JSON, and what is too much", async () => {
  const form = await post("", "kind: X", "application/x-www-form-urlencoded");
  assertEquals([form.status, form.answer.reason], [415, "UnsupportedMediaType"]);
  assertStringIncludes(form.answer.detail, "application/yaml");
  const large = await post("", "x".repeat(2000), "application/json");
  assertEquals([large.status, large.answer.reason], [413, "ContentTooLarge"]);
  const many = await post(`?delete=${"a,".repeat(1001)}`, undefined, undefined);
  assertEquals([many.status, many.answer.reason], [400, "InvalidParameter"]);
  assertEquals([form.asked, large.asked, many.asked], [[], [], []]);
});

Deno.test("POST /api/v1/plan says why there is no plan", async () => {
  const refused: PlanAnswer = { ok: false, reason: "PlanInProgress", detail: "another one is" };
  const { status, headers, answer } = await post("", "a: b", "text/yaml", refused);
  assertEquals([status, answer.reason, answer.detail], [
    503,
    "PlanInProgress",
    "Compute plan: another one is",
  ]);
  assertEquals(headers.get("retry-after"), "1");
  // Asking again would not help.
  const large = await post("", "a: b", "text/yaml", { ...refused, reason: "PlanTooLarge" });
  assertEquals([large.status, large.headers.get("retry-after")], [503, null]);
});

Deno.test("POST /api/v1/plan tells the plan when the client goes away", async () => {
  const client = new AbortController();
  const { app, log } = createTestApi([createPlanGroup({
    plan(_question, signal) {
      client.abort();
      return signal.aborted
        ? Promise.reject(new Error("nobody waits"))
        : Promise.resolve(unchanged);
    },
  })]);
  const request = new Request("http://127.0.0.1/api/v1/plan", {
    method: "POST",
    signal: client.signal,
  });
  assertEquals((await app.request(request)).status, 500);
  // Nobody reads the answer, and it is no fault of ours.
  assertEquals(log.records.map(({ level }) => level), ["debug"]);
});

Deno.test("/openapi.json tells what body a plan takes", async () => {
  const { app } = createTestApi([createPlanGroup({ plan: () => Promise.resolve(unchanged) })]);
  const { paths } = await (await app.request("/openapi.json")).json();
  const { requestBody, responses } = paths["/api/v1/plan"].post;
  assertEquals([requestBody.required, Object.keys(requestBody.content)[0]], [
    false,
    "application/yaml",
  ]);
  assertEquals(responses["200"].content["application/json"].schema, {
    $ref: "#/components/schemas/Plan",
  });
});
