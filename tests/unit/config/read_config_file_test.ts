// What a user would lose: a configuration file whose every fault is told with file and line.

import { assertEquals } from "@std/assert";
import { readConfigFile } from "../../../src/config/read_config_file.ts";
import { sampleFlags } from "../../fakes/flag_tables.ts";

function read(text: string) {
  const { layer, faults } = readConfigFile(sampleFlags, { name: "weir.yaml", text });
  const values = Object.fromEntries([...layer].map(([name, { value }]) => [name, value]));
  return { values, faults: faults.map(({ where, message }) => `${where}: ${message}`) };
}

Deno.test("readConfigFile() reads values of every type, in YAML's and in the command line's form", () => {
  const { values, faults } = read(`
name: "with space"
manifests: [ "a,b", c ]
verbose: true
guarded: "false"
count: -3
mode: slow
wait: 1m30s
size: 4096
api-address: 127.0.0.1:80
gateways: a/b, c/d
password: 5
`);
  assertEquals(faults, []);
  assertEquals(values, {
    name: "with space",
    manifests: ["a,b", "c"],
    verbose: true,
    guarded: false,
    count: -3,
    mode: "slow",
    wait: 90_000,
    size: 4096,
    "api-address": { host: "127.0.0.1", port: 80 },
    gateways: ["a/b", "c/d"],
    password: 5,
  });
});

Deno.test("readConfigFile() remembers the line of every setting", () => {
  const text = "# comment\nname: x\n\ncount: 1\n";
  const { layer } = readConfigFile(sampleFlags, { name: "weir.yaml", text });
  assertEquals(layer.get("count")?.origin, { place: "file", file: "weir.yaml", line: 4 });
});

for (const text of ["", "# nothing\n", "---\n", "{}"]) {
  Deno.test(`readConfigFile() takes ${JSON.stringify(text)} for a file without settings`, () => {
    assertEquals(read(text), { values: {}, faults: [] });
  });
}

const faults: readonly [text: string, fault: string][] = [
  ["nmae: x", `weir.yaml:1 nmae: is not a setting, did you mean "name"?`],
  ["\n\napiAddress: a:1", `weir.yaml:3 apiAddress: is not a setting, did you mean "api-address"?`],
  ["? [a]\n: x", "weir.yaml:1 ?: is a key that is no text"],
  ["name: x\n? {a: b}\n: x", "weir.yaml:2 ?: is a key that is no text"],
  ["banana: x", "weir.yaml:1 banana: is not a setting"],
  ["__proto__: x", "weir.yaml:1 __proto__: is not a setting"],
  ["config: other.yaml", `weir.yaml:1 config: cannot stand in a file, wanted "--config"`],
  ["once: true", `weir.yaml:1 once: cannot stand in a file, wanted "--once"`],
  ["count: many", `weir.yaml:1 count: "many" is not a whole number`],
  ["count: 1.5", `weir.yaml:1 count: "1.5" is not a whole number`],
  ["count: [1]", "weir.yaml:1 count: is a list, wanted one integer"],
  ["count: {a: 1}", "weir.yaml:1 count: is a mapping, wanted integer"],
  ["count:", "weir.yaml:1 count: has no value, wanted integer"],
  ["count: &a 1\nsize: *a", 'weir.yaml:2 size: is the alias "*a", wanted bytes'],
  [
    "wait: 10",
    `weir.yaml:1 wait: "10" is not a duration, wanted numbers with units such as "250ms" or "1m30s"`,
  ],
  ["verbose: yes", `weir.yaml:1 verbose: "yes" is not a boolean, wanted "true" or "false"`],
  [
    "gateways: [a/b, web]",
    `weir.yaml:1 gateways: item 1: "web" is not NAMESPACE/NAME, wanted "default/web"`,
  ],
  ["gateways: [[a/b]]", "weir.yaml:1 gateways: item 0 is a list, wanted text"],
  ["password: hunter2", "weir.yaml:1 password: the value is not a whole number"],
  ["- name", `weir.yaml:1: is not a mapping, wanted "KEY: VALUE" lines`],
  ["name", `weir.yaml:1: is not a mapping, wanted "KEY: VALUE" lines`],
];

for (const [text, fault] of faults) {
  Deno.test(`readConfigFile() refuses ${JSON.stringify(text)}`, () => {
    assertEquals(read(text).faults, [fault]);
  });
}

const invalid: readonly [text: string, where: string][] = [
  ["name: x\ncount: [1", "weir.yaml:2"],
  ["name: a\nname: b", "weir.yaml:2"],
  ["name: a\n---\nname: b", "weir.yaml:2"],
  ["name: a\n\tcount: 1", "weir.yaml:2"],
];

for (const [text, where] of invalid) {
  Deno.test(`readConfigFile() names the line where ${JSON.stringify(text)} is no valid file`, () => {
    const { values, faults } = read(text);
    assertEquals(values, {});
    assertEquals(faults[0]?.startsWith(`${where}: is not valid YAML: `), true, faults[0]);
  });
}

Deno.test("readConfigFile() does not advise a person to call a function of a library", () => {
  assertEquals(read("name: a\n---\nname: b").faults, [
    "weir.yaml:2: is not valid YAML: another document begins, wanted one",
  ]);
});

Deno.test("readConfigFile() tells all faults, and keeps what is right", () => {
  const { values, faults } = read("nope: 1\ncount: x\nname: good\nmode: wrong\n");
  assertEquals(values, { name: "good" });
  assertEquals(faults.length, 3);
});

Deno.test("readConfigFile() bounds the items of a list", () => {
  const text = `manifests: [${Array.from({ length: 1001 }, () => "a").join(",")}]`;
  assertEquals(read(text).faults, ["weir.yaml:1 manifests: has more than 1000 items"]);
});
