// What a user would lose: settings by environment variable, and a warning for a misspelt one that does
// not stop a pod into which Kubernetes put variables of its own.

import { assertEquals } from "@std/assert";
import { flags } from "../../../src/config/flags.ts";
import { environmentName } from "../../../src/config/flag.ts";
import { readEnvironment } from "../../../src/config/read_environment.ts";
import { sampleFlags } from "../../fakes/flag_tables.ts";

function read(environment: Record<string, string>) {
  const { layer, faults, unknown } = readEnvironment(sampleFlags, {}, environment);
  const values = Object.fromEntries([...layer].map(([name, { value }]) => [name, value]));
  return { values, faults, unknown };
}

Deno.test("readEnvironment() reads one variable for each flag, with the separators of lists", () => {
  const { values, faults, unknown } = read({
    WEIR_NAME: "x",
    WEIR_MANIFESTS: "/a,b:/c",
    WEIR_VERBOSE: "1",
    WEIR_API_ADDRESS: "[::1]:80",
    WEIR_GATEWAYS: "a/b,c/d",
    WEIR_WAIT: "",
    PATH: "/bin",
  });
  assertEquals(values, {
    name: "x",
    manifests: ["/a,b", "/c"],
    verbose: true,
    "api-address": { host: "::1", port: 80 },
    gateways: ["a/b", "c/d"],
  });
  assertEquals(faults, []);
  assertEquals(unknown, []);
});

Deno.test("readEnvironment() remembers the variable that a value came from", () => {
  const { layer } = readEnvironment(sampleFlags, {}, { WEIR_NAME: "x" });
  assertEquals(layer.get("name")?.origin, { place: "env", name: "WEIR_NAME" });
});

Deno.test("readEnvironment() refuses a wrong value and names the variable, not a secret's value", () => {
  const { faults } = read({ WEIR_COUNT: "x", WEIR_PASSWORD: "hunter2" });
  assertEquals(faults, [
    { where: "WEIR_COUNT", message: `"x" is not a whole number` },
    { where: "WEIR_PASSWORD", message: "the value is not a whole number" },
  ]);
});

Deno.test("readEnvironment() warns of unknown names with the nearest, also of flags that have none", () => {
  assertEquals(read({ WEIR_NAEM: "x", WEIR_ONCE: "true", WEIR_BANANA_SPLIT: "" }).unknown, [
    { name: "WEIR_BANANA_SPLIT", nearest: undefined },
    { name: "WEIR_NAEM", nearest: "WEIR_NAME" },
    { name: "WEIR_ONCE", nearest: undefined },
  ]);
});

Deno.test("readEnvironment() passes over variables of flags that other commands have", () => {
  const { unknown } = readEnvironment({}, sampleFlags, { WEIR_NAME: "x", WEIR_COUNT: "wrong" });
  assertEquals(unknown, []);
});

const ofServices = [
  "WEIR_SERVICE_HOST",
  "WEIR_SERVICE_PORT",
  "WEIR_SERVICE_PORT_HTTP",
  "WEIR_PORT",
  "WEIR_PORT_9080_TCP",
  "WEIR_PORT_9080_TCP_PROTO",
  "WEIR_PORT_9080_UDP_PORT",
  "WEIR_PORT_9080_TCP_ADDR",
  "WEIR_API_SERVICE_HOST",
  "WEIR_API_V2_PORT_80_TCP",
];

for (const name of ofServices) {
  Deno.test(`readEnvironment() passes over ${name}, which Kubernetes sets`, () => {
    assertEquals(read({ [name]: "tcp://10.0.0.1:80" }).unknown, []);
  });
}

Deno.test("no flag's variable looks like one that Kubernetes sets for a Service", () => {
  for (const name of Object.keys(flags)) {
    const misspelt = `${environmentName(name)}X`;
    const { unknown } = readEnvironment({}, {}, { [environmentName(name)]: "", [misspelt]: "" });
    assertEquals(unknown.length, 2, name);
  }
});
