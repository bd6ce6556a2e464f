// What a user would lose: output of weir translate that scripts can compare byte by byte, and a summary
// that fits a terminal.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runCli } from "../../../src/cli/run_cli.ts";
import { InvariantError } from "../../../src/base/invariant.ts";
import { emptyResult, fakeCli, mixedResult } from "../../fakes/cli_context.ts";

const mixed = () => Promise.resolve(mixedResult);

Deno.test("weir translate hands inputs and settings to the application", async () => {
  const cli = fakeCli();
  const args = ["translate", "-f", "a", "-f=b", "--filename", "-", "--controller-name=x.y/z"];
  assertEquals(await runCli(args, cli), 0);
  assertEquals(cli.translated.map(({ inputs }) => inputs), [["a", "b", "-"]]);
  assertEquals(cli.translated[0]?.settings.controllerName, "x.y/z");
});

Deno.test("weir translate -o json prints the promised fields in their order, lists sorted", async () => {
  const cli = fakeCli({ translate: mixed });
  assertEquals(await runCli(["translate", "-f", "a", "-o", "json"], cli), 0);
  const printed = JSON.parse(cli.out());
  const fields = ["revision", "statuses", "gateways", "proxy", "unserved", "problems"];
  assertEquals(Object.keys(printed), fields);
  const keys = printed.statuses.map((status: Record<string, unknown>) => Object.keys(status));
  for (const each of keys) assertEquals(each, ["apiVersion", "kind", "metadata", "status"]);
  assertEquals(
    printed.statuses.map((status: { kind: string; metadata: unknown }) => [
      status.kind,
      JSON.stringify(status.metadata),
    ]),
    [
      ["Gateway", '{"namespace":"shop","name":"web"}'],
      ["GatewayClass", '{"name":"weir"}'],
      ["HTTPRoute", '{"namespace":"other","name":"stray"}'],
      ["HTTPRoute", '{"namespace":"shop","name":"checkout-with-a-name-that-is-rather-long"}'],
    ],
  );
  assertEquals(JSON.stringify(printed.proxy), '{"a":{"b":2,"z":1},"clusters":[]}');
  // Line 2 before line 10.
  assertEquals(
    printed.problems.map((problem: { source: string }) => problem.source),
    ["b.yaml:2", "b.yaml:10"],
  );
  assertEquals(cli.err(), "");
});

Deno.test("weir translate prints the same bytes for the same result in another order", async () => {
  for (const format of ["json", "yaml", "table", "wide"]) {
    const [first, second] = [
      fakeCli({ translate: mixed }),
      fakeCli({
        translate: () =>
          Promise.resolve({
            ...mixedResult,
            statuses: mixedResult.statuses.toReversed(),
            problems: mixedResult.problems.toReversed(),
            proxy: { a: { b: 2, z: 1 }, clusters: [] },
          }),
      }),
    ];
    await runCli(["translate", "-f", "a", "-o", format], first);
    await runCli(["translate", "-f", "a", "-o", format], second);
    assertEquals(first.out(), second.out());
  }
});

Deno.test("weir translate prints a table of 80 columns and what is wrong in sentences", async () => {
  const cli = fakeCli({ translate: mixed });
  assertEquals(await runCli(["translate", "-f", "a"], cli), 0);
  assertEquals(
    cli.out(),
    `OBJECT                    PART                   STATE  DETAIL
Gateway shop/web                                 waits  Pending; 127.0.0.1
                          listener http          ok     1 route
                          listener https         wrong  HostnameConflict; 3 rou…
GatewayClass weir                                ok
HTTPRoute other/stray                            -      no parent is served here
HTTPRoute shop/checkout…  parent shop/web/https  wrong  BackendNotFound

What is wrong:
  Gateway shop/web, listener https
    Conflicted=True HostnameConflict: the hostname is taken
  HTTPRoute shop/checkout-with-a-name-that-is-rather-long, parent shop/web/https
    ResolvedRefs=False BackendNotFound: Service "shop/none" is missing

What may surprise:
  HTTPRoute shop/x, rule 1
    RuleShadowed: It never serves: rule 0 of HTTPRoute shop/w comes first
`,
  );
  assertEquals(cli.err(), "b.yaml:2: worse\nb.yaml:10 HTTPRoute shop/x spec.rules[0]: bad\\n\n");
});

Deno.test("weir translate -o json leaves out diagnostics, some of which depend on the time", async () => {
  const cli = fakeCli({ translate: mixed });
  await runCli(["translate", "-f", "a", "-o", "json"], cli);
  const printed = JSON.parse(cli.out());
  assertEquals(Object.hasOwn(printed, "diagnostics"), false);
});

Deno.test("weir translate shows what nothing serves, also when there is nothing else", async () => {
  const unserved = [{ object: "HTTPRoute shop/x", part: "parent shop/wbe", message: "no Gateway" }];
  const cli = fakeCli({ translate: () => Promise.resolve({ ...emptyResult, unserved }) });
  assertEquals(await runCli(["translate", "-f", "a"], cli), 0);
  assertEquals(
    cli.out(),
    `OBJECT            PART             STATE  DETAIL
HTTPRoute shop/x  parent shop/wbe  wrong  not served

What is wrong:
  HTTPRoute shop/x, parent shop/wbe
    no Gateway
`,
  );
});

Deno.test("weir translate -o wide shows every condition whole", async () => {
  const cli = fakeCli({ translate: mixed, columns: 40 });
  assertEquals(await runCli(["translate", "-f", "a", "-o", "wide"], cli), 0);
  assertStringIncludes(cli.out(), "HTTPRoute shop/checkout-with-a-name-that-is-rather-long  ");
  assertStringIncludes(cli.out(), "Programmed=Unknown Pending: no data plane has answered");
  assert(!cli.out().includes("…"));
});

Deno.test("weir translate --strict prints the result and exits with 3 when there are problems", async () => {
  const cli = fakeCli({ translate: mixed });
  assertEquals(await runCli(["translate", "-f", "a", "-ojson", "--strict"], cli), 3);
  assertEquals(JSON.parse(cli.out()).problems.length, 2);
  assertStringIncludes(cli.err(), "2 problems");
  assertEquals(await runCli(["translate", "-f", "a", "--strict"], fakeCli()), 0);
});

const usage: readonly [args: string[], message: string][] = [
  [[], `weir translate: -f: has no input, wanted "-f FILE", "-f DIR" or "-f -"`],
  [["dir"], `weir translate: "dir": is not a flag, wanted "weir translate -f dir"`],
  [["-f", "-", "-f", "-"], "names standard input more than once"],
  [["-f", "a", "-o", "xml"], `-o: "xml" is not one of "table", "wide", "json", "yaml"`],
  [["-f"], `-f: has no value, wanted "-f PATH"`],
  [["-f", "a", "--port-shift=1"], `"--port-shift": is not a flag`],
];

for (const [args, message] of usage) {
  Deno.test(`weir translate ${args.join(" ")} is a usage error`, async () => {
    const cli = fakeCli();
    assertEquals(await runCli(["translate", ...args], cli), 2);
    assertStringIncludes(cli.err(), message);
    assertEquals(cli.translated, []);
  });
}

Deno.test("weir translate exits with 1 and the reason when an input cannot be read", async () => {
  const cli = fakeCli({ translate: () => Promise.reject(new Error('Cannot read "a": gone')) });
  assertEquals(await runCli(["translate", "-f", "a"], cli), 1);
  assertEquals(cli.err(), 'weir translate: Cannot read "a": gone\n');
});

Deno.test("weir translate does not hide a fault of the program as one of the input", async () => {
  const cli = fakeCli({ translate: () => Promise.reject(new InvariantError("broken")) });
  let thrown: unknown;
  try {
    await runCli(["translate", "-f", "a"], cli);
  } catch (error) {
    thrown = error;
  }
  assert(thrown instanceof InvariantError);
});

Deno.test("weir translate --envoy asks for Envoy's resources and prints them alone", async () => {
  const envoy = {
    listeners: [{ name: "l" }],
    routes: [],
    clusters: [],
    endpoints: [],
    secrets: [],
    refusals: [],
  };
  const translate = () => Promise.resolve({ ...emptyResult, envoy });
  const json = fakeCli({ translate });
  assertEquals(await runCli(["translate", "-f", "a", "--envoy", "-o", "json"], json), 0);
  assertEquals(JSON.parse(json.out()), envoy);
  assertEquals(
    json.translated.map(({ showsEnvoy, settings }) => [showsEnvoy, settings.dataPlane]),
    [
      [true, "envoy"],
    ],
  );
  const yaml = fakeCli({ translate });
  assertEquals(await runCli(["translate", "-f", "a", "--envoy"], yaml), 0);
  assertStringIncludes(yaml.out(), "listeners:\n  - name: l\n");
});
