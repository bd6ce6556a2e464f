// What a user would lose: the cluster that was meant and no other, and a sentence about each flag that
// cannot stand beside another.

import { assertEquals, assertStringIncludes } from "@std/assert";
import type { ClusterChoice } from "../../../src/cli/context.ts";
import { runCli } from "../../../src/cli/run_cli.ts";
import { emptyResult, type FakeCli, fakeCli } from "../../fakes/cli_context.ts";

const unknown = () => Promise.reject(new Error("nothing is computed"));

async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly cli: FakeCli; readonly code: number }> {
  const cli = fakeCli({
    environment,
    plan: unknown,
    translate: () => Promise.resolve(emptyResult),
  });
  return { cli, code: await runCli(args, cli) };
}

const noChoice = {
  kubeconfig: undefined,
  context: undefined,
  inCluster: false,
  namespaces: [],
  secretNamespaces: [],
  gatewayClass: undefined,
  without: [],
};

Deno.test("Each command takes the cluster that its flags name", async () => {
  const flags = ["--kubeconfig=k", "--context=c", "--namespaces=a,b", "--without=Secret"];
  const cluster: ClusterChoice = {
    ...noChoice,
    kubeconfig: "k",
    context: "c",
    namespaces: ["a", "b"],
    without: ["Secret"],
  };
  const translate = await run(["translate", ...flags]);
  assertEquals([translate.code, translate.cli.translated[0]?.cluster], [0, cluster]);
  const plan = await run(["plan", "-f", "new", ...flags]);
  assertEquals(plan.cli.planned[0]?.cluster, cluster);
  const status = await run(["explain", "gw/web", ...flags]);
  assertEquals(status.cli.explainedStatuses[0]?.cluster, cluster);
  const request = await run(["explain", "--host=a.io", "--in-cluster"]);
  assertEquals(request.cli.explained[0]?.cluster, { ...noChoice, inCluster: true });
});

Deno.test("A cluster of the environment gives way to what the command line names", async () => {
  const environment = { WEIR_KUBECONFIG: "k", WEIR_WITHOUT: "Secret" };
  const alone = await run(["translate"], environment);
  assertEquals(alone.cli.translated[0]?.cluster?.kubeconfig, "k");
  for (
    const args of [
      ["translate", "-f", "x"],
      ["plan", "-f", "x", "--against", "y"],
      ["plan", "-f", "x", "--api=http://127.0.0.1:1"],
      ["explain", "-f", "x", "gw/web"],
      ["explain", "--api=http://127.0.0.1:1", "--host=a.io"],
    ]
  ) {
    const { cli } = await run(args, environment);
    const { translated, planned, explained, explainedStatuses } = cli;
    const [request] = [...translated, ...planned, ...explained, ...explainedStatuses];
    assertEquals(["cluster" in (request ?? { cluster: 0 }), cli.err()].slice(0, 1), [false]);
  }
});

const wrong: readonly (readonly [args: string, message: string])[] = [
  ["translate -f x --kubeconfig k", `--kubeconfig: is given beside "-f", wanted one of them`],
  ["translate", `-f: has no input, wanted "-f FILE", "-f DIR" or "-f -"`],
  ["translate -f x --without Secret", "--without: is only for a cluster, wanted --kubeconfig"],
  ["translate --kubeconfig k --dev-certificates", "--dev-certificates: is only for manifests"],
  ["translate --kubeconfig k --in-cluster", "--in-cluster: cannot be given with --kubeconfig"],
  ["plan -f x --against y --context c", `--context: is given beside "--against"`],
  ["plan -f x --api http://a:1 --in-cluster", `--in-cluster: is given beside "--api"`],
  ["plan -f x --kubeconfig k --prune", `--prune: is given with a cluster, wanted "--delete=`],
  ["plan --kubeconfig k", "-f: proposes nothing"],
  ["explain gw/web", `"--kubeconfig FILE" or "--api URL"`],
  ["explain --api http://a:1 --kubeconfig k gw/web", `--kubeconfig: is given beside "--api"`],
  ["explain -f x --namespaces a gw/web", "--namespaces: is only for a cluster"],
];

Deno.test("Flags that cannot stand together are told, each by its name", async () => {
  for (const [args, message] of wrong) {
    const { cli, code } = await run(args.split(" "));
    assertEquals(code, 2, args);
    assertStringIncludes(cli.err(), message, args);
  }
});
