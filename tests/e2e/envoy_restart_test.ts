// A control plane that is killed must cost no request, and the next one must not send again what
// Envoy has: with 10,000 hosts that would cost Envoy seconds of its processor, for nothing.

import { assertEquals } from "@std/assert";
import { freePort, startUpstream } from "./envoy_rig.ts";
import {
  byRds,
  byScopes,
  edsCluster,
  endpointsOn,
  httpListener,
  routesSaying,
  routesTo,
  scopeOf,
  type WorldEdit,
} from "./envoy_world.ts";
import { findEnvoy, RealEnvoy } from "./real_envoy.ts";
import { tellFigure, until } from "./until.ts";

const binary = findEnvoy();

/** A server process and what it printed. */
class AdsProcess {
  readonly #child: Deno.ChildProcess;
  readonly #reading: Promise<void>;
  #text = "";

  constructor(socketPath: string, editsPath: string) {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--frozen", "--no-prompt", "--allow-read", "--allow-write", "--allow-net"],
        ...["--allow-env", "tests/e2e/ads_process.ts", socketPath, editsPath],
      ],
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#reading = this.#read(this.#child.stdout);
  }

  async #read(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    for await (const text of output.pipeThrough(new TextDecoderStream())) this.#text += text;
  }

  /** What it sent until Envoy had the world: `cluster a`. */
  async settled(): Promise<string[]> {
    await until("Envoy settles", 30_000, () => this.#text.includes("settled"));
    return this.#text.split("\n").filter((line) => line.startsWith("sent "))
      .map((line) => line.slice("sent ".length));
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.status;
    await this.#reading;
  }
}

/** Asks without an end; tells how often it was answered, and otherwise how. */
function keepAsking(port: number): () => Promise<{ readonly good: number; bad: string[] }> {
  let isOver = false;
  const result = { good: 0, bad: [] as string[] };
  const asking = (async () => {
    while (!isOver) {
      const answer = await fetch(`http://127.0.0.1:${port}/`)
        .then(async (response) => `${response.status} ${await response.text()}`, String);
      if (answer === "200 hello") result.good++;
      else result.bad.push(answer);
    }
  })();
  return async () => {
    isOver = true;
    await asking;
    return result;
  };
}

Deno.test({
  name: `A killed server costs no request, and the next one sends only what changed${
    binary === undefined ? " (no Envoy: set WEIR_TEST_ENVOY)" : ""
  }`,
  ignore: binary === undefined,
  async fn() {
    const folder = await Deno.makeTempDir({ prefix: "weir-envoy-" });
    const [socketPath, editsPath] = [`${folder}/ads/ads.sock`, `${folder}/edits.json`];
    const upstream = startUpstream("hello");
    const port = freePort();
    const edits: WorldEdit[] = [
      ["cluster", "a", edsCluster],
      ["endpoints", "a", endpointsOn(upstream.port)],
      ["listener", "rds", httpListener(port, byRds("r"))],
      ["route", "r", routesTo("a")],
      ["listener", "srds", httpListener(freePort(), byScopes)],
      ["scope", "s", scopeOf("s", routesTo("a"))],
    ];
    const save = (): Promise<void> => Deno.writeTextFile(editsPath, JSON.stringify(edits));
    await save();
    let server = new AdsProcess(socketPath, editsPath);
    const envoy = await RealEnvoy.start(binary ?? "", socketPath, folder);
    try {
      assertEquals((await server.settled()).sort(), [
        ...["cluster a", "endpoints a", "listener rds,srds", "route r", "scope s"],
      ]);
      const stopAsking = keepAsking(port);
      await server.kill();
      server = new AdsProcess(socketPath, editsPath);
      assertEquals(await server.settled(), []);
      await server.kill();
      edits.push(["scope", "s", scopeOf("s", routesSaying("new"))], ["scope", "t", undefined]);
      await save();
      server = new AdsProcess(socketPath, editsPath);
      assertEquals(await server.settled(), ["scope s"]);
      const { bad, good } = await stopAsking();
      assertEquals(bad, []);
      tellFigure("requests while the server was killed twice, 0 failed", good);
    } finally {
      await server.kill();
      await envoy.kill();
      await upstream.close();
      await Deno.remove(folder, { recursive: true });
    }
  },
});
