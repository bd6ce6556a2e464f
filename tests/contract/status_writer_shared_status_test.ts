// Several controllers share one status (kubernetes-sigs/gateway-api#3846): none may remove, change or
// reorder what another wrote, and none may write when it has nothing new to say. Otherwise two
// installs fight for ever, or one erases what DNS and certificate controllers rely on. These
// properties hold for any stored status, however it came about.

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type DesiredCondition,
  type DesiredStatus,
  ownedConditionTypes,
} from "../../src/kube/desired_status.ts";
import {
  ancestorList,
  desiredEntries as desiredEntriesOf,
  type EntryList,
  parentList,
} from "../../src/kube/entry_list.ts";
import { asList, isRecord } from "../../src/kube/json_value.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { mergeStatus, retractStatus } from "../../src/kube/status_merge.ts";
import {
  atGeneration,
  gateway,
  gatewayStatus,
  httpRoute,
  ourController,
  policy,
  policyStatus,
  routeStatus,
} from "../fakes/status_objects.ts";

const now = "2026-01-01T00:00:00Z";
const later = "2026-02-02T00:00:00Z";
const runs = { numRuns: 300, seed: 42 };

const ownType = fc.constantFrom(...ownedConditionTypes);
const foreignType = fc.constantFrom(
  "Ready",
  "example.com/DNS",
  "example.com/Certificate",
  "Synced",
);
const status = fc.constantFrom<"True" | "False" | "Unknown">("True", "False", "Unknown");
const reason = fc.constantFrom("Accepted", "Pending", "Invalid");

/** What is stored was written for at most this generation: nothing claims to know a later one. */
const lastGeneration = 4;
const ofLastGeneration = (object: KubeObject): KubeObject => atGeneration(lastGeneration, object);

const storedCondition = fc.record({
  type: fc.oneof(ownType, foreignType),
  status,
  reason,
  message: fc.constantFrom("", "Waiting for controller"),
  observedGeneration: fc.option(fc.integer({ min: 0, max: lastGeneration }), { nil: undefined }),
  lastTransitionTime: fc.constantFrom("1970-01-01T00:00:00Z", "2025-01-01T00:00:00Z"),
});
/** Stored lists are what an API server lets through: at most eight, types mostly unique. */
const storedConditions = fc.array(storedCondition, { maxLength: 8 });
const desiredConditions: fc.Arbitrary<DesiredCondition[]> = fc.uniqueArray(
  fc.record({ type: ownType, status, reason, message: fc.constantFrom("", "why") }),
  { selector: (condition) => condition.type, maxLength: 10 },
);
const parentName = fc.constantFrom("a", "b", "c", "d");
const references = fc.record({ name: parentName }, { requiredKeys: ["name"] });
const controllerName = fc.constantFrom(ourController, "example.com/one", "example.com/two");
const storedParents = fc.array(
  fc.record({ parentRef: references, controllerName, conditions: storedConditions }),
  { maxLength: 32 },
);
const storedAncestors = fc.array(
  fc.record({ ancestorRef: references, controllerName, conditions: storedConditions }),
  { maxLength: 16 },
);
const desiredEntries = fc.record({
  entries: fc.dictionary(parentName, desiredConditions, { maxKeys: 4 }),
  generation: fc.integer({ min: 1, max: 3 }),
});
const desiredRoute = desiredEntries.map(({ entries, generation }) =>
  routeStatus(entries, { generation })
);
const desiredPolicy = desiredEntries.map(({ entries, generation }) =>
  policyStatus(entries, { generation })
);
const desiredGateway = fc.record({
  conditions: desiredConditions,
  listener: desiredConditions,
  generation: fc.integer({ min: 1, max: 3 }),
}).map(({ conditions, listener, generation }) =>
  gatewayStatus(conditions, {
    generation,
    listeners: [{ name: "web", supportedKinds: [], attachedRoutes: 1, conditions: listener }],
  })
);
const storedGateway = fc.record({ conditions: storedConditions, listener: storedConditions }).map(
  ({ conditions, listener }) =>
    ofLastGeneration(gateway({
      conditions,
      listeners: [{ name: "web", supportedKinds: [], attachedRoutes: 1, conditions: listener }],
    })),
);
const storedRoute = storedParents.map((parents) => ofLastGeneration(httpRoute({ parents })));
const storedPolicy = storedAncestors.map((ancestors) => ofLastGeneration(policy({ ancestors })));

/** The two kinds of lists with an entry per controller, which are held to the same promises. */
const lists = [
  { list: parentList, desired: desiredRoute, stored: storedRoute, fresh: httpRoute },
  { list: ancestorList, desired: desiredPolicy, stored: storedPolicy, fresh: policy },
];

/** The object after the write that a merge asks for. */
function afterWrite(desired: DesiredStatus, live: KubeObject): KubeObject {
  const merge = mergeStatus(desired, live, now);
  return merge.outcome === "write" ? { ...live, status: merge.status } : live;
}

function field(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

function isForeignCondition(condition: unknown): boolean {
  return !ownedConditionTypes.has(String(field(condition, "type")));
}

function foreignConditions(list: unknown): readonly unknown[] {
  return asList(list).filter(isForeignCondition);
}

function foreignEntries(object: KubeObject, list: EntryList): readonly unknown[] {
  return asList(field(object.status, list.field))
    .filter((entry) => field(entry, "controllerName") !== ourController);
}

/** `desired` as another controller would want it. */
function ofAnother(desired: DesiredStatus): DesiredStatus {
  const { body } = desired;
  if (body.shape === "conditions") return desired;
  return { ...desired, body: { ...body, controllerName: "example.com/one" } };
}

function newerConditions(list: unknown, generation: number): readonly unknown[] {
  return asList(list).filter((condition) =>
    !isForeignCondition(condition) && Number(field(condition, "observedGeneration")) > generation
  );
}

for (const { list, desired, stored, fresh } of lists) {
  const { field: name, noun, entriesMax } = list;

  Deno.test(`mergeStatus() keeps every ${noun} of other controllers, unchanged and in order`, () => {
    fc.assert(
      fc.property(desired, stored, (wanted, live) => {
        assertEquals(foreignEntries(afterWrite(wanted, live), list), foreignEntries(live, list));
      }),
      runs,
    );
  });

  Deno.test(`mergeStatus() never exceeds what the API takes of ${name}`, () => {
    fc.assert(
      fc.property(desired, stored, (wanted, live) => {
        const entries = asList(field(afterWrite(wanted, live).status, name));
        assert(entries.length <= entriesMax);
        for (const entry of entries) assert(asList(field(entry, "conditions")).length <= 8);
      }),
      runs,
    );
  });

  Deno.test(`mergeStatus() leaves no entry of ours that is not wanted among the ${name}`, () => {
    fc.assert(
      fc.property(desired, stored, (wanted, live) => {
        const names = new Set(
          wanted.body.shape === "conditions"
            ? []
            : desiredEntriesOf(wanted.body).entries.map(({ reference }) => reference.name),
        );
        for (const entry of asList(field(afterWrite(wanted, live).status, name))) {
          if (field(entry, "controllerName") !== ourController) continue;
          const isNewer = newerConditions(field(entry, "conditions"), wanted.generation).length > 0;
          assert(isNewer || names.has(String(field(field(entry, list.reference), "name"))));
        }
      }),
      runs,
    );
  });

  Deno.test(`retractStatus() keeps every ${noun} of other controllers, unchanged and in order`, () => {
    fc.assert(
      fc.property(stored, (live) => {
        const merge = retractStatus(ourController, live);
        if (merge.outcome !== "write") return;
        const after = { ...live, status: merge.status };
        assertEquals(foreignEntries(after, list), foreignEntries(live, list));
      }),
      runs,
    );
  });

  Deno.test(`two controllers that share ${name} settle after one write each`, () => {
    fc.assert(
      fc.property(desired, desired, (mine, theirs) => {
        const other = ofAnother(theirs);
        const settled = afterWrite(other, afterWrite(mine, fresh()));
        assert(mergeStatus(mine, settled, later).outcome !== "write", "the first writes again");
        assert(mergeStatus(other, settled, later).outcome !== "write", "the second writes again");
      }),
      runs,
    );
  });
}

Deno.test("mergeStatus() keeps every condition of other controllers, unchanged and in order", () => {
  fc.assert(
    fc.property(desiredGateway, storedGateway, (desired, live) => {
      const after = afterWrite(desired, live);
      const listener = (object: KubeObject): unknown =>
        field(asList(field(object.status, "listeners"))[0], "conditions");
      assertEquals(
        foreignConditions(field(after.status, "conditions")),
        foreignConditions(field(live.status, "conditions")),
      );
      assertEquals(foreignConditions(listener(after)), foreignConditions(listener(live)));
    }),
    runs,
  );
});

Deno.test("mergeStatus() has nothing to write after its own write", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.tuple(desiredRoute, storedRoute),
        fc.tuple(desiredPolicy, storedPolicy),
        fc.tuple(desiredGateway, storedGateway),
      ),
      ([desired, live]) => {
        const merge = mergeStatus(desired, afterWrite(desired, live), later);
        assert(merge.outcome !== "write", "the second merge wants to write");
      },
    ),
    runs,
  );
});

Deno.test("mergeStatus() never touches a condition of a newer generation", () => {
  fc.assert(
    fc.property(desiredGateway, storedGateway, (desired, live) => {
      const unique = new Set(
        asList(field(live.status, "conditions")).map((condition) => field(condition, "type")),
      );
      fc.pre(unique.size === asList(field(live.status, "conditions")).length);
      const after = asList(field(afterWrite(desired, live).status, "conditions"));
      const kept = newerConditions(field(live.status, "conditions"), desired.generation);
      for (const condition of kept) assert(after.includes(condition), "a newer condition is lost");
    }),
    runs,
  );
});
