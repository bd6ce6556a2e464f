// What a user would lose: the answer to "why is the status of my route so" in the words that kubectl
// has taught.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { StatusExplanation } from "../../../src/api/explain_status.ts";
import { readObjectWords } from "../../../src/cli/object_words.ts";
import { runCli } from "../../../src/cli/run_cli.ts";
import { fakeCli } from "../../fakes/cli_context.ts";

const time = "2026-01-02T03:04:05.678Z";

const secret = {
  ...{ kind: "Secret", namespace: "shop", name: "cert", field: "data", source: "object" as const },
  ...{ revision: "e.0", time, absent: true as const },
};
const grants = {
  ...{ kind: "ReferenceGrant", namespace: "keys", name: "*", source: "object" as const },
  ...{ revision: "e.41", time, lookedFor: 'ReferenceGrants in namespace "keys"', count: 2 },
};
const answer = {
  ...{ kind: "Gateway", namespace: "shop", name: "edge", source: "acknowledgement" as const },
  ...{ revision: "e.42", time },
};
const addresses = { ...answer, source: "addresses" as const };
const whole = {
  ...{ kind: "Service", namespace: "shop", name: "app", source: "object" as const },
  ...{ revision: "e.7", time, changed: ["spec.ports"] },
};

const explanation: StatusExplanation = {
  revision: "e.42",
  kind: "Gateway",
  namespace: "shop",
  name: "edge",
  conditions: [{
    ...{ type: "Accepted", status: "True", reason: "Accepted", message: "" },
    because: [answer, addresses, grants, whole, secret, secret, secret, secret, secret],
    truncated: true,
    superset: true,
    chain: [],
    lastChange: { revision: "e.1", time, sinceStart: true },
  }],
  listeners: [{
    name: "https",
    conditions: [{
      ...{ type: "ResolvedRefs", status: "False", reason: "InvalidCertificateRef" },
      message: 'Cannot use Secret "shop/cert": \u001b[31mit does not exist',
      because: [secret],
      truncated: false,
      superset: false,
      chain: [
        { step: "Gateway status", what: "status", concluded: "c", revision: "e.1", time },
        { step: "own listeners", what: "listeners", concluded: "a fault", revision: "e.1", time },
        { step: "listeners", what: "more", concluded: "no fault", revision: "e.1", time },
        { step: "input", what: "Secret", concluded: "does not exist", revision: "e.0", time },
      ],
      lastChange: { revision: "e.9", time, sinceStart: false, input: secret },
    }],
  }],
  parents: [{
    parentRef: { namespace: "a", name: "b", sectionName: "s", port: 80 },
    conditions: [],
  }],
  ancestors: [{ ancestorRef: { kind: "ListenerSet", name: "b" }, conditions: [] }],
  notes: ["A note"],
};

const answering = () => Promise.resolve({ explanation, problems: [] });

Deno.test("weir explain takes an object as kubectl does", async () => {
  const cases: readonly (readonly [readonly string[], object])[] = [
    [["HTTPRoute", "shop/cart"], { kind: "HTTPRoute", namespace: "shop", name: "cart" }],
    [["httproute", "cart", "-n", "shop"], { kind: "httproute", name: "cart" }],
    [["httproutes/cart"], { kind: "httproutes", name: "cart" }],
    [["gtw/shop/edge"], { kind: "gtw", namespace: "shop", name: "edge" }],
    [["--", "gc", "weir"], { kind: "gc", name: "weir" }],
  ];
  for (const [words, object] of cases) {
    const cli = fakeCli({ explainStatus: answering });
    assertEquals(await runCli(["explain", "-f", "a", ...words], cli), 0, words.join(" "));
    assertEquals(cli.explainedStatuses.map((request) => request.object), [object]);
    const namespace = words.includes("-n") ? "shop" : "default";
    assertEquals(cli.explainedStatuses.map((request) => request.namespace), [namespace]);
    assertEquals(cli.explained, []);
  }
  const running = fakeCli({ explainStatus: answering });
  assertEquals(await runCli(["explain", "--api=http://a:1", "gc", "weir"], running), 0);
  assertEquals(running.explainedStatuses.map(({ api, inputs }) => [api, inputs]), [
    ["http://a:1", []],
  ]);
});

Deno.test("weir explain prints each condition with its value, since when and because of what", async () => {
  const cli = fakeCli({ explainStatus: answering });
  assertEquals(await runCli(["explain", "-f", "a", "gtw/shop/edge", "-o", "table"], cli), 0);
  assertEquals(cli.out().split("\n"), [
    "Gateway shop/edge, revision e.42",
    "  Note: A note",
    "  Accepted  True   Accepted",
    "    since     2026-01-02T03:04:05Z     1  the process began; before is not known",
    "    because   2026-01-02T03:04:05Z    42  the data plane's answer for Gateway",
    "                                          shop/edge",
    "    because   2026-01-02T03:04:05Z    42  addresses given to Gateway shop/edge",
    '    because   2026-01-02T03:04:05Z    41  ReferenceGrants in namespace "keys" (2',
    "                                          there)",
    "    because   2026-01-02T03:04:05Z     7  Service shop/app (spec.ports)",
    ...Array(4).fill("    because   from the start              Secret shop/cert data is absent"),
    "              and 1 more (-o json shows them)",
    "              truncated: it follows from more than is listed",
    "              some may belong to other conditions of the object",
    "Listener https",
    "  ResolvedRefs  False  InvalidCertificateRef",
    '    Cannot use Secret "shop/cert": \\u001b[31mit does not exist',
    "    since     2026-01-02T03:04:05Z     9  Secret shop/cert data went",
    "    because   from the start              Secret shop/cert data is absent",
    "    by way of listeners: a fault",
    "Parent Gateway a/b, section s, port 80",
    "Ancestor ListenerSet b",
    "",
  ]);
});

Deno.test("weir explain prints the answer of the API for programs", async () => {
  for (const format of ["json", "yaml"]) {
    const cli = fakeCli({ explainStatus: answering });
    assertEquals(await runCli(["explain", "-f", "a", "gtw/shop/edge", "-o", format], cli), 0);
    assertStringIncludes(cli.out(), "lastChange");
    if (format === "json") {
      assertEquals(JSON.parse(cli.out()), JSON.parse(JSON.stringify(explanation)));
    }
  }
});

Deno.test("weir explain exits with 2 for words that name no object, and says how to name one", async () => {
  const cases: readonly (readonly [readonly string[], string])[] = [
    [["shop.example.com"], 'or "weir explain --host shop.example.com" to ask about a host'],
    [["HTTPRoute"], '"HTTPRoute" names no object, wanted KIND NAMESPACE/NAME or KIND/NAME'],
    [["a", "b", "c"], '"a b c" names no object'],
    [["a/b/c/d"], "names no object"],
    [["a/b", "c"], "names no object"],
    [["HTTPRoute", "Shop"], '"Shop" is not a name'],
    [["HTTPRoute", "a/"], '"" is not a name'],
    [["http-route", "a"], '"http-route" is not a kind'],
    [["HTTPRoute", "a", "--host=h", "--path=/"], "--host: is of a request"],
    [["--host=h", "-n", "a"], "-n: has no part in a request"],
    [[], "--host: is not given, wanted the host of the request, or KIND NAMESPACE/NAME"],
    [["HTTPRoute", "a", "-n", "A_B"], "is not a namespace"],
  ];
  for (const [words, fault] of cases) {
    const cli = fakeCli({
      explainStatus: answering,
      explain: () => Promise.reject(new Error("x")),
    });
    assertEquals(await runCli(["explain", "-f", "a", ...words], cli), 2, words.join(" "));
    assertStringIncludes(cli.err(), fault);
    assertEquals([cli.explainedStatuses.length, cli.explained.length], [0, 0]);
  }
  const cli = fakeCli({ explainStatus: answering });
  assertEquals(await runCli(["explain", "HTTPRoute", "a"], cli), 2);
  assertStringIncludes(cli.err(), "-f: has no input");
});

Deno.test("weir explain exits with 1 when there is no such object", async () => {
  const cli = fakeCli({ explainStatus: () => Promise.reject(new Error("Find kind: none")) });
  assertEquals(await runCli(["explain", "-f", "a", "x", "y"], cli), 1);
  assertEquals(cli.err(), "weir explain: Find kind: none\n");
});

Deno.test("readObjectWords() takes no more than names", () => {
  for (const name of ["a", "a.b-c", "x".repeat(253)]) {
    assertEquals(readObjectWords(["k", name]), { kind: "k", name });
  }
  for (const name of ["", "-a", "a-", "a b", "A", "é", "x".repeat(254)]) {
    assert("fault" in readObjectWords(["k", name]), name);
  }
});
