// What a user would lose: the promised order of places (flag, environment, file, default), and every
// fault of all of them in one answer.

import { assert, assertEquals, assertThrows } from "@std/assert";
import { type Config, flags } from "../../../src/config/flags.ts";
import { type ConfigSources, loadConfig } from "../../../src/config/load_config.ts";

interface Given {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

function sources({ args = [], environment = {}, files = {} }: Given): ConfigSources {
  return {
    args,
    environment,
    readTextFile(path) {
      const text = files[path];
      return text === undefined
        ? Promise.reject(new Error(`"${path}" cannot be read: there is no such file`))
        : Promise.resolve(text);
    },
  };
}

async function settings(given: Given): Promise<Config> {
  const loaded = await loadConfig(flags, sources(given));
  assert(loaded.outcome === "settings", Deno.inspect(loaded));
  return loaded.settings;
}

async function faults(given: Given): Promise<string[]> {
  const loaded = await loadConfig(flags, sources(given));
  assert(loaded.outcome === "faults", Deno.inspect(loaded));
  return loaded.faults.map(({ where, message }) => `${where}: ${message}`);
}

Deno.test("loadConfig() gives every setting its default when nothing is said", async () => {
  const config = await settings({});
  assertEquals(config.apiAddress, { host: "127.0.0.1", port: 9080 });
  assertEquals(config.gatewayAddresses.map(({ text }) => text), ["127.0.0.1"]);
  assertEquals(config.portShift, 18_000);
  assertEquals(config.controllerName, "weir.dev/gateway-controller");
  assertEquals([config.recomputeQuietMs, config.recomputeMaxMs], [2, 25]);
  assertEquals([config.drainTimeoutMs, config.rescanIntervalMs], [10_000, 5000]);
  assertEquals(config.proxyMaxHeaderBytes, 61_440);
  assertEquals(config.pathWithEscapedSlashes, "unescape-and-redirect");
  assertEquals(config.manifests, []);
});

const places: readonly [weight: string, given: Given, port: number][] = [
  ["default", {}, 18_000],
  ["file", { args: ["--config=c"], files: { c: "port-shift: 1" } }, 1],
  [
    "environment over file",
    { args: ["--config=c"], files: { c: "port-shift: 1" }, environment: { WEIR_PORT_SHIFT: "2" } },
    2,
  ],
  [
    "flag over all",
    {
      args: ["--config=c", "--port-shift=3"],
      files: { c: "port-shift: 1" },
      environment: { WEIR_PORT_SHIFT: "2" },
    },
    3,
  ],
];

for (const [weight, given, port] of places) {
  Deno.test(`loadConfig() takes a setting from: ${weight}`, async () => {
    assertEquals((await settings(given)).portShift, port);
  });
}

Deno.test("loadConfig() finds the file by environment, and the flag names another", async () => {
  const files = { a: "port-shift: 1", b: "port-shift: 2" };
  const environment = { WEIR_CONFIG: "a" };
  assertEquals((await settings({ environment, files })).portShift, 1);
  assertEquals((await settings({ environment, files, args: ["--config", "b"] })).portShift, 2);
});

Deno.test("loadConfig() replaces a list of a lower place, also by an empty one", async () => {
  const files = { c: "gateways: [a/b, c/d]" };
  assertEquals((await settings({ args: ["--config=c"], files })).gateways, ["a/b", "c/d"]);
  const args = ["--config=c", "--gateways=e/f"];
  assertEquals((await settings({ args, files })).gateways, ["e/f"]);
  assertEquals((await settings({ args: ["--config=c", "--gateways="], files })).gateways, []);
});

Deno.test("loadConfig() tells the faults of all places at once", async () => {
  const given = {
    args: ["--config=c.yaml", "--api-adress=a:1", "--drain-timeout=10"],
    environment: { WEIR_PORT_SHIFT: "-1" },
    files: { "c.yaml": "log-level: loud\nmanifest: x\n" },
  };
  assertEquals(await faults(given), [
    `"--api-adress": is not a flag, did you mean "--api-address"?`,
    `--drain-timeout: "10" is not a duration, wanted numbers with units such as "250ms" or "1m30s"`,
    `WEIR_PORT_SHIFT: "-1" is out of range, wanted 0 to 65535`,
    `c.yaml:1 log-level: "loud" is not one of "debug", "info", "warn", "error"`,
    `c.yaml:2 manifest: is not a setting, did you mean "manifests"?`,
  ]);
});

Deno.test("loadConfig() says where the name of a file that cannot be read comes from", async () => {
  const reason = `"c" cannot be read: there is no such file`;
  assertEquals(await faults({ args: ["--config=c"] }), [`--config: ${reason}`]);
  assertEquals(await faults({ environment: { WEIR_CONFIG: "c" } }), [`WEIR_CONFIG: ${reason}`]);
});

const rules: readonly [given: Given, fault: string][] = [
  [
    { args: ["--recompute-max=1ms"], environment: { WEIR_RECOMPUTE_QUIET: "5ms" } },
    "WEIR_RECOMPUTE_QUIET: is longer than --recompute-max (1ms), wanted at most that",
  ],
  [
    { args: ["--config=c"], files: { c: "\ndev-certificates: true" } },
    "c:2 dev-certificates: is only for manifests, wanted --manifests PATH with it",
  ],
  [
    { args: ["--gateway-addresses="] },
    "--gateway-addresses: is empty, wanted at least one address",
  ],
  [
    { args: ["--features=-gateway", "--data-plane=none"] },
    `--features: feature "proxy" needs feature "gateway", which is off`,
  ],
  [
    { args: ["--features=-proxy"] },
    `--data-plane: "embedded" needs feature "proxy", which is off, wanted --data-plane=none`,
  ],
];

for (const [given, fault] of rules) {
  Deno.test(`loadConfig() refuses settings that contradict each other: ${fault}`, async () => {
    assertEquals(await faults(given), [fault]);
  });
}

Deno.test("loadConfig() of a command with fewer flags takes the same file and environment", async () => {
  const table = { config: flags.config, gateways: flags.gateways };
  const loaded = await loadConfig(
    table,
    sources({
      args: ["--config=c"],
      environment: { WEIR_PORT_SHIFT: "not of this command" },
      files: { c: "gateways: [a/b]\nport-shift: 1\n" },
    }),
  );
  assert(loaded.outcome === "settings");
  assertEquals(loaded.settings, { config: "c", gateways: ["a/b"] });
  assertEquals(loaded.unknownVariables, []);
});

Deno.test("loadConfig() answers a wish for help before it looks at anything else", async () => {
  const loaded = await loadConfig(flags, sources({ args: ["--config=none", "--nope", "--help"] }));
  assertEquals(loaded.outcome, "help");
});

Deno.test("loadConfig() returns settings that nobody can change", async () => {
  const config = await settings({ args: ["--manifests=a"] });
  const change = (target: object, key: string) => () => Reflect.set(target, key, 1) || fail();
  const fail = (): never => {
    throw new TypeError("frozen");
  };
  assertThrows(change(config, "portShift"), TypeError);
  assertThrows(change(config.manifests, "0"), TypeError);
  assertThrows(change(config.apiAddress, "port"), TypeError);
  assertThrows(change(config.gatewayAddresses, "0"), TypeError);
});

Deno.test("loadConfig() warns when the API is reachable from other machines", async () => {
  for (const [address, count] of [["0.0.0.0:1", 1], ["[::1]:1", 0], ["localhost:1", 0]] as const) {
    const loaded = await loadConfig(flags, sources({ args: [`--api-address=${address}`] }));
    assert(loaded.outcome === "settings");
    assertEquals(loaded.warnings.length, count, address);
  }
});
