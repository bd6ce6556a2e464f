// What a user would lose: a change that is told with its own cause, not with that of another one.

import { assertEquals } from "@std/assert";
import { InputChanges, type InputChangesState } from "../../../src/gateway/input_changes.ts";
import { type ObjectKey, objectKey } from "../../../src/kube/object.ts";
import { httpRoute } from "../../fakes/gateway_objects.ts";
import { decoded } from "../../fakes/gateway_world.ts";

/** A state that takes what it is told to take, at the revisions that it is told. */
class ScriptedState implements InputChangesState {
  revision = 1;
  takes = true;
  readonly revisions = new Map<ObjectKey, number>();
  readonly inputs = { revisionOf: (_kind: string, key: ObjectKey) => this.revisions.get(key) ?? 0 };
  readonly synced: string[] = [];

  upsert(): boolean {
    if (this.takes) this.revision++;
    return this.takes;
  }

  delete(): boolean {
    return this.upsert();
  }

  markSynced(kind: string): void {
    this.synced.push(kind);
  }
}

function make() {
  const state = new ScriptedState();
  const changes = new InputChanges(state);
  const put = (name: string): void => {
    changes.target.upsert("HTTPRoute", decoded("HTTPRoute", httpRoute(name)));
  };
  const take = (revision: number, listedMax = 10): readonly string[] =>
    changes.take(revision, listedMax).changes.map(({ key, revision: made }) => `${key} ${made}`);
  return { state, changes, put, take };
}

Deno.test("InputChanges.take() hands out what a commit covers and keeps what is newer", () => {
  const { put, take } = make();
  put("a");
  put("b");
  assertEquals(take(2), ["default/a 2"]);
  assertEquals(take(3), ["default/b 3"]);
  assertEquals(take(4), []);
});

Deno.test("InputChanges.take() knows the revision of what was taken in later than it was noted", () => {
  const { state, put, take } = make();
  put("a");
  // The state was busy: it gave the object its revision after that.
  state.revisions.set(objectKey("default", "a"), 5);
  assertEquals(take(4), []);
  assertEquals(take(5), ["default/a 5"]);
});

Deno.test("InputChanges.take() keeps what a busy state has taken without a revision", () => {
  const { state, changes, take } = make();
  changes.note("Gateway", objectKey("default", "gw"), "acknowledgement", state.revision);
  assertEquals(take(state.revision), []);
  assertEquals(take(state.revision + 1), ["default/gw 2"]);
});

Deno.test("InputChanges.take() leaves out what turned out to be no change", () => {
  const { state, put, take } = make();
  put("a");
  assertEquals(take(2), ["default/a 2"]);
  put("a");
  // The state found it equal: its revision is still the one before.
  state.revisions.set(objectKey("default", "a"), 2);
  assertEquals(take(9), []);
});

Deno.test("InputChanges.target notes nothing that the state does not take", () => {
  const { state, changes, put, take } = make();
  state.takes = false;
  put("a");
  changes.target.delete("HTTPRoute", objectKey("default", "a"));
  changes.target.markSynced("HTTPRoute");
  assertEquals(take(9), []);
  assertEquals(state.synced, ["HTTPRoute"]);
});

Deno.test("InputChanges.take() lists a bounded number and counts all", () => {
  const { changes, put } = make();
  for (let index = 0; index < 1500; index++) put(`r${index}`);
  put("r0");
  const { changes: listed, count } = changes.take(10_000, 20);
  assertEquals([listed.length, count], [20, 1500]);
  assertEquals(changes.take(10_000, 20), { changes: [], count: 0 });
});
