// What a user would lose: the log would be silent about a manifest that is valid and yet not served (no
// certificate, no port, no backend), or would cry about what heals itself, or drown in repetitions.

import { assertEquals } from "@std/assert";
import { StatusLog } from "../../../src/app/status_log.ts";
import { diffOutputs } from "../../../src/gateway/diff.ts";
import { byStatusKind, noOutputs, type Outputs } from "../../../src/gateway/outputs.ts";
import type { DesiredCondition, DesiredStatus } from "../../../src/kube/desired_status.ts";
import { type ObjectKey, objectKey } from "../../../src/kube/object.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import { RecordingLog } from "../../fakes/recording_log.ts";
import { desiredCondition } from "../../fakes/status_objects.ts";

const notFound = desiredCondition("ResolvedRefs", {
  status: "False",
  reason: "BackendNotFound",
  message: "no such Service",
});

function route(name: string, conditions: readonly DesiredCondition[], pending = false) {
  const parents = [{ parentRef: { name: "edge", sectionName: "http" }, conditions }];
  return status("HTTPRoute", name, { shape: "parents", controllerName: "c", parents }, pending);
}

function status(
  kind: "Gateway" | "HTTPRoute",
  name: string,
  body: DesiredStatus["body"],
  pending = false,
): DesiredStatus {
  const key = objectKey("shop", name);
  return { kind, key, uid: name, generation: 1, revision: 1, pending, body };
}

/** Runs `use` beside a running log; `commit` publishes these statuses and no others. */
async function withLog(
  use: (world: {
    commit(...statuses: readonly DesiredStatus[]): void;
    /** What was logged since the last call, a moment later. */
    heard(): Promise<readonly string[]>;
  }) => Promise<void>,
): Promise<void> {
  const clock = new FakeClock();
  const log = new RecordingLog();
  let outputs: Outputs = noOutputs;
  const statusLog = new StatusLog(log, clock, () => outputs);
  const stop = new AbortController();
  const running = statusLog.run(stop.signal);
  await use({
    commit(...statuses) {
      const of = (kind: string): ReadonlyMap<ObjectKey, DesiredStatus> =>
        new Map(statuses.filter((each) => each.kind === kind).map((each) => [each.key, each]));
      const previous = outputs;
      outputs = {
        ...noOutputs,
        statuses: byStatusKind(of),
      };
      statusLog.onCommit(diffOutputs(previous, outputs));
    },
    async heard() {
      await clock.advance(1_000);
      return log.records.splice(0).map(({ level, message, fields }) =>
        [level, message, ...Object.values(fields).map(String)].join("|")
      );
    },
  });
  stop.abort();
  await running;
  assertEquals(clock.pending, 0);
}

const problem = "warn|Status problem|HTTPRoute shop/app|parent shop/edge/http|ResolvedRefs=False|" +
  "BackendNotFound|no such Service";

Deno.test("StatusLog tells of a fault once, and when it is gone", async () => {
  await withLog(async ({ commit, heard }) => {
    commit(route("app", [desiredCondition("Accepted"), notFound]));
    assertEquals(await heard(), [problem]);
    commit(route("app", [notFound, desiredCondition("Accepted")]));
    assertEquals(await heard(), []);
    commit(route("app", [desiredCondition("ResolvedRefs")]));
    assertEquals(await heard(), [
      problem.replace("warn|Status problem", "info|Status problem resolved"),
    ]);
  });
});

Deno.test("StatusLog tells of a fault whose cause is another one now", async () => {
  await withLog(async ({ commit, heard }) => {
    commit(route("app", [notFound]));
    await heard();
    commit(route("app", [{ ...notFound, message: "no such port" }]));
    assertEquals(await heard(), [problem.replace("no such Service", "no such port")]);
  });
});

Deno.test("StatusLog does not tell of what heals itself within a moment", async () => {
  await withLog(async ({ commit, heard }) => {
    commit(route("app", [notFound]));
    commit(route("app", [desiredCondition("ResolvedRefs")]));
    assertEquals(await heard(), []);
  });
});

Deno.test("StatusLog leaves a fault as it is until the data plane has answered", async () => {
  await withLog(async ({ commit, heard }) => {
    commit(route("app", [notFound]));
    await heard();
    commit(route("app", [desiredCondition("ResolvedRefs", { status: "Unknown" })], true));
    assertEquals(await heard(), []);
    commit(route("app", [notFound]));
    assertEquals(await heard(), []);
  });
});

Deno.test("StatusLog forgets a deleted object, and tells again when it comes back", async () => {
  await withLog(async ({ commit, heard }) => {
    commit(route("app", [notFound]));
    await heard();
    commit();
    assertEquals(await heard(), []);
    commit(route("app", [notFound]));
    assertEquals(await heard(), [problem]);
  });
});

Deno.test("StatusLog tells of a listener's conditions with one cause in one line", async () => {
  const cause = { reason: "HostnameConflict", message: "taken" };
  const listener = {
    name: "web",
    supportedKinds: [],
    attachedRoutes: 0,
    conditions: [
      desiredCondition("Accepted", { ...cause, status: "False" }),
      desiredCondition("Conflicted", cause),
      desiredCondition("ResolvedRefs"),
    ],
  };
  await withLog(async ({ commit, heard }) => {
    commit(status("Gateway", "edge", {
      shape: "conditions",
      conditions: [],
      listeners: [listener],
      fields: {},
    }));
    assertEquals(await heard(), [
      "warn|Status problem|Gateway shop/edge|listener web|Accepted=False,Conflicted=True|" +
      "HostnameConflict|taken",
    ]);
  });
});

Deno.test("StatusLog counts what is too much for the log at once", async () => {
  const names = Array.from({ length: 50 }, (_, index) => `r${index}`);
  await withLog(async ({ commit, heard }) => {
    commit(...names.map((name) => route(name, [notFound])));
    const lines = await heard();
    assertEquals(lines.length, 21);
    assertEquals(
      lines.at(-1),
      "warn|More statuses changed than are logged at once|30|0|/api/v1/state",
    );
    commit(...names.map((name) => route(name, [desiredCondition("ResolvedRefs")])));
    assertEquals(
      (await heard()).at(-1),
      "warn|More statuses changed than are logged at once|0|30|/api/v1/state",
    );
  });
});
