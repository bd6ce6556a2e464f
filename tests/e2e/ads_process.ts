/**
 * An ADS server as a process of its own, to be killed: `deno run … ads_process.ts SOCKET EDITS`.
 *
 * EDITS is a JSON file of `WorldEdit`s. Prints `sent KIND NAMES` for each response, and `settled` once
 * the Envoy has the world.
 */

// deno-lint-ignore-file no-console -- A script talks to who started it.

import { systemClock } from "../../src/base/clock.ts";
import { noLog } from "../../src/base/log.ts";
import { createAdsApp } from "../../src/envoy/ads/ads_app.ts";
import { serveAds } from "../../src/envoy/ads/ads_listener.ts";
import { AdsServer } from "../../src/envoy/ads/ads_server.ts";
import { defaultStreamLimits } from "../../src/envoy/ads/ads_stream.ts";
import { encodeScopeSalt } from "../../src/envoy/ads/scope_salt.ts";
import { loadEnvoyCodec } from "../../src/envoy/protobuf_codec.ts";
import { editWorld } from "./envoy_world.ts";
import { testNode } from "./real_envoy.ts";

const [path = "", edits = ""] = Deno.args;
const codec = await loadEnvoyCodec();
const server = new AdsServer({
  worldNameOf: ({ cluster }) => cluster,
  limits: defaultStreamLimits,
  salt: (count) => encodeScopeSalt(codec, count),
  clock: systemClock,
  log: noLog,
  onProgress: () => {
    const view = server.view(testNode.id);
    if (view && view.settledRevision === view.revision) console.log("settled");
  },
});
server.setWorld(testNode.cluster, editWorld(codec, JSON.parse(await Deno.readTextFile(edits))));
const app = createAdsApp({
  server: {
    connect: (sink, peer) =>
      server.connect({
        ...sink,
        send(response) {
          const names = response.resources.map(({ resource }) => resource.name);
          console.log(`sent ${response.kind} ${[...names, ...response.removed].join()}`);
          sink.send(response);
        },
      }, peer),
  },
  codec,
  log: noLog,
});
await serveAds({ address: { path }, app, log: noLog }, new AbortController().signal);
