/** Whoever describes an object of the local cluster finds the Events that a real cluster would have. */

import { assert, assertEquals } from "@std/assert";
import { asList, asString, isRecord } from "../../src/kube/json_value.ts";
import { exchange } from "../fakes/raw_http.ts";
import { webManifests, webRoute } from "../fakes/web_manifests.ts";
import { WeirProcess } from "../fakes/weir_process.ts";

/** `TYPE REASON KIND/NAME` of each Event. */
async function eventsAt(kubeUrl: string): Promise<readonly string[]> {
  const { host, port } = new URL(kubeUrl);
  const start = "GET /apis/events.k8s.io/v1/events";
  const { body } = await exchange(Number(port), start, `Host: ${host}`);
  const list: unknown = JSON.parse(body);
  return asList(isRecord(list) ? list.items : []).filter(isRecord).map((event) => {
    const regarding = isRecord(event.regarding) ? event.regarding : {};
    return `${event.type} ${event.reason} ${regarding.kind}/${asString(regarding.name)}`;
  }).sort();
}

Deno.test("Events of the local cluster tell what became of a Gateway and its routes", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const broken = webRoute("broken", "/b").replace("name: app,", "name: nobody,");
    await Deno.writeTextFile(
      `${folder}/web.yaml`,
      [webManifests, webRoute("app", "/a"), broken].join("---\n"),
    );
    await using weir = new WeirProcess(folder, [
      "--features=+local-api",
      "--kube-address=127.0.0.1:0",
    ]);
    await weir.ready();
    const kubeUrl = /^ready .* kube=(\S+)/m.exec(weir.errors)?.[1] ?? "";
    let events: readonly string[] = [];
    await weir.until(async () => {
      events = await eventsAt(kubeUrl);
      return events.some((event) => event.includes("HTTPRoute/broken"));
    }, "an Event of the broken route");
    await weir.until(async () => {
      events = await eventsAt(kubeUrl);
      return events.includes("Normal Programmed Gateway/web");
    }, "an Event of the Gateway that is programmed");
    assert(events.includes("Normal Accepted Gateway/web"), `${events}`);
    assert(events.includes("Normal Accepted HTTPRoute/app"), `${events}`);
    assert(events.includes("Warning UnresolvedRefs HTTPRoute/broken"), `${events}`);
    assertEquals(await weir.stop(), 0);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
