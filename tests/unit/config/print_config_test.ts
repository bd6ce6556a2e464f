// What a user would lose: --print-config whose output can be kept as the file for --config.

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { flags } from "../../../src/config/flags.ts";
import { loadConfig } from "../../../src/config/load_config.ts";
import { printConfig } from "../../../src/config/print_config.ts";
import { sampleFlags } from "../../fakes/flag_tables.ts";

async function load(args: readonly string[], file?: string, environment = {}) {
  const loaded = await loadConfig(flags, {
    args: file === undefined ? args : [...args, "--config=printed.yaml"],
    environment,
    readTextFile: () => Promise.resolve(file ?? ""),
  });
  assert(loaded.outcome === "settings", Deno.inspect(loaded));
  const { config: _config, printConfig: _printConfig, ...settings } = loaded.settings;
  return { settings, text: printConfig(flags, loaded.settings, loaded.origins) };
}

Deno.test("printConfig() says of every value where it comes from", () => {
  const text = printConfig(
    sampleFlags,
    { name: "x", manifests: ["a", "b c"], count: 5, gateways: [], waitMs: 0, password: 7 },
    new Map([
      ["name", { place: "flag" }],
      ["manifests", { place: "env", name: "WEIR_MANIFESTS" }],
      ["count", { place: "file", file: "a\nb.yaml", line: 3 }],
    ]),
  );
  const expected = [
    "name: x # flag",
    'manifests: # env WEIR_MANIFESTS\n  - a\n  - "b c"',
    "count: 5 # file a\\nb.yaml:3",
    'wait: "0s" # default',
    "gateways: [] # default",
    "# password: hidden # default",
  ];
  for (const line of expected) assert(text.includes(`${line}\n`), `${line} in\n${text}`);
  assert(!text.includes("7"), "a secret is printed");
  assert(!text.includes("config:"), "a setting that cannot stand in a file is printed");
});

const path = fc.string({ minLength: 1, maxLength: 12, unit: "binary" })
  .filter((text) => !text.includes("\0"));
const trickyPath = fc.oneof(
  path,
  fc.constantFrom(
    "yes",
    "null",
    "~",
    "1.0",
    "# a",
    "a: b",
    "- a",
    "a #b",
    "&a",
    "*a",
    "'",
    '"',
    "|",
  ),
);
const setting = fc.record({
  manifests: fc.array(trickyPath, { maxLength: 3 }),
  port: fc.integer({ min: 0, max: 65_535 }),
  drainMs: fc.integer({ min: 0, max: 3_600_000 }),
  bytes: fc.integer({ min: 1024, max: 2 ** 20 }),
  addresses: fc.array(
    fc.oneof(
      fc.ipV4(),
      fc.constantFrom("10.0.0.0/24", "::1", "2001:db8::1-2001:db8::9", "127.0.0.1-127.0.0.1"),
    ),
    { minLength: 1, maxLength: 3 },
  ),
  level: fc.constantFrom("debug", "info", "warn", "error"),
  metrics: fc.boolean(),
  certificates: fc.boolean(),
});

Deno.test("printConfig() prints a file from which the very same settings are read", async () => {
  await fc.assert(fc.asyncProperty(setting, async (given) => {
    const args = [
      ...given.manifests.map((each) => `--manifests=${each}`),
      `--port-shift=${given.port}`,
      `--drain-timeout=${given.drainMs}ms`,
      `--proxy-max-header-bytes=${given.bytes}`,
      `--gateway-addresses=${given.addresses.join(",")}`,
      `--log-level=${given.level}`,
      `--features=${given.metrics ? "+" : "-"}metrics`,
      `--dev-certificates=${given.certificates && given.manifests.length > 0}`,
    ];
    const first = await load(args);
    const second = await load([], first.text);
    assertEquals(second.settings, first.settings);
  }));
});

Deno.test("printConfig() prints defaults, environment and file with their origins", async () => {
  const { text } = await load(["--log-level=warn"], "port-shift: 7\n", { WEIR_GATEWAYS: "a/b" });
  assert(text.includes("log-level: warn # flag\n"));
  assert(text.includes("port-shift: 7 # file printed.yaml:1\n"));
  assert(text.includes("gateways: # env WEIR_GATEWAYS\n  - a/b\n"));
  assert(text.includes('api-address: "127.0.0.1:9080" # default\n'));
});
