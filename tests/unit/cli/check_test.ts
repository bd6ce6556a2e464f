// What a user would lose: one command for CI that says what is wrong in settings and manifests, and
// whose exit code tells which of them it was.

import { assertEquals, assertStringIncludes } from "@std/assert";
import { runCli } from "../../../src/cli/run_cli.ts";
import type { ClusterCheckLine } from "../../../src/cli/context.ts";
import { emptyResult, fakeCli, mixedResult } from "../../fakes/cli_context.ts";

const mixed = () => Promise.resolve(mixedResult);
const warningsOnly = () => Promise.resolve({ ...mixedResult, problems: [] });

Deno.test("weir check tells problems with their place, then warnings, and exits with 3", async () => {
  const cli = fakeCli({ translate: mixed });
  assertEquals(await runCli(["check", "-f", "a"], cli), 3);
  assertEquals(
    cli.out(),
    `b.yaml:2: worse
b.yaml:10 HTTPRoute shop/x spec.rules[0]: bad\\n
warning: Gateway shop/web: listener https: Conflicted=True HostnameConflict: the hostname is taken
warning: HTTPRoute shop/checkout-with-a-name-that-is-rather-long: parent shop/web/https: ResolvedRefs=False BackendNotFound: Service "shop/none" is missing
warning: HTTPRoute shop/x: rule 1: It never serves: rule 0 of HTTPRoute shop/w comes first [RuleShadowed]
2 problems, 3 warnings
`,
  );
});

Deno.test("weir check tells what belongs to no file last, and without an empty place", async () => {
  const problems = [
    { source: "", object: "", field: "", message: "5 more problems are not listed" },
    { source: "b.yaml:2", object: "", field: "", message: "worse" },
  ];
  const cli = fakeCli({ translate: () => Promise.resolve({ ...emptyResult, problems }) });
  assertEquals(await runCli(["check", "-f", "a"], cli), 3);
  assertEquals(cli.out().split("\n").slice(0, 2), [
    "b.yaml:2: worse",
    "5 more problems are not listed",
  ]);
});

Deno.test("weir check exits with 0 for warnings alone, and with 3 when they are to count", async () => {
  assertEquals(await runCli(["check", "-f", "a"], fakeCli({ translate: warningsOnly })), 0);
  const strict = fakeCli({ translate: warningsOnly });
  assertEquals(await runCli(["check", "-f", "a", "--strict"], strict), 3);
});

Deno.test("weir check warns of what nothing serves, and of settings that name nothing", async () => {
  const unserved = [
    { object: "HTTPRoute shop/x", part: "parent shop/wbe", message: "no such Gateway" },
    { object: "", part: "", message: "--gateways: no such Gateway" },
  ];
  const cli = fakeCli({ translate: () => Promise.resolve({ ...emptyResult, unserved }) });
  assertEquals(await runCli(["check", "-f", "a"], cli), 0);
  assertEquals(
    cli.out(),
    `warning: --gateways: no such Gateway
warning: HTTPRoute shop/x: parent shop/wbe: no such Gateway
0 problems, 2 warnings
`,
  );
});

Deno.test("weir check does not take an empty folder for one that is right", async () => {
  const cli = fakeCli();
  assertEquals(await runCli(["check", "-f", "a"], cli), 0);
  assertEquals(
    cli.out(),
    `warning: among the manifests is no GatewayClass, Gateway or HTTPRoute that gets a status
0 problems, 1 warning
`,
  );
  assertEquals(await runCli(["check", "-f", "a", "--strict"], fakeCli()), 3);
});

Deno.test("weir check says that all is well", async () => {
  const cli = fakeCli({
    translate: () =>
      Promise.resolve({
        ...emptyResult,
        gateways: mixedResult.gateways,
        statuses: mixedResult.statuses.filter(({ kind }) => kind === "GatewayClass"),
      }),
  });
  assertEquals(await runCli(["check", "-f", "a"], cli), 0);
  assertEquals(cli.out(), "ok: the settings are right, 1 object with a status in 1 Gateway\n");
});

Deno.test("weir check reads the manifests that the settings name, unless told which", async () => {
  const files = { c: "manifests: [from-file]" };
  const first = fakeCli({ files });
  await runCli(["check", "--config=c"], first);
  assertEquals(first.translated.map(({ inputs }) => inputs), [["from-file"]]);
  const second = fakeCli({ files });
  await runCli(["check", "--config=c", "-f", "other"], second);
  assertEquals(second.translated.map(({ inputs }) => inputs), [["other"]]);
});

Deno.test("weir check checks settings alone when there are no manifests", async () => {
  const cli = fakeCli();
  assertEquals(await runCli(["check"], cli), 0);
  assertEquals(cli.out(), "ok: the settings are right, no manifests were given\n");
  assertEquals(cli.translated, []);
});

Deno.test("weir check exits with 2 for wrong settings, with every fault and its place", async () => {
  const cli = fakeCli({ files: { "w.yaml": "\nport-shift: lots\nlog-levle: info\n" } });
  assertEquals(await runCli(["check", "--config=w.yaml", "-f", "a"], cli), 2);
  assertStringIncludes(cli.err(), `w.yaml:2 port-shift: "lots" is not a whole number`);
  assertStringIncludes(
    cli.err(),
    `w.yaml:3 log-levle: is not a setting, did you mean "log-level"?`,
  );
  assertEquals(cli.translated, []);
});

Deno.test("weir check counts a suspicious setting as a warning", async () => {
  const cli = fakeCli({ environment: { WEIR_GATEWAY: "a/b" } });
  assertEquals(await runCli(["check", "--api-address=0.0.0.0:80"], cli), 0);
  assertStringIncludes(cli.out(), `warning: environment variable WEIR_GATEWAY is not a setting`);
  assertStringIncludes(cli.out(), "warning: --api-address is reachable from other machines");
  assertStringIncludes(cli.out(), "0 problems, 2 warnings");
});

Deno.test("weir check -o json prints findings for programs", async () => {
  const cli = fakeCli({ translate: mixed });
  assertEquals(await runCli(["check", "-f", "a", "-o", "json"], cli), 3);
  const findings = JSON.parse(cli.out());
  assertEquals(findings.problems.length, 2);
  assertEquals(findings.warnings[0], {
    object: "Gateway shop/web",
    part: "listener https",
    message: "Conflicted=True HostnameConflict: the hostname is taken",
  });
  assertEquals(findings.warnings[2], mixedResult.diagnostics[0]);
});

Deno.test("weir check takes -f for the manifests that development certificates need", async () => {
  assertEquals(await runCli(["check", "--dev-certificates", "-f", "a"], fakeCli()), 0);
  assertEquals(await runCli(["check", "--dev-certificates"], fakeCli()), 2);
});

Deno.test("weir check takes every flag of weir serve", async () => {
  const args = ["check", "--drain-timeout=1s", "--proxy-max-connections=5", "--manifests=a"];
  assertEquals(await runCli(args, fakeCli()), 0);
});

const lines: readonly ClusterCheckLine[] = [
  { check: "server", subject: "https://a:6443", message: "v1.36.3", result: "ok" },
  {
    check: "permissions",
    subject: "secrets",
    result: "failed",
    message: "may not list\u001b[2J",
    advice: "grant it",
  },
];
const checkCluster = () => Promise.resolve(lines);

Deno.test("weir check of a cluster prints what to do, and exits with 1 when something fails", async () => {
  const cli = fakeCli({ checkCluster });
  assertEquals(await runCli(["check", "--kubeconfig=a"], cli), 1);
  assertEquals(
    cli.out(),
    `ok       server       https://a:6443: v1.36.3
failed   permissions  secrets: may not list\\u001b[2J
                      to do: grant it
cluster: 1 ok, 0 warnings, 1 failed
`,
  );
});

Deno.test("weir check of a cluster exits with 0 when nothing fails, and prints for programs", async () => {
  const warned = lines.map((line) => ({ ...line, result: "warning" as const }));
  const cli = fakeCli({ checkCluster: () => Promise.resolve(warned) });
  assertEquals(await runCli(["check", "--in-cluster", "-o", "json"], cli), 0);
  const { cluster, problems } = JSON.parse(cli.out());
  assertEquals(problems, []);
  assertEquals(Object.keys(cluster[1]), ["check", "subject", "result", "message", "advice"]);
});

Deno.test("weir check of a cluster and of manifests tells both; manifests decide the exit code", async () => {
  const cli = fakeCli({ checkCluster, translate: mixed });
  assertEquals(await runCli(["check", "--context=a", "-f", "b"], cli), 3);
  assertStringIncludes(cli.out(), "cluster: 1 ok, 0 warnings, 1 failed\nb.yaml:2: worse\n");
});

Deno.test("weir check asks no cluster that was not named", async () => {
  const cli = fakeCli({ checkCluster: () => Promise.reject(new Error("asked")) });
  assertEquals(await runCli(["check"], cli), 0);
});
