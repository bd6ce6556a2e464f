/**
 * What a user would lose: seeing what a change does before it is done, with nothing touched, and no
 * way for a plan to exhaust the process.
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { planTimeoutMs, type PlanViewOptions } from "../../../src/app/plan_mount.ts";
import { planStopMs } from "../../../src/app/plan_run.ts";
import type { PlanCommand } from "../../../src/app/plan_thread.ts";
import type { Clock } from "../../../src/base/clock.ts";
import { decodeSettings } from "../../../src/config/decode_settings.ts";
import { flags } from "../../../src/config/flags.ts";
import { readArguments } from "../../../src/config/read_arguments.ts";
import { kindNames } from "../../../src/kube/kinds.ts";
import type { KubeObject } from "../../../src/kube/object.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import { makeCertificate } from "../../fakes/gateway_certificates.ts";
import {
  endpointSlice,
  gateway,
  gatewayClass,
  httpRoute,
  httpsListener,
  listener,
  service,
  tlsSecret,
} from "../../fakes/gateway_objects.ts";
import { openAdmission } from "../../fakes/open_admission.ts";
import { scriptedPlanThreads } from "../../fakes/plan_thread.ts";
import { linesOf, worldOf } from "../../fakes/plan_world.ts";
import { RecordingLog } from "../../fakes/recording_log.ts";

const usual: readonly KubeObject[] = [
  gatewayClass(),
  gateway("gw", [listener("http", { port: 8080 })]),
  service("web"),
  endpointSlice("web", "web", ["10.0.0.1"]),
  httpRoute("a", { hostnames: ["a.io"] }),
];

const route = (name: string, spec: object) =>
  JSON.stringify({
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    metadata: { name },
    spec: { parentRefs: [{ name: "gw" }], ...spec },
  });

Deno.test("A plan without a proposal changes nothing", async () => {
  const plan = await worldOf(usual).plan("");
  assertEquals(plan, {
    baseRevision: "e1.7",
    verdict: "unchanged",
    changes: [],
    changeCount: 0,
    traffic: [],
    trafficCount: 0,
    isTrafficWhole: true,
    worseCount: 0,
    newDiagnostics: [],
    problems: [],
    problemCount: 0,
  });
});

Deno.test("A plan tells what a new route would do, before and after", async () => {
  const plan = await worldOf(usual).plan(
    route("b", { hostnames: ["b.io"], rules: [{ backendRefs: [{ name: "gone", port: 80 }] }] }),
  );
  assertEquals(plan.verdict, "worse");
  assertEquals(linesOf(plan), [
    "Gateway gw status.listeners[http].attachedRoutes",
    "HTTPRoute b status.parents[default/gw].conditions[Accepted]",
    "! HTTPRoute b status.parents[default/gw].conditions[ResolvedRefs]",
    "HTTPRoute b status.parents[default/gw].conditions[weir.dev/Programmed]",
    "HTTPRoute b served[default/gw/http].rules[0].matches[0].hostnames[b.io]",
  ]);
  const [attached] = plan.changes;
  assertEquals([attached?.namespace, attached?.before, attached?.after], ["default", 1, 2]);
});

Deno.test("A plan tells what a deletion would do to others", async () => {
  const plan = await worldOf(usual).plan("", "svc/default/web");
  assertEquals(linesOf(plan), [
    "! HTTPRoute a status.parents[default/gw].conditions[ResolvedRefs]",
    "! HTTPRoute a served[default/gw/http].rules[0].matches[0].hostnames[a.io]",
    "Service web endpoints[80]",
  ]);
  assertEquals(plan.verdict, "worse");
});

Deno.test("A plan is worse when somebody else's route would be shadowed", async () => {
  const older = httpRoute("z", { hostnames: ["z.io"] }, { created: "2020-01-01T00:00:00Z" });
  const plan = await worldOf([...usual, older]).plan(route("z", {
    hostnames: ["a.io"],
    rules: [{ backendRefs: [{ name: "web", port: 80 }] }],
  }));
  assertEquals(plan.newDiagnostics.map(({ code, object }) => `${code} ${object}`), [
    "RouteShadowed HTTPRoute default/a",
  ]);
  assertEquals(plan.verdict, "worse");
});

Deno.test("A plan lists what of the proposal is refused, and computes the rest", async () => {
  const text = `${route("b", { rules: [{ matches: [{ path: { value: "no" } }] }] })}
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { ports: [{ port: 81 }] }
`;
  const plan = await worldOf(usual).plan(text, "httproute/default/none", "Pod/default/x", "gw");
  assertEquals(
    plan.problems.map(({ source, object, message }) => [source, object, message.slice(0, 60)]),
    [
      ["-:1", "HTTPRoute default/b", plan.problems[0]?.message.slice(0, 60) ?? ""],
      ["", "httproute/default/none", 'Delete object: there is no HTTPRoute "default/none"'],
      ["", "Pod/default/x", 'Delete object: kind "Pod" is not known'],
      ["", "gw", 'Delete object: kind "gw" is not known'],
    ],
  );
  assert(
    linesOf(plan).includes("! HTTPRoute a status.parents[default/gw].conditions[ResolvedRefs]"),
  );
});

Deno.test("A plan leaves every object of the process as it is", async () => {
  const { cluster, plan } = worldOf(usual);
  const before = kindNames.map((kind) => cluster.list(kind));
  const found = await plan(route("a", { hostnames: ["other.io"] }), "gateway/default/gw");
  assert(found.changeCount > 5);
  assertEquals(kindNames.map((kind) => cluster.list(kind)), before);
});

Deno.test("A plan shows a certificate by its digest and nothing of its key", async () => {
  const [first, second] = [await makeCertificate(["a.io"]), await makeCertificate(["a.io"])];
  const world = worldOf([
    ...usual,
    gateway("tls", [httpsListener("https", ["cert"], { port: 8443 })]),
    tlsSecret("cert", first),
  ]);
  const { data } = tlsSecret("cert", second);
  const plan = await world.plan(JSON.stringify({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "cert" },
    type: "kubernetes.io/tls",
    data,
  }));
  assertEquals(linesOf(plan), ["Secret cert certificate"]);
  assertEquals(plan.verdict, "changed");
  const text = JSON.stringify(plan);
  assert(!text.includes("PRIVATE KEY") && !text.includes(String(Object.values(data ?? {})[1])));
});

Deno.test("A plan tells what the engine cannot read of the proposal, not of what there is", async () => {
  const broken = httpRoute("broken", { parentRefs: "none" });
  const world = worldOf([...usual, broken], {}, openAdmission);
  assertEquals((await world.plan("")).problems, []);
});

Deno.test("A plan repeats no value of a Secret that it refuses", async () => {
  const plan = await worldOf(usual).plan(JSON.stringify({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "cert" },
    type: "kubernetes.io/tls",
    data: { "tls.crt": "hunter2-planted!", "tls.key": "hunter2-planted!" },
  }));
  assert(plan.problemCount > 0);
  assert(!JSON.stringify(plan).includes("hunter2"));
});

Deno.test("A fork keeps the address that a Gateway has, whatever is first in the pool", async () => {
  const { layer } = readArguments(flags, ["--gateway-addresses=127.0.0.1,127.0.0.2"]);
  const world = worldOf(usual, { settings: decodeSettings(flags, [layer]).settings });
  const [stored] = world.cluster.list("Gateway").items;
  assert(stored);
  world.cluster.updateStatus("Gateway", {
    ...stored,
    metadata: { ...stored.metadata },
    status: { addresses: [{ type: "IPAddress", value: "127.0.0.2" }] },
  });
  const plan = await world.plan("", "gateway/default/gw");
  const addresses = plan.changes.find(({ path }) => path === "served.addresses");
  assertEquals([addresses?.before, addresses?.after], [["127.0.0.2"], null]);
});

Deno.test("Plans are refused before there is anything, one beside another, and of too much", async () => {
  const early = worldOf(usual, { state: { hasPublished: false, revision: 0 } });
  const large = worldOf(usual, { objectsMax: 3 });
  const answers = [await early.ask(""), await large.ask("")];
  assertEquals(answers.map((answer) => answer.ok ? "" : answer.reason), [
    "NotReady",
    "TooManyObjects",
  ]);
  const { ask } = worldOf(usual);
  const [first, second] = await Promise.all([ask(""), ask("")]);
  assertEquals([first?.ok, second?.ok], [true, false]);
  assert(second && !second.ok && second.reason === "PlanInProgress");
  assertEquals((await ask("")).ok, true);
});

/** A view whose threads a test plays, over the usual objects. */
function scriptedWorld(options: Partial<PlanViewOptions> = {}) {
  const { start, threads } = scriptedPlanThreads();
  const world = worldOf(usual, { startThread: start, ...options });
  return { ...world, threads };
}

Deno.test("A plan that takes too long is answered, and its thread counts until it has ended", async () => {
  const { clock, ask, threads } = scriptedWorld();
  const late = ask("");
  await clock.advance(planTimeoutMs);
  const answer = await late;
  assertEquals(answer.ok ? "" : answer.reason, "PlanTimeout");
  assertEquals(threads[0]?.commands, [{ type: "cancel" }]);
  const beside = await ask("");
  assertEquals(beside.ok ? "" : beside.reason, "PlanInProgress");
  // Asked for more while it was told to end: it gets nothing.
  threads[0]?.report({ type: "next" });
  threads[0]?.report({ type: "cancelled" });
  assertEquals([threads[0]?.commands.length, threads[0]?.isTerminated], [1, true]);
  const next = ask("");
  threads[1]?.report({ type: "done", answer: new Uint8Array([1]) });
  assertEquals(await next, { ok: true, plan: new Uint8Array([1]) });
  assertEquals(clock.pending, 0);
});

Deno.test("A plan that nobody waits for any more is cancelled", async () => {
  const { clock, view, threads } = scriptedWorld();
  const client = new AbortController();
  const left = view.plan({ manifests: "", deletions: [] }, client.signal);
  client.abort("gone");
  await assertRejects(() => left, Error, "nobody waits");
  assertEquals(threads[0]?.commands, [{ type: "cancel" }]);
  threads[0]?.report({ type: "cancelled" });
  await assertRejects(() => view.plan({ manifests: "", deletions: [] }, client.signal));
  assertEquals([threads.length, clock.pending], [1, 0]);
});

Deno.test("A thread that does not end is let go, told, and in nobody's way", async () => {
  const log = new RecordingLog();
  const { clock, ask, threads } = scriptedWorld({ log });
  const late = ask("");
  await clock.advance(planTimeoutMs + planStopMs);
  assertEquals((await late).ok, false);
  assertEquals(log.records.map(({ level, message }) => [level, message]), [
    ["error", "A plan does not end, its thread is left to itself"],
  ]);
  assertEquals(threads[0]?.isTerminated, true);
  const next = ask("");
  threads[1]?.report({ type: "done", answer: new Uint8Array() });
  assertEquals((await next).ok, true);
});

Deno.test("A plan for which there is not enough memory is refused, a broken thread is a fault", async () => {
  const { ask, threads } = scriptedWorld();
  const large = ask("");
  threads[0]?.report({ type: "outOfMemory" });
  const answer = await large;
  assertEquals(answer.ok ? "" : answer.reason, "PlanTooLarge");
  const broken = ask("");
  threads[1]?.fail(new Error("no such file"));
  await assertRejects(() => broken, Error, "no such file");
  const failed = ask("");
  threads[2]?.report({ type: "failed", message: "a bug" });
  await assertRejects(() => failed, Error, "a bug");
  const never = scriptedWorld({
    startThread() {
      throw new Error("no threads");
    },
  });
  // Twice: the first one is not in the way of the second.
  await assertRejects(() => never.ask(""), Error, "no threads");
  await assertRejects(() => never.ask(""), Error, "no threads");
});

Deno.test("The event loop of a plan parses nothing: it writes objects in parts when asked, and waits", async () => {
  const slow = new FakeClock();
  const clock: Clock = {
    now: () => slow.now(),
    // Every look at the clock is past the end of a part.
    monotonicMs: () => slow.monotonicMs() + 1000 * ++looks,
    sleep: (ms, signal) => slow.sleep(ms, signal),
    after: (ms, callback) => slow.after(ms, callback),
  };
  let looks = 0;
  const { ask, threads } = scriptedWorld({ clock });
  // Whoever parsed this would find a fault.
  const waiting = ask("{ not: yaml", "svc/default/web");
  const [thread] = threads;
  assert(thread);
  assertEquals([thread.job.manifests, thread.job.deletions], ["{ not: yaml", ["svc/default/web"]]);
  assertEquals(thread.commands, []);
  const counts: number[] = [];
  for (let asked = 1; !isLast(thread.commands.at(-1)); asked++) {
    thread.report({ type: "next" });
    assertEquals(thread.commands.length, asked);
    const command = thread.commands.at(-1);
    counts.push(command?.type === "objects" ? JSON.parse(command.text).length : -1);
  }
  // One object each, because no part may take longer; a namespace came with the first.
  assertEquals(counts, [1, 1, 1, 1, 1, 1]);
  thread.report({ type: "done", answer: new Uint8Array() });
  await waiting;
});

function isLast(command: PlanCommand | undefined): boolean {
  return command?.type === "objects" && command.isLast;
}
