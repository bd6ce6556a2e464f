// What a user would lose: a serve command that starts only what was meant, and says what is missing.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runCli } from "../../../src/cli/run_cli.ts";
import { fakeCli } from "../../fakes/cli_context.ts";

Deno.test("weir serve hands the settings of all places to the application", async () => {
  const cli = fakeCli({
    environment: { WEIR_PORT_SHIFT: "0" },
    files: { "weir.yaml": "manifests: [a, b]\nlog-format: json\n" },
  });
  assertEquals(await runCli(["serve", "--config", "weir.yaml", "--gateways=x/y"], cli), 0);
  const [request] = cli.served;
  assert(request);
  assertEquals(request.config.manifests, ["a", "b"]);
  assertEquals(request.config.portShift, 0);
  assertEquals(request.config.gateways, ["x/y"]);
  request.log.warn("Something", { a: 1 });
  assertEquals(JSON.parse(cli.err()).message, "Something");
});

Deno.test("weir serve logs a misspelt variable and serves all the same", async () => {
  const cli = fakeCli({ environment: { WEIR_PORT_SHIFTS: "1", WEIR_SERVICE_HOST: "10.0.0.1" } });
  assertEquals(await runCli(["serve", "--manifests=a"], cli), 0);
  assertEquals(cli.served.length, 1);
  assertStringIncludes(cli.err(), "WEIR_PORT_SHIFTS is not a setting");
  assertStringIncludes(cli.err(), "WEIR_PORT_SHIFT");
  assertEquals(cli.err().trimEnd().split("\n").length, 1);
});

Deno.test("weir serve without anything to serve says what to do and exits with 2", async () => {
  const cli = fakeCli();
  assertEquals(await runCli(["serve"], cli), 2);
  assertStringIncludes(cli.err(), "weir serve --manifests PATH");
  assertEquals(cli.served.length, 0);
});

Deno.test("weir serve without the engine needs no manifests", async () => {
  const cli = fakeCli();
  const args = ["serve", "--features=-gateway,-proxy", "--data-plane=none"];
  assertEquals(await runCli(args, cli), 0);
  assertEquals(cli.served.length, 1);
});

Deno.test("weir serve tells all faults at once, starts nothing and exits with 2", async () => {
  const cli = fakeCli({ environment: { WEIR_LOG_LEVEL: "loud" } });
  const args = ["serve", "folder", "--manifest=a", "--port-shift=x", "--dev-certificates", "true"];
  assertEquals(await runCli(args, cli), 2);
  assertEquals(cli.served.length, 0);
  const lines = cli.err().trimEnd().split("\n");
  assertEquals(lines, [
    `weir serve: "--manifest": is not a flag, did you mean "--manifests"?`,
    `weir serve: --port-shift: "x" is not a whole number`,
    `weir serve: WEIR_LOG_LEVEL: "loud" is not one of "debug", "info", "warn", "error"`,
    `weir serve: "folder": is not a flag, wanted "weir serve --manifests folder" to serve manifests`,
    `weir serve: "true": is not a flag, wanted the value behind "=", as in "--flag=true"`,
    `Run "weir help serve" for the flags.`,
  ]);
});

Deno.test("weir serve --print-config prints settings and origins, and serves nothing", async () => {
  const cli = fakeCli({ environment: { WEIR_GATEWAYS: "a/b" } });
  assertEquals(await runCli(["serve", "--print-config", "--port-shift=5"], cli), 0);
  assertStringIncludes(cli.out(), "port-shift: 5 # flag\n");
  assertStringIncludes(cli.out(), "gateways: # env WEIR_GATEWAYS\n  - a/b\n");
  assertStringIncludes(cli.out(), 'drain-timeout: "10s" # default\n');
  assertEquals(cli.served.length, 0);
  assertEquals(cli.err(), "");
});

Deno.test("weir serve computes the statuses as with Envoy when no proxy is wanted", async () => {
  const cli = fakeCli();
  const args = ["serve", "--manifests=a", "--data-plane=envoy", "--features=-proxy"];
  assertEquals(await runCli(args, cli), 0);
  assertEquals(cli.served.length, 1);
});

Deno.test("weir serve refuses Envoy, which this build can compute for and not serve with", async () => {
  const cli = fakeCli({ environment: { WEIR_DATA_PLANE: "envoy" } });
  assertEquals(await runCli(["serve", "--manifests=a"], cli), 2);
  assertEquals(cli.served.length, 0);
  assertEquals(
    cli.err(),
    `weir serve: WEIR_DATA_PLANE: "envoy" cannot be served with: this build has no Envoy data ` +
      `plane yet, wanted "embedded" or "none", or --features=-proxy for statuses only\n` +
      `Run "weir help serve" for the flags.\n`,
  );
});
