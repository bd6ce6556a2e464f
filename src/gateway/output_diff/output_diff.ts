/**
 * The differences between two outputs, told of objects: conditions and fields of statuses, then what
 * is served.
 *
 * Lazy, in a fixed order, and no dearer than what changed: the keys are those that the engine's own
 * diff found. Nothing of it holds a private key or another value of a Secret.
 */

import { equal } from "../../base/equal.ts";
import { type ObjectKey, parseObjectKey } from "../../kube/object.ts";
import type { OutputChanges } from "../diff.ts";
import { type Outputs, statusKinds } from "../outputs.ts";
import type { Facts, OutputChange } from "./output_change.ts";
import { servedChanges } from "./served_changes.ts";
import { statusFacts } from "./status_facts.ts";

/** Every difference from `before` to `after`; `changes` is what the engine's diff says of them. */
export function* outputChanges(
  before: Outputs,
  after: Outputs,
  changes: Pick<OutputChanges, "statuses">,
): Generator<OutputChange> {
  for (const kind of statusKinds) {
    for (const key of changes.statuses[kind]) {
      yield* factChanges(
        kind,
        key,
        statusFacts(before.statuses[kind].get(key)),
        statusFacts(after.statuses[kind].get(key)),
      );
    }
  }
  yield* servedChanges(before.dataPlane, after.dataPlane);
}

function* factChanges(
  kind: string,
  key: ObjectKey,
  before: Facts,
  after: Facts,
): Generator<OutputChange> {
  const { namespace, name } = parseObjectKey(key);
  const place = { kind, ...(namespace === undefined ? {} : { namespace }), name };
  for (const [path, value] of after) {
    const old = before.get(path) ?? null;
    if (!equal(old, value)) yield { ...place, path, before: old, after: value };
  }
  for (const [path, value] of before) {
    if (!after.has(path)) yield { ...place, path, before: value, after: null };
  }
}
