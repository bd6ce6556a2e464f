// What a user would lose: a process in which what is switched off really is not there, and in which
// every part works without the others.

import { assert, assertEquals } from "@std/assert";
import { compose, type Composition } from "../../src/app/compose.ts";
import { systemClock } from "../../src/base/clock.ts";
import { noLog } from "../../src/base/log.ts";
import { featureNames, features } from "../../src/config/features.ts";
import { flags } from "../../src/config/flags.ts";
import { loadConfig } from "../../src/config/load_config.ts";
import { scriptedPlanThreads } from "../fakes/plan_thread.ts";
import { ApiClient } from "../fakes/api_client.ts";

const manifests = new URL("../../examples/quickstart", import.meta.url).pathname;

async function composeWith(...args: readonly string[]): Promise<Composition> {
  const loaded = await loadConfig(flags, {
    args: [
      "--api-address=127.0.0.1:0",
      "--kube-address=127.0.0.1:0",
      "--drain-timeout=0s",
      ...args,
    ],
    environment: {},
    readTextFile: () => Promise.reject(new Error("no file is named")),
  });
  assert(loaded.outcome === "settings", `${args.join(" ")} is a valid command line`);
  return compose(loaded.settings, {
    clock: systemClock,
    log: noLog,
    random: () => 0.5,
    newId: () => crypto.randomUUID(),
    version: "0.0.0",
    readTextFile: () => Promise.reject(new Error("no file is named")),
    mayWriteFile: () => Promise.resolve(true),
    writeSecretFile: () => Promise.resolve(),
    writeAccessLog: () => {},
    startPlanThread: scriptedPlanThreads().start,
  });
}

/** Runs a process until it is ready, asks `check` with its URL, and ends it. */
async function whileReady(
  composition: Composition,
  check: (url: string) => Promise<void>,
): Promise<void> {
  const stop = new AbortController();
  const running = composition.runner.run(composition.subsystems, stop.signal);
  try {
    await composition.runner.untilReady(AbortSignal.timeout(20_000));
    const url = composition.apiUrl();
    assert(url !== undefined);
    await check(url);
  } finally {
    stop.abort();
    assertEquals(await running, { ok: true });
  }
}

async function statusOf(url: string, path: string): Promise<number> {
  return (await new ApiClient(url).request(path)).status;
}

/** A route that exists exactly when the feature is on, where there is one. */
const routes = { gateway: "/api/v1/state", metrics: "/metrics" } as const;

/** `features` with only `on` switched on. */
function only(...on: readonly string[]): string {
  const toggles = featureNames.map((name) => `${on.includes(name) ? "+" : "-"}${name}`);
  return `--features=${toggles.join(",")}`;
}

for (const name of featureNames) {
  Deno.test(`compose() runs feature ${name} with nothing but what it requires`, async () => {
    const on: readonly string[] = [name, ...features[name].requires];
    const plane = on.includes("proxy") ? [] : ["--data-plane=none"];
    const composition = await composeWith(
      only(...on),
      ...plane,
      `--manifests=${manifests}`,
      "--gateway-addresses=127.0.0.1",
    );
    await whileReady(composition, async (url) => {
      for (const [feature, path] of Object.entries(routes)) {
        assertEquals(await statusOf(url, path), on.includes(feature) ? 200 : 404, path);
      }
      const off = composition.runner.readiness().checks.filter(({ state }) => state === "off");
      assertEquals(
        off.map((check) => check.name),
        featureNames.filter((feature) => !on.includes(feature)),
      );
    });
  });
}

Deno.test("compose() runs all features together, each ready with a reason", async () => {
  const composition = await composeWith(only(...featureNames), `--manifests=${manifests}`);
  await whileReady(composition, async (url) => {
    for (const path of Object.values(routes)) assertEquals(await statusOf(url, path), 200, path);
    const { checks } = composition.runner.readiness();
    assert(checks.every(({ state, reason }) => state === "ok" && reason !== ""));
  });
});

Deno.test("compose() builds without running: nothing listens before the runner runs", async () => {
  const composition = await composeWith(`--manifests=${manifests}`);
  assertEquals(composition.apiUrl(), undefined);
  assertEquals(composition.revision(), 0);
});
