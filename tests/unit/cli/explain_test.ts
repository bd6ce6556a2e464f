// What a user would lose: the answer to "why does this request go there?" from manifests alone, before
// anything is deployed.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { RequestExplanation } from "../../../src/api/explain.ts";
import { runCli } from "../../../src/cli/run_cli.ts";
import { fakeCli } from "../../fakes/cli_context.ts";

const explanation: RequestExplanation = {
  revision: "0.3",
  decision: "backend",
  why: "a backend with a ready endpoint serves it",
  request: { method: "GET", host: "shop.io", path: "/cart", port: 80 },
  gateway: "default/edge",
  listener: "http",
  kind: "HTTPRoute",
  route: "default/cart",
  rule: 1,
  ruleName: "cart",
  match: 0,
  matched: {
    path: { type: "PathPrefix", value: "/cart" },
    method: "GET",
    headers: [{ name: "x-a", type: "Exact", value: "1" }],
    queryParams: [],
  },
  filters: [{ type: "URLRewrite", rewrite: { hostname: "b" } }],
  backends: [
    {
      service: "default/cart",
      port: 80,
      weight: 2,
      share: 2 / 3,
      outcome: "backend",
      filters: [],
      endpoints: ["10.0.0.1", "10.0.0.2", "::1", "10.0.0.4", "10.0.0.5"]
        .map((address) => ({ address, port: 3000 })),
      endpointCount: 7,
      target: "/cart",
      host: "b",
    },
    { weight: 1, share: 1 / 3, outcome: "500", filters: [], endpoints: [], endpointCount: 0 },
  ],
  considered: Array.from({ length: 25 }, (_, index) => ({
    gateway: "default/edge",
    listener: "http",
    kind: "HTTPRoute",
    route: `default/other-${index}`,
    rule: 0,
    match: 0,
    hostname: "shop.io",
    reason: "Path" as const,
    why: 'the path does not match Exact "/\u001b[31m"',
  })),
  consideredCount: 30,
  listeners: [{ gateway: "default/edge", listener: "admin", why: "host does not match" }],
  listenerCount: 1,
  notes: ["Port 80 is really 18080 at 127.0.0.1"],
};

const problems = [{ source: "a.yaml:2", object: "", field: "", message: "bad" }];
const answering = () => Promise.resolve({ explanation, problems });

Deno.test("weir explain asks about the request that its flags describe", async () => {
  const cli = fakeCli({ explain: answering });
  const args = ["-f", "a", "--host", "shop.io:80", "--path=/cart?x=1", "--port=8080", "-X", "POST"];
  const headers = ["-H", "x-a: 1, 2", "--header=x-b:", "--gateway=default/edge"];
  assertEquals(await runCli(["explain", ...args, ...headers], cli), 0);
  assertEquals(cli.explained.map(({ inputs, question }) => ({ inputs, question })), [{
    inputs: ["a"],
    question: {
      method: "POST",
      host: "shop.io:80",
      path: "/cart?x=1",
      port: 8080,
      gateway: "default/edge",
      headers: [{ name: "x-a", value: "1, 2" }, { name: "x-b", value: "" }],
    },
  }]);
  assertEquals(cli.explained[0]?.settings.pathWithEscapedSlashes, "unescape-and-redirect");
});

Deno.test("weir explain request is the same, and GET / on port 80 is what is not said", async () => {
  const cli = fakeCli({ explain: answering });
  assertEquals(await runCli(["explain", "request", "-f", "a", "--host=h"], cli), 0);
  assertEquals(cli.explained[0]?.question, {
    method: "GET",
    host: "h",
    path: "/",
    port: 80,
    headers: [],
  });
});

Deno.test("weir explain prints the decision, the way to it and who lost", async () => {
  const cli = fakeCli({ explain: answering });
  assertEquals(await runCli(["explain", "-f", "a", "--host=shop.io", "--path=/cart"], cli), 0);
  const lines = cli.out().split("\n");
  assertEquals(lines.slice(0, 12), [
    "GET shop.io/cart on port 80",
    "  decision  backend: a backend with a ready endpoint serves it",
    "  listener  http of Gateway default/edge",
    '  route     HTTPRoute default/cart, rule 1 "cart", match 0',
    '  match     PathPrefix "/cart", method GET, header x-a Exact "1"',
    "  filters   URLRewrite",
    "  backend   66.7% Service default/cart:80 at 10.0.0.1:3000, 10.0.0.2:3000, [::1]:3000, " +
    "10.0.0.4:3000 and 3 more, path /cart",
    "  backend   33.3% an invalid reference answered 500",
    "  Note: Port 80 is really 18080 at 127.0.0.1",
    "Other listeners on the port:",
    "  admin of Gateway default/edge: host does not match",
    "Other matches on the port, nearest first:",
  ]);
  assertStringIncludes(cli.out(), "HTTPRoute default/other-19");
  assert(!cli.out().includes("default/other-20"));
  assertStringIncludes(cli.out(), "  and 10 more (-o json shows 100)\n");
  // What stands in manifests does not reach the terminal as a command.
  assert(!cli.out().includes("\u001b"));
  assertEquals(cli.err(), "a.yaml:2: bad\n");
});

Deno.test("weir explain -o json prints the answer of the API", async () => {
  const cli = fakeCli({ explain: answering });
  assertEquals(await runCli(["explain", "-f", "a", "--host=h", "-o", "json"], cli), 0);
  assertEquals(JSON.parse(cli.out()), JSON.parse(JSON.stringify(explanation)));
});

Deno.test("weir explain exits with 2 for a question that is none", async () => {
  const cli = fakeCli({ explain: answering });
  const args = ["explain", "--path=x", "--port=0", "-H", "a b: c", "--gateway=x"];
  assertEquals(await runCli(args, cli), 2);
  for (const flag of ["--path", "--port", "-H", "--gateway"]) {
    assertStringIncludes(cli.err(), `weir explain: ${flag}: `);
  }
  const bare = fakeCli({ explain: answering });
  assertEquals(await runCli(["explain"], bare), 2);
  assertStringIncludes(bare.err(), "weir explain: --host: is not given");
  assertStringIncludes(bare.err(), "weir explain: -f: has no input");
  const both = fakeCli({ explain: answering });
  const api = "--api=http://127.0.0.1:9080";
  assertEquals(await runCli(["explain", "-f", "a", "--host=h", api], both), 2);
  assertStringIncludes(both.err(), `--api: is given beside "-f"`);
  assertEquals(await runCli(["explain", "--host=h", "--api=ftp://x"], fakeCli()), 2);
  assertEquals(bare.explained, []);
});

Deno.test("weir explain --api asks a running weir", async () => {
  const cli = fakeCli({ explain: answering });
  assertEquals(await runCli(["explain", "--api=http://127.0.0.1:9080/x", "--host=h"], cli), 0);
  assertEquals(cli.explained.map(({ api, inputs }) => [api, inputs]), [
    ["http://127.0.0.1:9080", []],
  ]);
});

Deno.test("weir explain exits with 1 when the manifests cannot be read", async () => {
  const cli = fakeCli({ explain: () => Promise.reject(new Error('Read "a": it is gone')) });
  assertEquals(await runCli(["explain", "-f", "a", "--host=h"], cli), 1);
  assertEquals(cli.err(), 'weir explain: Read "a": it is gone\n');
});
