// What a user would lose: every usual spelling of a flag, and all faults of a command line at once.

import { assertEquals } from "@std/assert";
import { readArguments } from "../../../src/config/read_arguments.ts";
import { sampleFlags } from "../../fakes/flag_tables.ts";

function read(...args: string[]) {
  const { layer, positionals, asksForHelp, faults } = readArguments(sampleFlags, args);
  const values = Object.fromEntries([...layer].map(([name, { value }]) => [name, value]));
  return {
    values,
    positionals,
    asksForHelp,
    faults: faults.map((f) => `${f.where}: ${f.message}`),
  };
}

const spellings: readonly [args: string[], values: Record<string, unknown>][] = [
  [["--name", "x"], { name: "x" }],
  [["--name=x"], { name: "x" }],
  [["--name=a=b"], { name: "a=b" }],
  [["-n", "x"], { name: "x" }],
  [["-n=x"], { name: "x" }],
  [["-nx"], { name: "x" }],
  [["--name", "-x"], { name: "-x" }],
  [["--name", "first", "--name", "last"], { name: "last" }],
  [["-f", "-"], { manifests: ["-"] }],
  [["-f", "a,b", "--manifests=c", "-fd"], { manifests: ["a,b", "c", "d"] }],
  [["--verbose"], { verbose: true }],
  [["-v"], { verbose: true }],
  [["--verbose=false"], { verbose: false }],
  [["--no-guarded"], { guarded: false }],
  [["--guarded=0"], { guarded: false }],
  [["--count", "-3"], { count: -3 }],
  [["--mode=slow"], { mode: "slow" }],
  [["--wait", "1m30s"], { wait: 90_000 }],
  [["--size=2KiB"], { size: 2048 }],
  [["--api-address=[::1]:80"], { "api-address": { host: "::1", port: 80 } }],
  [["--gateways=a/b, c/d", "--gateways", "e/f"], { gateways: ["a/b", "c/d", "e/f"] }],
  [["--gateways="], { gateways: [] }],
];

for (const [args, values] of spellings) {
  Deno.test(`readArguments() reads ${args.join(" ")}`, () => {
    assertEquals(read(...args), { values, positionals: [], asksForHelp: false, faults: [] });
  });
}

const faults: readonly [args: string[], fault: string][] = [
  [["--nmae", "x"], `"--nmae": is not a flag, did you mean "--name"?`],
  [["--api_address=a:1"], `"--api_address": is not a flag, did you mean "--api-address"?`],
  [["-x"], `"-x": is not a flag`],
  [["--name"], `--name: has no value, wanted "--name TEXT"`],
  [["--name", "--verbose"], `--name: has no value, wanted "--name TEXT"`],
  [["--name", "--"], `--name: has no value, wanted "--name TEXT"`],
  [["--name="], `--name: "" is empty, wanted text`],
  [["--count=many"], `--count: "many" is not a whole number`],
  [["--count", "101"], `--count: "101" is out of range, wanted -10 to 100`],
  [["--mode=slwo"], `--mode: "slwo" is not one of "fast", "slow", did you mean "slow"?`],
  [["--verbose=maybe"], `--verbose: "maybe" is not a boolean, wanted "true" or "false"`],
  [["--no-verbose=true"], `--no-verbose: takes no value, wanted "--no-verbose" alone`],
  [["--no-name"], `"--no-name": is not a flag: only flags without a value can be negated`],
  [["--gateways=a/b,,c/d"], `--gateways: "" is not NAMESPACE/NAME, wanted "default/web"`],
  // A secret is never shown, also not when it is wrong.
  [["--password=hunter2"], `--password: the value is not a whole number`],
  [["--a\nb"], `"--a\\nb": is not a flag`],
  [["--__proto__=1"], `"--__proto__": is not a flag`],
];

for (const [args, fault] of faults) {
  Deno.test(`readArguments() refuses ${JSON.stringify(args.join(" "))}`, () => {
    assertEquals(read(...args).faults, [fault]);
  });
}

Deno.test("readArguments() goes on after a fault, so that all of them are told", () => {
  const { values, faults } = read("--nope=1", "--count=x", "--name", "good", "--mode", "?");
  assertEquals(values, { name: "good" });
  assertEquals(faults.length, 3);
});

Deno.test("readArguments() takes what follows an unknown flag for its value, not for a new fault", () => {
  assertEquals(read("--nmae", "x", "y").positionals, ["y"]);
  assertEquals(read("--nmae", "--verbose").values, { verbose: true });
});

Deno.test("readArguments() never takes the value of a boolean from the next argument", () => {
  const { values, positionals } = read("--verbose", "false");
  assertEquals(values, { verbose: true });
  assertEquals(positionals, ["false"]);
});

Deno.test("readArguments() reads no flags behind --", () => {
  const { values, positionals } = read("a", "--name=x", "--", "--name=y", "--help", "-");
  assertEquals(values, { name: "x" });
  assertEquals(positionals, ["a", "--name=y", "--help", "-"]);
});

Deno.test("readArguments() sees a wish for help whatever else is wrong", () => {
  assertEquals(read("--nope", "-h").asksForHelp, true);
  assertEquals(read("--help").asksForHelp, true);
  assertEquals(read("--name", "--help").asksForHelp, false);
});

Deno.test("readArguments() bounds the items of a list", () => {
  const many = Array.from({ length: 1001 }, () => "-fx");
  assertEquals(read(...many).faults, ["-f: has more than 1000 items"]);
  assertEquals(read(`--gateways=${"a/b,".repeat(1001)}a/b`).faults, [
    "--gateways: has more than 1000 items",
  ]);
});
