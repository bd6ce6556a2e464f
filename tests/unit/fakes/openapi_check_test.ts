/** Without these the API could drift from its document: a check that finds nothing looks like truth. */

import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { schemaFaults } from "../../fakes/json_schema.ts";
import { OpenApiCheck, type ReadAnswer } from "../../fakes/openapi_check.ts";

const thing = {
  type: "object",
  properties: {
    name: { type: "string", pattern: "^[a-z]+$" },
    count: { type: "integer", minimum: 0, maximum: 9 },
    kind: { enum: ["a", "b"], type: "string" },
    time: { type: "string", format: "date-time" },
    more: { type: "object", properties: {}, required: [], additionalProperties: true },
    counts: {
      type: "object",
      propertyNames: { type: "string" },
      additionalProperties: { type: "integer" },
    },
    list: { type: "array", items: { $ref: "#/components/schemas/Choice" } },
    any: {},
  },
  required: ["name"],
};

const choice = {
  oneOf: [
    { type: "object", properties: { type: { const: "x" } }, required: ["type"] },
    { type: "object", properties: { type: { const: "y" } }, required: ["type"] },
  ],
};

const problem = (...reasons: readonly string[]) => ({
  content: {
    "application/problem+json": {
      schema: {
        type: "object",
        properties: { status: { type: "integer" }, reason: { type: "string" } },
        required: ["status", "reason"],
      },
    },
  },
  "x-reasons": reasons,
});

const document = {
  components: {
    schemas: { Choice: choice, Thing: thing },
    responses: { AnyProblem: problem("Other") },
  },
  paths: {
    "/things/{name}": { get: { responses: { 200: { content: {} } } } },
    "/things/all": {
      get: {
        responses: {
          200: {
            content: {
              "application/json": { schema: { $ref: "#/components/schemas/Thing" } },
              "text/event-stream": {
                schema: { type: "string" },
                "x-events": { change: { $ref: "#/components/schemas/Thing" } },
              },
            },
          },
          404: problem("Gone"),
          default: { $ref: "#/components/responses/AnyProblem" },
        },
      },
    },
  },
};

function faultsOf(value: unknown): string {
  return schemaFaults(document, thing, value).join("; ");
}

Deno.test("schemaFaults() finds every way in which a value is not what is promised", () => {
  const good = {
    ...{ name: "a", count: 3, kind: "a", time: "2026-01-01T00:00:00.5Z", more: { x: 1 } },
    ...{ counts: { a: 1 }, list: [{ type: "x" }], any: null },
  };
  assertEquals(faultsOf(good), "");
  const cases: readonly (readonly [object, string])[] = [
    [{ extra: 1 }, "$.extra: is not in the document"],
    [{ name: undefined }, "$.name: undefined, wanted string"],
    [{ name: "A" }, '$.name: "A" does not match ^[a-z]+$'],
    [{ count: 1.5 }, "$.count: number, wanted integer"],
    [{ count: -1 }, "$.count: -1 < 0"],
    [{ count: 10 }, "$.count: 10 > 9"],
    [{ kind: "c" }, '$.kind: "c", wanted one of ["a","b"]'],
    [{ time: "yesterday" }, '$.time: "yesterday" is no time'],
    [{ counts: { a: "1" } }, "$.counts.a: string, wanted integer"],
    [{ list: [{ type: "z" }] }, "$.list[0]: 0 of 2 alternatives fit"],
    [{ more: null }, "$.more: null, wanted object"],
  ];
  for (const [part, fault] of cases) assertStringIncludes(faultsOf({ ...good, ...part }), fault);
  assertEquals(faultsOf({}), "$.name: is missing");
  assertEquals(schemaFaults(document, { maxLength: 3 }, "a"), [
    '$: keyword "maxLength" is not known to the test',
  ]);
});

const json = "application/json";
const problemJson = "application/problem+json";

Deno.test("OpenApiCheck accepts what the document has, and nothing else", () => {
  const check = new OpenApiCheck(document);
  const answer = (contentType: string, body: string, status = 200): ReadAnswer => ({
    status,
    contentType,
    body,
  });
  check.checkAnswer("GET", "/things/all?x=1", answer(`${json}; charset=utf-8`, '{"name":"a"}'));
  check.checkAnswer("HEAD", "/things/all", answer(json, ""));
  check.checkAnswer("OPTIONS", "/things/all", answer("", "", 204));
  const gone = '{"status":404,"reason":"Gone"}';
  check.checkAnswer("GET", "/things/all", answer(problemJson, gone, 404));
  check.checkAnswer("PUT", "/none", answer(problemJson, '{"status":405,"reason":"Other"}', 405));
  const wrong: readonly (readonly [string, string, ReadAnswer, string])[] = [
    ["GET", "/things/all", answer(json, "{}"), "$.name: is missing"],
    ["GET", "/things/all", answer("text/plain", "a"), "the document has application/json"],
    ["GET", "/things/one", answer(json, "{}"), "the document has"],
    ["GET", "/things/all", answer(json, "{}", 201), "the document has application/problem+json"],
    ["GET", "/none", answer(json, "{}"), "the document has application/problem+json"],
    [
      "GET",
      "/things/all",
      answer(problemJson, '{"status":404,"reason":"Lost"}', 404),
      'reason "Lost" is not listed',
    ],
    ["GET", "/things/all", answer(problemJson, gone, 400), "404"],
    ["GET", "/things/all", answer(json, "<"), "is not JSON"],
  ];
  for (const [method, target, found, message] of wrong) {
    const error = assertThrows(() => check.checkAnswer(method, target, found), Error);
    assertStringIncludes(error.message, message);
  }
});

Deno.test("OpenApiCheck holds events to the stream that they are of", () => {
  const check = new OpenApiCheck(document);
  check.checkEvent("/things/all", "change", '{"name":"a"}');
  assertThrows(() => check.checkEvent("/things/all", "change", "{}"), Error, "$.name: is missing");
  assertThrows(() => check.checkEvent("/things/all", "end", "{}"), Error, "is not in the document");
});
