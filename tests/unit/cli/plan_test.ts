// What a user would lose: a pipeline that stops before a change hurts somebody, and a person who sees
// at a glance what a change does.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Plan } from "../../../src/api/plan.ts";
import { runCli } from "../../../src/cli/run_cli.ts";
import { fakeCli } from "../../fakes/cli_context.ts";

const entry = (backends: readonly object[]) => ({
  match: {
    path: { type: "PathPrefix", value: "/a" },
    method: "GET",
    headers: [{ name: "x", type: "Exact", value: "1" }],
    queryParams: [],
  },
  filters: [{ type: "URLRewrite", rewrite: { hostname: "b" } }],
  backends,
});

const plan: Plan = {
  baseRevision: "0.9",
  verdict: "worse",
  changes: [
    {
      kind: "HTTPRoute",
      namespace: "shop",
      name: "cart",
      path: "status.parents[shop/web].conditions[ResolvedRefs]",
      before: { status: "True", reason: "ResolvedRefs", message: "" },
      after: { status: "False", reason: "BackendNotFound", message: "\u001b[31mgone" },
      isWorse: true,
    },
    {
      kind: "HTTPRoute",
      namespace: "shop",
      name: "cart",
      path: "served[shop/web/http].rules[0].matches[0]",
      before: entry([{ weight: 9, cluster: "shop/cart/80" }, { weight: 1 }]),
      after: entry([]),
      isWorse: false,
    },
    {
      kind: "GatewayClass",
      name: "weir",
      path: "status.supportedFeatures",
      before: null,
      after: [{ name: "Gateway" }],
      isWorse: false,
    },
    {
      kind: "Service",
      namespace: "shop",
      name: "cart",
      path: "endpoints[80]",
      before: ["10.0.0.1:80"],
      after: null,
      isWorse: false,
    },
  ],
  changeCount: 6,
  traffic: [
    {
      port: 443,
      protocol: "HTTPS",
      request: {
        method: "GET",
        host: "shop.example.com",
        path: "/cart",
        headers: [{ name: "x", value: "\u001b[31m1" }],
        queryParams: [{ name: "q", value: "1" }],
      },
      before: {
        decision: "backend",
        gateway: "shop/web",
        listener: "https",
        route: "HTTPRoute shop/cart",
        rule: 1,
        backends: [{ weight: 9, cluster: "shop/cart/80" }, { weight: 1 }],
      },
      after: { decision: "404", gateway: "shop/web", listener: "https", backends: [] },
      isWorse: true,
    },
    {
      port: 443,
      protocol: "TLS",
      request: { host: "db.example.com", headers: [], queryParams: [] },
      before: null,
      after: {
        decision: "backend",
        gateway: "shop/web",
        listener: "tls",
        route: "TLSRoute shop/db",
        backends: [{ weight: 1, cluster: "shop/db/5432/TCP" }],
      },
      isWorse: false,
    },
    {
      port: 53,
      protocol: "UDP",
      request: { headers: [], queryParams: [] },
      before: {
        decision: "refused",
        gateway: "shop/web",
        listener: "dns",
        route: "UDPRoute shop/dns",
        backends: [{ weight: 1, cluster: "shop/dns/53/UDP" }],
      },
      after: null,
      isWorse: false,
    },
  ],
  trafficCount: 4,
  isTrafficWhole: false,
  worseCount: 2,
  newDiagnostics: [{
    code: "RuleShadowed",
    object: "HTTPRoute shop/x",
    part: "rule 1",
    message: "It never serves",
  }],
  problems: [],
  problemCount: 0,
};

const answering = (changes: Partial<Plan> = {}, baseProblemCount = 0) => () =>
  Promise.resolve({ plan: { ...plan, ...changes }, baseProblemCount });
const args = ["plan", "-f", "new", "--against", "old"];

Deno.test("weir plan asks for what its flags say", async () => {
  const cli = fakeCli({ plan: answering() });
  await runCli([...args, "--prune", "--delete=svc/a/b", "--delete", "ns/c"], cli);
  assertEquals(cli.planned.map(({ settings: _, ...asked }) => asked), [{
    inputs: ["new"],
    against: ["old"],
    deletions: ["svc/a/b", "ns/c"],
    prunes: true,
  }]);
});

Deno.test("weir plan prints what was and what would be, object by object", async () => {
  const cli = fakeCli({ plan: answering() });
  await runCli(args, cli);
  assertEquals(
    cli.out(),
    `HTTPRoute shop/cart
  ! status.parents[shop/web].conditions[ResolvedRefs]
      was True ResolvedRefs
      is  False BackendNotFound: \\u001b[31mgone
  ~ served[shop/web/http].rules[0].matches[0]
      was PathPrefix "/a", method GET, 1 header: URLRewrite, 9 shop/cart/80, 1 invalid
      is  PathPrefix "/a", method GET, 1 header: URLRewrite
GatewayClass weir
  + status.supportedFeatures
      is  [{"name":"Gateway"}]
Service shop/cart
  - endpoints[80]
      was ["10.0.0.1:80"]
Traffic
  ! GET shop.example.com:443/cart?q=1 with x: \\u001b[31m1
      was 90% shop/cart/80, 10% nobody (HTTPRoute shop/cart, rule 1)
      is  404 (no route matches)
  + TLS db.example.com:443
      was nobody listens
      is  shop/db/5432/TCP (TLSRoute shop/db)
  - UDP port 53
      was refused shop/dns/53/UDP (UDPRoute shop/dns)
      is  nobody listens
  and 1 more request
  More traffic may move than could be looked for
New diagnostics
  RuleShadowed HTTPRoute shop/x, rule 1: It never serves
and 2 more changes
6 changes, 4 requests elsewhere, 2 for the worse
`,
  );
});

const exits: readonly [verdict: Plan["verdict"], failOn: string | undefined, exitCode: number][] = [
  ["worse", undefined, 1],
  ["changed", undefined, 0],
  ["unchanged", undefined, 0],
  ["worse", "any", 1],
  ["changed", "any", 1],
  ["unchanged", "any", 0],
  ["worse", "none", 0],
];

for (const [verdict, failOn, exitCode] of exits) {
  Deno.test(`weir plan --fail-on=${failOn ?? "(default)"} exits with ${exitCode} for ${verdict}`, async () => {
    const cli = fakeCli({ plan: answering({ verdict }) });
    const flag = failOn === undefined ? [] : [`--fail-on=${failOn}`];
    assertEquals(await runCli([...args, ...flag], cli), exitCode);
  });
}

Deno.test("weir plan exits with 3 for a proposal that is wrong, whatever it would do", async () => {
  const problems = [{ source: "new/a.yaml:2", object: "", field: "", message: "bad" }];
  const cli = fakeCli({ plan: answering({ problems, problemCount: 1, verdict: "unchanged" }) });
  assertEquals(await runCli(args, cli), 3);
  assertEquals(cli.err(), "new/a.yaml:2: bad\n");
  assertEquals(cli.out(), "Nothing would change\n");
});

Deno.test("weir plan --api asks a running weir, instead of a base of files", async () => {
  const cli = fakeCli({ plan: answering() });
  await runCli(["plan", "-f", "new", "--api", "http://127.0.0.1:9080/x"], cli);
  assertEquals(cli.planned.map(({ api, against }) => [api, against]), [
    ["http://127.0.0.1:9080", []],
  ]);
  const api = ["plan", "-f", "new", "--api", "http://127.0.0.1:9080"];
  for (const more of [["--against", "old"], ["--prune"]]) {
    const both = fakeCli({ plan: answering() });
    assertEquals(await runCli([...api, ...more], both), 2);
    assertStringIncludes(both.err(), `is given beside "--a`);
    assertEquals(both.planned, []);
  }
});

Deno.test("weir plan says that its base is not whole", async () => {
  const cli = fakeCli({ plan: answering({ verdict: "unchanged" }, 2) });
  assertEquals(await runCli(args, cli), 0);
  assertEquals(
    cli.err(),
    "--against has 2 problems, what they concern is not in the plan: weir check\n",
  );
});

Deno.test("weir plan -o json prints the answer of the API", async () => {
  const cli = fakeCli({ plan: answering() });
  await runCli([...args, "-o", "json"], cli);
  assertEquals(JSON.parse(cli.out()), JSON.parse(JSON.stringify(plan)));
});

Deno.test("weir plan exits with 2 without a proposal, and for standard input twice", async () => {
  const bare = fakeCli();
  assertEquals(await runCli(["plan", "--against", "old"], bare), 2);
  assertStringIncludes(bare.err(), "weir plan: -f: proposes nothing");
  const twice = fakeCli();
  assertEquals(await runCli(["plan", "-f", "-", "--against", "-"], twice), 2);
  assertStringIncludes(twice.err(), "names standard input more than once");
  assert(twice.planned.length === 0 && bare.planned.length === 0);
});
