/**
 * What a user would lose: a history that says what changed and why, and says so when it does not
 * know any more.
 */

import { assert, assertEquals } from "@std/assert";
import { type ChangeEntry, ChangeLog, type ChangeLogLimits } from "../../src/gateway/change_log.ts";
import { gatewayKey } from "../../src/dataplane/model.ts";
import { objectKey } from "../../src/kube/object.ts";
import { GatewayEngine } from "../fakes/gateway_engine.ts";
import {
  endpointSlice,
  gateway,
  gatewayClass,
  httpRoute,
  namespace,
  rule,
  service,
} from "../fakes/gateway_objects.ts";

interface Logged {
  readonly made: GatewayEngine;
  readonly log: ChangeLog;
  /** Lets what was put in be computed; the new entries. */
  next(): Promise<readonly ChangeEntry[]>;
}

/** A settled engine of one Gateway and one route, whose commits go to a log. */
async function withLog(
  limits: Partial<ChangeLogLimits>,
  test: (logged: Logged) => Promise<void>,
): Promise<void> {
  const made = new GatewayEngine();
  const { state, inputChanges, clock, source } = made;
  const log = new ChangeLog(
    (revision, listedMax) => inputChanges.take(revision, listedMax),
    () => clock.now(),
    limits,
  );
  state.onCommit((changes, outputs) => log.record(changes, outputs));
  source.put(
    gatewayClass(),
    gateway("gw"),
    service("web"),
    endpointSlice("web", "web", ["10.0.0.1"]),
    httpRoute("a", { rules: [rule("/a")] }),
  );
  await made.run();
  await made.settle();
  const next = async () => {
    const from = log.revision;
    await made.settle();
    const entries = log.since(from);
    assert(typeof entries !== "string");
    return entries;
  };
  try {
    await test({ made, log, next });
  } finally {
    await made.stop();
  }
}

/** `source Kind key` of each cause. */
function causesOf({ causes }: ChangeEntry): readonly string[] {
  return causes.changes.map(({ source, kind, key }) => `${source} ${kind} ${key}`);
}

Deno.test("ChangeLog: the first publication is where a history starts, not a change", async () => {
  await withLog({}, ({ log, made }) => {
    assertEquals([log.size, log.revision], [0, made.state.outputs.revision]);
    assertEquals(log.since(log.revision), []);
    assertEquals(log.since(log.revision + 1), "FutureRevision");
    assertEquals(log.since(log.revision - 1), "TooOld");
    return Promise.resolve();
  });
});

Deno.test("ChangeLog: an entry says what changed, from what to what, and because of what", async () => {
  await withLog({}, async ({ made, next }) => {
    made.source.put(endpointSlice("web", "web", ["10.0.0.1", "10.0.0.2"], {}, { generation: 2 }));
    const [entry, ...others] = await next();
    assert(entry);
    assertEquals(others, []);
    assertEquals(entry.changes, [{
      kind: "Service",
      namespace: "default",
      name: "web",
      path: "endpoints[80]",
      before: ["10.0.0.1:8080"],
      after: ["10.0.0.1:8080", "10.0.0.2:8080"],
    }]);
    assertEquals(entry.causes, {
      changes: [{
        kind: "EndpointSlice",
        key: objectKey("default", "web"),
        source: "object",
        revision: entry.revision,
      }],
      count: 1,
    });
    assertEquals([entry.isWhole, entry.revision], [true, made.state.revision]);
    assert(entry.timeMs <= made.clock.now());
  });
});

Deno.test("ChangeLog: changes that are computed together have their causes together", async () => {
  await withLog({}, async ({ made, next }) => {
    made.source.put(httpRoute("b"), httpRoute("c"), httpRoute("b", {}, { generation: 2 }));
    made.source.delete("EndpointSlice", "default/web");
    const [entry] = await next();
    assert(entry);
    assertEquals(causesOf(entry), [
      "object HTTPRoute default/b",
      "object HTTPRoute default/c",
      "object EndpointSlice default/web",
    ]);
    assertEquals(entry.causes.count, 3);
    const revisions = entry.causes.changes.map(({ revision }) => revision);
    assert(revisions.every((revision) => revision > 0 && revision <= entry.revision));
    assertEquals(new Set(revisions).size, 3);
  });
});

Deno.test("ChangeLog: what the data plane says is a cause like any other", async () => {
  await withLog({}, async ({ made, next }) => {
    const key = gatewayKey("default", "gw");
    const config = made.state.outputs.dataPlane.gateways.get(key);
    assert(config);
    const answer = { gateway: key, config, listeners: [], refusals: [] };
    const { revision } = made.state;
    assert(made.state.acknowledge(answer));
    made.inputChanges.note("Gateway", objectKey("default", "gw"), "acknowledgement", revision);
    const [entry] = await next();
    assert(entry);
    assertEquals(causesOf(entry), ["acknowledgement Gateway default/gw"]);
    assert(entry.changes.some(({ path }) => path === "status.conditions[Programmed]"));
  });
});

Deno.test("ChangeLog: an input that changes no output is no entry, and no cause of a later one", async () => {
  await withLog({}, async ({ made, next }) => {
    made.source.put(namespace("default", { team: "a" }));
    assertEquals(await next(), []);
    made.source.put(httpRoute("b"));
    const [entry] = await next();
    assertEquals(entry && causesOf(entry), ["object HTTPRoute default/b"]);
  });
});

Deno.test("ChangeLog: objects that are not ours cause nothing", async () => {
  await withLog({}, async ({ made, next }) => {
    made.source.put(httpRoute("stray", { parentRefs: [{ name: "nobody" }] }));
    assertEquals(await next(), []);
  });
});

Deno.test("ChangeLog: the history is bounded, and says what it has forgotten", async () => {
  await withLog({ entriesMax: 3 }, async ({ made, log, next }) => {
    const revisions: number[] = [log.revision];
    for (let index = 0; index < 5; index++) {
      made.source.put(httpRoute(`r${index}`));
      await next();
      revisions.push(log.revision);
    }
    assertEquals(log.size, 3);
    const counts = revisions.map((revision) => {
      const found = log.since(revision);
      return typeof found === "string" ? found : found.length;
    });
    assertEquals(counts, ["TooOld", "TooOld", 3, 2, 1, 0]);
  });
});

Deno.test("ChangeLog: changes are bounded too, in one entry and in all", async () => {
  await withLog({ entryChangesMax: 4, changesMax: 8, causesMax: 2 }, async (world) => {
    const { made, log, next } = world;
    made.source.put(httpRoute("x"), httpRoute("y"), httpRoute("z"));
    const [entry] = await next();
    assert(entry);
    assertEquals([entry.changes.length, entry.isWhole], [4, false]);
    assertEquals([entry.causes.changes.length, entry.causes.count], [2, 3]);
    for (let index = 0; index < 4; index++) {
      made.source.put(httpRoute(`r${index}`));
      await next();
    }
    assertEquals(log.size, 2);
  });
});

Deno.test("ChangeLog: a listener may leave while it is called, and another hears all the same", async () => {
  await withLog({}, async ({ made, log, next }) => {
    const heard: string[] = [];
    const leave = log.follow(() => {
      heard.push("once");
      leave();
    });
    log.follow(() => heard.push("always"));
    made.source.put(httpRoute("b"));
    await next();
    made.source.put(httpRoute("c"));
    await next();
    assertEquals(heard, ["once", "always", "always"]);
  });
});

Deno.test("ChangeLog: entries in a row lead from the first outputs to the last", async () => {
  await withLog({}, async ({ made, log, next }) => {
    const start = log.revision;
    const routes = ["b", "c", "b"];
    for (const [index, name] of routes.entries()) {
      made.source.put(httpRoute(name, { rules: [rule(`/${index}`)] }, { generation: index + 1 }));
      await next();
    }
    made.source.delete("HTTPRoute", "default/c");
    await next();
    const entries = log.since(start);
    assert(typeof entries !== "string");
    // For each field the values follow on each other.
    const last = new Map<string, unknown>();
    for (const { changes } of entries) {
      for (const { kind, namespace: space, name, path, before, after } of changes) {
        const id = `${kind} ${space}/${name} ${path}`;
        if (last.has(id)) assertEquals(before, last.get(id), id);
        last.set(id, after);
      }
    }
    const entry = "HTTPRoute default/c served[default/gw/http].rules[0].matches[0]";
    assertEquals([last.has(entry), last.get(entry)], [true, null]);
  });
});
