/**
 * What writing to a cluster relies on, as a suite that runs on any API server: the double, the local
 * cluster's API, a real kube-apiserver. How a status fares among other writers is in
 * status_writing_suite.ts.
 */

import { assert, assertEquals } from "@std/assert";
import { ChildWriter } from "../../src/kube/child_writer.ts";
import type { ChildOwner, WantedChild } from "../../src/kube/child_object.ts";
import { isRecord } from "../../src/kube/json_value.ts";
import { alwaysLeader } from "../../src/kube/leader_gate.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { unlimitedWrites, WritePermits } from "../../src/kube/write_permits.ts";
import { type WritingTarget, writingTest, type WrittenCluster } from "../fakes/written_cluster.ts";

const applyPatch = "application/apply-patch+yaml";
const manager = "weir.dev/test";

/** Registers the suite for one server. */
export function testClusterWriting(
  name: string,
  open: () => Promise<WritingTarget>,
  options: {
    /** Whether a deletion waits for the finalizers of an object; true when absent. */
    readonly waitsForFinalizers?: boolean;
  } = {},
): void {
  const test = writingTest(name, open);

  test("each refusal of a write is told apart", async (cluster) => {
    const { namespace } = cluster.target;
    const made = await cluster.create("ConfigMap", "w", { data: { a: "1" } });
    const path = cluster.path("ConfigMap", "w");
    const body = (metadata: object, data: object = { a: "1" }) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "w", namespace, ...metadata },
      data,
    });
    const apply = (sent: object, query: Record<string, string> = {}) =>
      cluster.refused(path, {
        method: "PATCH",
        contentType: applyPatch,
        body: sent,
        query: { fieldManager: manager, ...query },
      });
    const remove = (preconditions: object) =>
      cluster.refused(path, {
        method: "DELETE",
        body: { apiVersion: "v1", kind: "DeleteOptions", preconditions },
      });
    const put = (metadata: object) =>
      cluster.refused(path, { method: "PUT", body: body(metadata) });
    assertEquals(await put({ resourceVersion: "1" }), "stale-write");
    assertEquals(await put({ uid: "00000000-0000-0000-0000-000000000000" }), "recreated");
    assertEquals(await apply(body({ resourceVersion: "1" })), "stale-write");
    assertEquals(await apply(body({}, { a: "2" })), "field-owned");
    assertEquals(await apply(body({}, { a: "2" }), { force: "true" }), undefined);
    assertEquals(await apply(body({ uid: "x" }), { force: "true" }), "recreated");
    assertEquals(await remove({ uid: "x" }), "recreated");
    assertEquals(await remove({ uid: made.metadata.uid, resourceVersion: "1" }), "stale-write");
    const create = { method: "POST" as const, body: body({}) };
    assertEquals(await cluster.refused(cluster.path("ConfigMap"), create), "already-exists");
    assertEquals(await remove({ uid: made.metadata.uid }), undefined);
    await cluster.until(async () => await remove({}) === "not-found");
    assertEquals(await apply(body({ uid: made.metadata.uid }), { force: "true" }), "recreated");
  });

  test("a child is made, kept, and says only what is wanted now", async (cluster) => {
    const { children, owner } = await family(cluster);
    const first = await children.apply({ a: "1", b: "1" });
    assert(first.outcome === "ok");
    const again = await children.apply({ a: "1", b: "1" });
    assertEquals(again, { outcome: "unchanged", child: first.child });
    await cluster.merge("ConfigMap", "child", { data: { theirs: "x" } });
    const second = await children.apply({ b: "2" });
    assertEquals(second.outcome, "ok");
    const { data, metadata } = await cluster.whole("ConfigMap", "child");
    assertEquals(data, { b: "2", theirs: "x" });
    assert(isRecord(metadata) && JSON.stringify(metadata.ownerReferences).includes(owner.uid));
    // What somebody else made of ours is made right, though we say the same as before.
    await cluster.merge("ConfigMap", "child", { data: { b: "spoilt" } });
    assertEquals((await children.apply({ b: "2" })).outcome, "ok");
    assertEquals((await cluster.whole("ConfigMap", "child")).data, { b: "2", theirs: "x" });
  });

  test("what is not our child is left alone, and who has it is told", async (cluster) => {
    const { children } = await family(cluster);
    const other = await cluster.create("ConfigMap", "other");
    const reference = { ...ownerOf(other), controller: true };
    await cluster.create("ConfigMap", "child", {
      metadata: { ownerReferences: [reference] },
      data: { a: "theirs" },
    });
    const { uid } = other.metadata;
    const theirs = { kind: "ConfigMap", name: "other", uid };
    const taken = await children.apply({ a: "ours" });
    assertEquals(taken, { outcome: "foreign-owner", owner: theirs });
    await cluster.merge("ConfigMap", "child", { metadata: { ownerReferences: null } });
    const unowned = await children.apply({ a: "ours" });
    assertEquals(unowned, { outcome: "foreign-owner", owner: undefined });
    assertEquals((await cluster.whole("ConfigMap", "child")).data, { a: "theirs" });
  });

  test("a child is deleted as it was looked at, or not at all", async (cluster) => {
    const { children } = await family(cluster);
    const made = await children.apply({ a: "1" });
    assert(made.outcome === "ok");
    await cluster.merge("ConfigMap", "child", { data: { theirs: "x" } });
    assertEquals(await children.delete(made.child), { outcome: "conflict", reason: "stale-write" });
    const { metadata } = await cluster.get("ConfigMap", "child");
    assertEquals(await children.delete({ ...made.child, uid: "another" }), {
      outcome: "conflict",
      reason: "recreated",
    });
    assertEquals((await children.delete(metadata)).outcome, "ok");
    await cluster.until(async () => (await children.delete(metadata)).outcome === "gone");
  });

  if (options.waitsForFinalizers === false) return;

  test("a child on its way out is told, until it is gone and can be made anew", async (cluster) => {
    const { children } = await family(cluster);
    const made = await children.apply({ a: "1" });
    assert(made.outcome === "ok");
    await cluster.merge("ConfigMap", "child", { metadata: { finalizers: ["weir.dev/test"] } });
    const { metadata } = await cluster.get("ConfigMap", "child");
    assertEquals((await children.delete(metadata)).outcome, "ok");
    assertEquals((await children.apply({ a: "2" })).outcome, "being-deleted");
    const create = {
      method: "POST",
      body: { ...made.object, metadata: { name: "child" } },
    } as const;
    assertEquals(await cluster.refused(cluster.path("ConfigMap"), create), "being-deleted");
    await cluster.merge("ConfigMap", "child", { metadata: { finalizers: null } });
    const anew = await children.apply({ a: "2" });
    assert(anew.outcome === "ok" && anew.child.uid !== made.child.uid);
  });
}

function ownerOf({ apiVersion, kind, metadata: { name, uid } }: KubeObject): ChildOwner {
  return { apiVersion, kind, name, uid };
}

/** An owner, and the writer of its one child, the ConfigMap `child`. */
async function family(cluster: WrittenCluster) {
  // A real cluster's garbage collector would need some time for what its owner leaves.
  cluster.willMake("ConfigMap", "child");
  const owner = ownerOf(await cluster.create("ConfigMap", "owner"));
  const { transport, clock, namespace } = cluster.target;
  const { signal } = cluster;
  const permits = new WritePermits(alwaysLeader, clock, unlimitedWrites);
  const writer = new ChildWriter({ transport, permits, clock, random: () => 1 });
  const collection = { apiVersion: "v1", kind: "ConfigMap", plural: "configmaps", namespace };
  const children = {
    apply(data: Readonly<Record<string, string>>) {
      const wanted: WantedChild = { name: "child", labels: { a: "b" }, fields: { data } };
      return writer.apply(collection, wanted, { manager, owner, signal });
    },
    delete: (child: Parameters<ChildWriter["delete"]>[1]) =>
      writer.delete(collection, child, { signal }),
  };
  return { children, owner };
}
