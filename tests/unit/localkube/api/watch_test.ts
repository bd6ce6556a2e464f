/**
 * Watches of the Kubernetes API. What a user would lose: controllers and `kubectl get -w` that see
 * every change once, learn when an object enters or leaves what they watch, and are told to list anew
 * when they were away for too long.
 */

import { assertEquals } from "@std/assert";
import { configMap, configMaps, type Json, TestKubeApi } from "../../../fakes/kube_api.ts";

function brief(events: readonly Json[]): readonly string[] {
  return events.map(({ type, object }) => `${type} ${object.metadata?.name ?? object.code ?? ""}`);
}

async function label(api: TestKubeApi, name: string, value: string): Promise<void> {
  await api.ask("PATCH", `${configMaps}/${name}`, {
    contentType: "application/merge-patch+json",
    body: { metadata: { labels: { app: value } } },
  });
}

Deno.test("a watch from a version tells each later change once", async () => {
  const api = new TestKubeApi();
  await api.ask("POST", configMaps, { body: configMap("a") });
  const { json } = await api.ask("GET", configMaps);
  await api.ask("POST", configMaps, { body: configMap("b") });
  const version = json.metadata.resourceVersion;
  const watch = await api.watch(`${configMaps}?watch=1&resourceVersion=${version}`);
  await label(api, "a", "web");
  await api.ask("DELETE", `${configMaps}/b`);
  assertEquals(brief(watch.events), ["ADDED b", "MODIFIED a", "DELETED b"]);
  watch.stop();
  await api.ask("DELETE", `${configMaps}/a`);
  assertEquals(watch.events.length, 3);
  assertEquals(api.clock.pending, 0);
});

Deno.test("without a version everything there is comes first", async () => {
  const api = new TestKubeApi();
  await api.ask("POST", configMaps, { body: configMap("a") });
  for (const query of ["watch=true", "watch=1&resourceVersion=0"]) {
    const watch = await api.watch(`${configMaps}?${query}`);
    assertEquals(brief(watch.events), ["ADDED a"]);
    watch.stop();
  }
});

Deno.test("initial events end with a bookmark that says so", async () => {
  const api = new TestKubeApi();
  await api.ask("POST", configMaps, { body: configMap("a") });
  const watch = await api.watch(
    `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan` +
      "&allowWatchBookmarks=true&resourceVersion=",
  );
  assertEquals(brief(watch.events), ["ADDED a", "BOOKMARK "]);
  const [, { object }] = watch.events;
  assertEquals(object.metadata.annotations, { "k8s.io/initial-events-end": "true" });
  assertEquals(object.metadata.resourceVersion, api.cluster.resourceVersion);
  watch.stop();
});

Deno.test("an object that enters the selection is added, one that leaves it deleted", async () => {
  const api = new TestKubeApi();
  await api.ask("POST", configMaps, { body: configMap("a") });
  const version = api.cluster.resourceVersion;
  await label(api, "a", "web");
  await label(api, "a", "db");
  const selector = "labelSelector=app%3Dweb";
  const watch = await api.watch(`${configMaps}?watch=1&${selector}&resourceVersion=${version}`);
  await label(api, "a", "web");
  assertEquals(brief(watch.events), ["ADDED a", "DELETED a", "ADDED a"]);
  const [, gone] = watch.events;
  assertEquals(gone.object.metadata.labels, { app: "web" });
  watch.stop();
});

Deno.test("a watch of all namespaces sees all, of one only its own", async () => {
  const api = new TestKubeApi();
  const all = await api.watch("/api/v1/configmaps?watch=1");
  const one = await api.watch(`${configMaps}?watch=1`);
  await api.ask("POST", "/api/v1/namespaces/other/configmaps", { body: configMap("x") });
  await api.ask("POST", configMaps, { body: configMap("y") });
  assertEquals(brief(all.events), ["ADDED x", "ADDED y"]);
  assertEquals(brief(one.events), ["ADDED y"]);
  all.stop();
  one.stop();
});

Deno.test("a version that is too old is an ERROR event of 410, and the end", async () => {
  const api = new TestKubeApi({ limits: { historyMax: 2 } });
  for (const name of ["a", "b", "c", "d"]) {
    await api.ask("POST", configMaps, { body: configMap(name) });
  }
  const watch = await api.watch(`${configMaps}?watch=1&resourceVersion=2`);
  assertEquals(brief(watch.events), ["ERROR 410"]);
  assertEquals([watch.events[0].object.reason, watch.isOver], ["Expired", true]);
});

Deno.test("bookmarks come each minute to those who asked, and the watch ends in time", async () => {
  const api = new TestKubeApi();
  const version = api.cluster.resourceVersion;
  const query = `watch=1&resourceVersion=${version}&timeoutSeconds=150`;
  const watch = await api.watch(`${configMaps}?${query}&allowWatchBookmarks=true`);
  const quiet = await api.watch(`${configMaps}?${query}`);
  await api.clock.advance(149_000);
  assertEquals(brief(watch.events), ["BOOKMARK ", "BOOKMARK "]);
  assertEquals(quiet.events, []);
  assertEquals(watch.isOver, false);
  await api.clock.advance(2_000);
  assertEquals([watch.isOver, quiet.isOver, api.clock.pending], [true, true, 0]);
});

Deno.test("a table has its columns in the first event only", async () => {
  const api = new TestKubeApi();
  const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const watch = await api.watch(`${configMaps}?watch=1`, { accept });
  await api.ask("POST", configMaps, { body: configMap("a") });
  await api.ask("POST", configMaps, { body: configMap("b") });
  assertEquals(watch.events.map(({ object }) => object.columnDefinitions?.length), [3, undefined]);
  watch.stop();
});

Deno.test("parameters that no watch has are refused", async () => {
  const api = new TestKubeApi();
  for (
    const query of [
      "sendInitialEvents=true",
      "sendInitialEvents=true&resourceVersionMatch=Exact",
      "resourceVersionMatch=NotOlderThan",
      "timeoutSeconds=x",
      "labelSelector=(",
    ]
  ) {
    const { status } = await api.ask("GET", `${configMaps}?watch=1&${query}`);
    assertEquals(status, 400, query);
  }
});
