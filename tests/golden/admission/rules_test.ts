/**
 * Every CEL rule of the Gateway API: an object that keeps it and one that breaks it.
 *
 * What a user would lose: a manifest that a real cluster refuses would be taken here (and fail on the
 * day it is deployed), or one that a real cluster takes would be refused. The last test keeps the
 * table complete when the schemas are made again.
 */

import { assert, assertEquals } from "@std/assert";
import type { KubeObject } from "../../../src/kube/object.ts";
import schemaText from "../../../src/localkube/schema/gateway_api.json" with { type: "text" };
import { decodeSchemaFile } from "../../../src/localkube/admission/decode_schema_file.ts";
import { SchemaChecker } from "../../../src/localkube/admission/schema_checker.ts";
import type { RawChild, RawNode } from "../../../src/localkube/admission/schema_file.ts";
import {
  expectedCauses,
  type Manifest,
  readRuleTable,
  type RuleCase,
  sortCauses,
  withPart,
} from "./rule_cases.ts";

const { cases, bases } = readRuleTable();
const file = decodeSchemaFile(schemaText);
const checkers = {
  experimental: new SchemaChecker(),
  standard: new SchemaChecker({ channel: "standard" }),
};

function baseOf(ruleCase: RuleCase): Manifest {
  const base = bases.get(ruleCase.kind);
  assert(base !== undefined, `no base object for ${ruleCase.kind}`);
  return base;
}

function check(ruleCase: RuleCase, part: unknown) {
  const object = withPart(baseOf(ruleCase), ruleCase.at, part);
  const old = ruleCase.old === undefined
    ? undefined
    : withPart(baseOf(ruleCase), ruleCase.at, ruleCase.old) as unknown as KubeObject;
  const checked = checkers[ruleCase.channel ?? "experimental"].check(object, old);
  assert(checked !== undefined, `no schema for ${ruleCase.kind}`);
  return checked;
}

/** Indexes of the rules at the nodes that `value` reaches below `child`. */
function reachedRules(value: unknown, child: RawChild, reached: Set<number>): Set<number> {
  const node = typeof child === "number" ? file.nodes[child] : child;
  assert(node !== undefined);
  for (const rule of node.rules ?? []) reached.add(rule);
  if (Array.isArray(value) && node.items !== undefined) {
    for (const item of value) reachedRules(item, node.items, reached);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, field] of Object.entries(value)) {
      const below = node.properties?.[name];
      if (below !== undefined) reachedRules(field, below, reached);
    }
  }
  return reached;
}

/** Indexes of the rules that the case's valid object reaches and that have the case's message. */
function rulesOf(ruleCase: RuleCase): number[] {
  const channel = file.channels[ruleCase.channel ?? "experimental"];
  const root = channel[ruleCase.kind]?.["v1"]?.root;
  assert(root !== undefined, `no schema for ${ruleCase.kind}`);
  const reached = reachedRules(check(ruleCase, ruleCase.valid).fields, root, new Set());
  return [...reached].filter((index) => file.rules[index]?.message === ruleCase.rule);
}

for (const [index, ruleCase] of cases.entries()) {
  const name = `${ruleCase.kind} case ${index}: ${ruleCase.rule}`;

  Deno.test(`SchemaChecker.check() takes what keeps the rule, ${name}`, () => {
    const { faults, warnings } = check(ruleCase, ruleCase.valid);
    assertEquals(faults.toCauses(), []);
    assertEquals(warnings, []);
    assertEquals(rulesOf(ruleCase).length, 1, "the valid object must reach exactly this rule");
  });

  if (ruleCase.unreachable !== undefined) {
    Deno.test(`SchemaChecker.check() refuses by the schema before the rule is run, ${name}`, () => {
      const causes = check(ruleCase, ruleCase.unreachable).faults.toCauses();
      assert(causes.some((cause) => cause.reason === "FieldValueNotSupported"));
      assertEquals(causes.filter((cause) => cause.message.includes(ruleCase.rule)), []);
    });
    continue;
  }

  Deno.test(`SchemaChecker.check() refuses what breaks the rule, ${name}`, () => {
    const causes = check(ruleCase, ruleCase.invalid).faults.toCauses();
    assertEquals(sortCauses(causes), expectedCauses(ruleCase));
  });
}

/** Indexes of all rules below `child`; a node may stand in many places. */
function allRules(child: RawChild, found = new Set<number>(), seen = new Set<RawNode>()) {
  const node = typeof child === "number" ? file.nodes[child] : child;
  if (node === undefined || seen.has(node)) return found;
  seen.add(node);
  for (const rule of node.rules ?? []) found.add(rule);
  for (const below of Object.values(node.properties ?? {})) allRules(below, found, seen);
  if (node.items !== undefined) allRules(node.items, found, seen);
  return found;
}

for (const [kind, versions] of Object.entries(file.channels.experimental)) {
  Deno.test(`the table has an object that keeps and one that breaks every rule of ${kind}`, () => {
    const root = versions["v1"]?.root;
    assert(root !== undefined);
    const covered = new Set(cases.filter((ruleCase) => ruleCase.kind === kind).flatMap(rulesOf));
    const missing = [...allRules(root)].filter((index) => !covered.has(index));
    assertEquals(missing.map((index) => file.rules[index]?.message), []);
  });
}

Deno.test("the table has an object that keeps and one that breaks every rule", () => {
  const covered = new Set(cases.flatMap(rulesOf));
  const missing = file.rules.filter((_, index) => !covered.has(index)).map((rule) => rule.message);
  assertEquals(missing, []);
});
