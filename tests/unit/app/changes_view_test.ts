// What a user would lose: events of one documented shape, and a stream that can be taken up again.

import { assert, assertEquals } from "@std/assert";
import { parse } from "valibot";
import { ChangeEventSchema, GapEventSchema } from "../../../src/api/changes.ts";
import { createChangesView } from "../../../src/app/changes_view.ts";
import { ChangeLog } from "../../../src/gateway/change_log.ts";
import { diffOutputs } from "../../../src/gateway/diff.ts";
import type { SentEvent } from "../../../src/http/event_sink.ts";
import { makeCertificate } from "../../fakes/gateway_certificates.ts";
import {
  gateway,
  gatewayClass,
  httpRoute,
  httpsListener,
  service,
  tlsSecret,
} from "../../fakes/gateway_objects.ts";
import { GatewayWorld } from "../../fakes/gateway_world.ts";
import { noOutputs, type Outputs } from "../../../src/gateway/outputs.ts";
import { objectKey } from "../../../src/kube/object.ts";

/** A log with a first publication and two entries; the revisions of the three. */
function filledLog() {
  const world = new GatewayWorld();
  const causes = (revision: number) => ({
    changes: [
      { kind: "HTTPRoute", key: objectKey("default", "a"), source: "object", revision },
      { kind: "GatewayClass", key: objectKey(undefined, "weir"), source: "object", revision },
    ] as const,
    count: 2,
  });
  const log = new ChangeLog(causes, () => Date.UTC(2026, 0, 1));
  let before: Outputs = noOutputs;
  const commit = (): number => {
    const after = world.outputs();
    log.record(diffOutputs(before, after), after);
    before = after;
    return after.revision;
  };
  world.put(gatewayClass(), gateway("gw"), service("web"));
  const revisions = [commit()];
  for (const name of ["a", "b"]) {
    world.put(httpRoute(name));
    revisions.push(commit());
  }
  return { log, world, commit, revisions };
}

/** What a follower is sent: marks as `mark ID`. */
function follow(log: ChangeLog, since: string | undefined, charsMax?: number) {
  const sent: (SentEvent | string)[] = [];
  const stop = createChangesView(log, "e1", charsMax).follow(since, {
    send: (event) => sent.push(event),
    mark: (id) => sent.push(`mark ${id}`),
  });
  return { sent, stop };
}

const idsOf = (sent: readonly (SentEvent | string)[]): readonly string[] =>
  sent.map((one) => typeof one === "string" ? one : `${one.event} ${one.id}`);

Deno.test("createChangesView() goes on where a client was, and then follows", () => {
  const { log, world, commit, revisions } = filledLog();
  const [first, second, third] = revisions;
  const { sent, stop } = follow(log, `e1.${first}`);
  assertEquals(idsOf(sent), [`mark e1.${first}`, `change e1.${second}`, `change e1.${third}`]);
  world.put(httpRoute("c"));
  const fourth = commit();
  assertEquals(idsOf(sent).at(-1), `change e1.${fourth}`);
  stop();
  world.put(httpRoute("d"));
  commit();
  assertEquals(sent.length, 4);
});

Deno.test("createChangesView() begins now when nothing is said", () => {
  const { log } = filledLog();
  assertEquals(idsOf(follow(log, undefined).sent), [`mark e1.${log.revision}`]);
});

Deno.test("createChangesView() tells a gap and its reason", () => {
  const { log, revisions } = filledLog();
  const [first = 0] = revisions;
  const cases: readonly [since: string, reason: string, charsMax?: number][] = [
    [`e1.${first - 1}`, "TooOld"],
    [`e1.${log.revision + 1}`, "FutureRevision"],
    [`other.${log.revision}`, "ForeignEpoch"],
    [`e1.${first}`, "TooMuch", 100],
  ];
  for (const [since, reason, charsMax] of cases) {
    const { sent } = follow(log, since, charsMax);
    assertEquals(idsOf(sent), [`mark e1.${log.revision}`, `gap e1.${log.revision}`]);
    const [, gap] = sent;
    assert(typeof gap === "object");
    const data = parse(GapEventSchema, JSON.parse(gap.data));
    assertEquals(data, { revision: `e1.${log.revision}`, reason });
  }
});

Deno.test("createChangesView() tells of another certificate by its digest alone", async () => {
  const { log, world, commit } = filledLog();
  const certificates = [await makeCertificate(["a.io"]), await makeCertificate(["a.io"])];
  world.put(gateway("tls", [httpsListener("https", ["cert"])]));
  const revisions = certificates.map((pem, index) => {
    world.put(tlsSecret("cert", pem, { uid: `uid-${index}` }));
    return commit();
  });
  const { sent } = follow(log, `e1.${revisions[0]}`);
  const text = JSON.stringify(sent);
  assert(text.includes("digest"));
  for (const { certificate, key } of certificates) {
    for (const pem of [certificate, key]) {
      const [, line = ""] = pem.split("\n");
      assert(line.length > 20 && !text.includes(line));
    }
  }
});

Deno.test("createChangesView() sends what the schema says", () => {
  const { log, revisions } = filledLog();
  const [first, second] = revisions;
  const [, event] = follow(log, `e1.${first}`).sent;
  assert(typeof event === "object");
  const data = parse(ChangeEventSchema, JSON.parse(event.data));
  assertEquals(data.revision, `e1.${second}`);
  assertEquals(data.time, "2026-01-01T00:00:00.000Z");
  assertEquals(data.causes, [
    {
      kind: "HTTPRoute",
      namespace: "default",
      name: "a",
      source: "object",
      revision: `e1.${second}`,
    },
    { kind: "GatewayClass", name: "weir", source: "object", revision: `e1.${second}` },
  ]);
  assert(
    data.changes.some(({ kind, name, path, before }) =>
      kind === "HTTPRoute" && name === "a" && path.startsWith("status.") && before === null
    ),
  );
});
