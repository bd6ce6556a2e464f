/**
 * What a user would lose: the words of the API for what the engine recorded, a clear word when there
 * is nothing to explain, and a process that goes on while it explains.
 */

import { assert, assertEquals } from "@std/assert";
import { explainObject, type ExplainObjectOptions } from "../../../src/app/explain_object.ts";
import type { Kind } from "../../../src/kube/kinds.ts";
import { ExplainedEngine } from "../../fakes/explained_engine.ts";
import {
  controllerName,
  gateway,
  gatewayClass,
  httpRoute,
  httpsListener,
  service,
} from "../../fakes/gateway_objects.ts";
import { toKey } from "../../fakes/gateway_world.ts";

interface Explained {
  readonly engine: ExplainedEngine;
  explain(kind: Kind, key: string): ReturnType<typeof explainObject>;
}

/** An engine with some objects; `test` asks it. */
async function withEngine(
  test: (explained: Explained) => Promise<void>,
  settings: ExplainObjectOptions["settings"] = { controllerName, gateways: [] },
  unread: ExplainObjectOptions["unread"] = () => undefined,
): Promise<void> {
  const engine = new ExplainedEngine();
  const { state, history, clock, source } = engine;
  const options = { state, history, clock, settings, cluster: source, unread, epoch: "e1" };
  engine.source.put(
    gatewayClass(),
    gatewayClass("other", { controllerName: "other.example/controller" }),
    gateway("gw", [httpsListener("https", ["cert"])]),
    gateway("foreign", undefined, { gatewayClassName: "other" }),
    gateway("lost", undefined, { gatewayClassName: "none" }),
    httpRoute("r"),
    httpRoute("stray", { parentRefs: [{ name: "foreign" }] }),
    service("web"),
  );
  try {
    await test({ engine, explain: (kind, key) => explainObject(options, kind, toKey(key)) });
  } finally {
    await engine.stop();
  }
}

Deno.test("explainObject() shows listeners and parents with revisions of the process and times", async () => {
  await withEngine(async ({ engine, explain }) => {
    await engine.start();
    const found = await explain("Gateway", "default/gw");
    assert(found.ok);
    const { revision, kind, namespace, name, listeners, parents } = found.explanation;
    assertEquals([revision, kind, namespace, name, parents], [
      `e1.${engine.state.outputs.revision}`,
      "Gateway",
      "default",
      "gw",
      undefined,
    ]);
    const resolved = listeners?.[0]?.conditions.find(({ type }) => type === "ResolvedRefs");
    const startMs = engine.history.start?.timeMs ?? 0;
    assertEquals(resolved?.because[0], {
      kind: "Secret",
      namespace: "default",
      name: "cert",
      field: "data",
      // It was never there while the process runs, which is since its first publication.
      revision: "e1.0",
      time: new Date(startMs).toISOString(),
      source: "object",
      absent: true,
    });
    assertEquals(resolved?.lastChange.sinceStart, true);
    const route = await explain("HTTPRoute", "default/r");
    assert(route.ok);
    assertEquals(route.explanation.conditions, []);
    assertEquals(route.explanation.parents?.map(({ parentRef }) => parentRef), [{ name: "gw" }]);
  });
});

Deno.test("explainObject() names the fields that the last change of a whole object altered", async () => {
  await withEngine(async ({ engine, explain }) => {
    await engine.start();
    const ports = [{ name: "http", port: 80, protocol: "TCP" }, { port: 81, protocol: "TCP" }];
    engine.source.put(service("web", { ports }));
    await engine.settle();
    const found = await explain("HTTPRoute", "default/r");
    assert(found.ok);
    const all = found.explanation.parents?.[0]?.conditions ?? [];
    const resolved = all.find(({ type }) => type === "ResolvedRefs");
    const named = resolved?.because.find(({ kind }) => kind === "Service");
    assertEquals([named?.name, named?.changed], ["web", ["spec.ports"]]);
  });
});

Deno.test("explainObject() says why there is nothing to explain", async () => {
  await withEngine(async ({ engine, explain }) => {
    const early = await explain("Gateway", "default/gw");
    assertEquals([early.ok, !early.ok && early.reason], [false, "NotReady"]);
    await engine.start();
    for (
      const [kind, key, reason] of [
        ["Secret", "default/cert", "NoStatus"],
        ["Service", "default/web", "NoStatus"],
        ["Gateway", "default/none", "NotFound"],
      ] as const
    ) {
      const answer = await explain(kind, key);
      assertEquals(!answer.ok && answer.reason, reason, `${kind} ${key}`);
    }
    const notes = async (kind: Kind, key: string): Promise<string> => {
      const answer = await explain(kind, key);
      assert(answer.ok, `${kind} ${key}`);
      return answer.explanation.notes.join(" ");
    };
    const none = "It has no status of this controller: ";
    const other = `the controllerName is "other.example/controller", wanted "${controllerName}"`;
    assertEquals(await notes("GatewayClass", "other"), none + other);
    assertEquals(
      await notes("Gateway", "default/foreign"),
      `${none}of its GatewayClass "other" ${other}`,
    );
    assertEquals(await notes("Gateway", "default/lost"), `${none}there is no GatewayClass "none"`);
    assertEquals(
      await notes("HTTPRoute", "default/stray"),
      `${none}it leads to no Gateway that is managed here`,
    );
  });
});

Deno.test("explainObject() waits for what is being computed, and gives up in time", async () => {
  await withEngine(async ({ engine, explain }) => {
    await engine.start();
    engine.source.put(httpRoute("r", { hostnames: ["a.example.com"] }, { generation: 2 }));
    const waiting = explain("HTTPRoute", "default/r");
    await engine.settle();
    const answer = await waiting;
    assert(answer.ok);
    assertEquals(answer.explanation.revision, `e1.${engine.state.revision}`);
    await engine.stop();
    engine.source.put(httpRoute("r", { hostnames: ["b.example.com"] }, { generation: 3 }));
    engine.inputChanges.target.delete("HTTPRoute", toKey("default/r"));
    const never = explain("HTTPRoute", "default/r");
    await engine.clock.advance(2000);
    const late = await never;
    assertEquals(!late.ok && late.reason, "NotReady");
  });
});

Deno.test("explainObject() tells once why what counts as absent may be there", async () => {
  const unread = (kind: string, namespace?: string): string | undefined =>
    kind === "Secret" ? `Secret is not read in namespace "${namespace}"` : undefined;
  await withEngine(
    async ({ engine, explain }) => {
      await engine.start();
      const found = await explain("Gateway", "default/gw");
      assert(found.ok);
      assertEquals(found.explanation.notes, ['Secret is not read in namespace "default"']);
    },
    undefined,
    unread,
  );
});
