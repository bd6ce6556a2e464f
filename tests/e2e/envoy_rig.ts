/** An ADS server on a unix socket and a real Envoy at it, for the time of one test. */

import { systemClock } from "../../src/base/clock.ts";
import { noLog } from "../../src/base/log.ts";
import { createAdsApp } from "../../src/envoy/ads/ads_app.ts";
import { serveAds } from "../../src/envoy/ads/ads_listener.ts";
import { AdsServer } from "../../src/envoy/ads/ads_server.ts";
import { defaultStreamLimits } from "../../src/envoy/ads/ads_stream.ts";
import type { DeltaResponse } from "../../src/envoy/ads/delta_messages.ts";
import type { NodeView } from "../../src/envoy/ads/node_view.ts";
import { encodeScopeSalt } from "../../src/envoy/ads/scope_salt.ts";
import type { EnvoyCodec } from "../../src/envoy/codec.ts";
import { loadEnvoyCodec } from "../../src/envoy/protobuf_codec.ts";
import type { EnvoyWorld } from "../../src/envoy/resources.ts";
import { editWorld, type WorldEdit } from "./envoy_world.ts";
import { findEnvoy, RealEnvoy, testNode } from "./real_envoy.ts";
import { until } from "./until.ts";

/** See the file's header. */
export class EnvoyRig {
  readonly codec: EnvoyCodec;
  readonly server: AdsServer;
  readonly folder: string;
  readonly socketPath: string;
  readonly envoy: RealEnvoy;
  /** Everything that was sent. */
  readonly sent: DeltaResponse[];
  #world: EnvoyWorld | undefined;

  constructor(
    parts: Pick<EnvoyRig, "codec" | "server" | "folder" | "socketPath" | "envoy" | "sent">,
  ) {
    this.codec = parts.codec;
    this.server = parts.server;
    this.folder = parts.folder;
    this.socketPath = parts.socketPath;
    this.envoy = parts.envoy;
    this.sent = parts.sent;
  }

  /** Changes the world. */
  edit(...edits: readonly WorldEdit[]): void {
    this.#world = editWorld(this.codec, edits, this.#world);
    this.server.setWorld(testNode.cluster, this.#world);
  }

  /** Waits until Envoy has, or refused, all of the newest world. */
  settled(): Promise<NodeView> {
    return until("Envoy settles", 20_000, () => {
      const view = this.server.view(testNode.id);
      return view !== undefined && view.settledRevision === view.revision && view;
    });
  }

  /** What is answered on this port of loopback: `200 body`. */
  async ask(port: number, headers: Record<string, string> = {}): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers });
    return `${response.status} ${await response.text()}`;
  }

  /** Waits for an answer. */
  async answers(port: number, wanted: string, headers: Record<string, string> = {}): Promise<void> {
    let last = "";
    await until(`port ${port} answers "${wanted}"`, 10_000, async () => {
      last = await this.ask(port, headers);
      return last === wanted;
    }).catch((error: Error) => {
      throw new Error(`${error.message}, it answers "${last}"`, { cause: error });
    });
  }
}

/** A test with the real Envoy; skipped, with the reason in its name, where there is none. */
export function testWithEnvoy(name: string, test: (rig: EnvoyRig) => Promise<void>): void {
  const binary = findEnvoy();
  if (binary === undefined) {
    Deno.test({ name: `${name} (no Envoy: set WEIR_TEST_ENVOY)`, ignore: true, fn: () => {} });
    return;
  }
  Deno.test(name, () => runWithEnvoy(binary, test));
}

async function runWithEnvoy(
  binary: string,
  test: (rig: EnvoyRig) => Promise<void>,
): Promise<void> {
  const codec = await loadEnvoyCodec();
  const folder = await Deno.makeTempDir({ prefix: "weir-envoy-" });
  const socketPath = `${folder}/ads/ads.sock`;
  const sent: DeltaResponse[] = [];
  const server = new AdsServer({
    worldNameOf: ({ cluster }, peer) => peer === "local" ? cluster : undefined,
    limits: { ...defaultStreamLimits, clusterLingerMs: 500 },
    salt: (count) => encodeScopeSalt(codec, count),
    clock: systemClock,
    log: noLog,
  });
  const app = createAdsApp({
    server: {
      connect: (sink, peer) =>
        server.connect({
          ...sink,
          send(response) {
            sent.push(response);
            sink.send(response);
          },
        }, peer),
    },
    codec,
    log: noLog,
  });
  const controller = new AbortController();
  const serving = serveAds({ address: { path: socketPath }, app, log: noLog }, controller.signal);
  const envoy = await RealEnvoy.start(binary, socketPath, folder);
  try {
    await test(new EnvoyRig({ codec, server, folder, socketPath, envoy, sent }));
  } catch (error) {
    throw new Error(`with Envoy's log:\n${await envoy.log()}`, { cause: error });
  } finally {
    await envoy.kill();
    controller.abort();
    await serving;
    server.stop();
    await Deno.remove(folder, { recursive: true });
  }
}

let lastPort = 20_000 + Deno.pid * 37 % 9_000;

/**
 * A port of loopback that is free now, and that the machine gives to nobody by itself: one of the
 * ephemeral ports was taken by a connection before Envoy listened.
 */
export function freePort(): number {
  for (;;) {
    const port = ++lastPort;
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

/** A backend that says its name. */
export function startUpstream(says: string): { readonly port: number; close(): Promise<void> } {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response(says),
  );
  return { port: server.addr.port, close: () => server.shutdown() };
}
