/**
 * The Kubernetes API on a real socket. What a user would lose: watches that flow while they are open
 * and end with the process, bodies and hosts that are refused, and nothing of a Secret in the log.
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";
import { MetricsRegistry } from "../../src/base/metrics.ts";
import { type KubeApiMount, mountKubeApi } from "../../src/app/kube_api_mount.ts";
import { createLocalSchemas } from "../../src/app/local_schemas.ts";
import { SchemaAdmission } from "../../src/localkube/admission/schema_admission.ts";
import { MemoryCluster } from "../../src/localkube/store.ts";
import { configMap, configMaps, type Json } from "../fakes/kube_api.ts";
import { RecordingLog } from "../fakes/recording_log.ts";
import { RawClient } from "../fakes/raw_http.ts";

interface Served {
  readonly url: string;
  readonly mount: KubeApiMount;
  readonly log: RecordingLog;
  readonly stop: AbortController;
  readonly kubeconfigs: readonly string[];
}

interface ServeOptions {
  readonly kubeTokens?: string;
  readonly writeKubeconfig?: string;
  readonly mayWrite?: boolean;
}

async function serve(
  use: (served: Served) => Promise<void>,
  settings: ServeOptions = {},
): Promise<void> {
  const log = new RecordingLog();
  const kubeconfigs: string[] = [];
  const mount = mountKubeApi({
    schemas: createLocalSchemas(),
    config: {
      kubeAddress: { host: "127.0.0.1", port: 0 },
      allowedHosts: [],
      kubeTokens: settings.kubeTokens === undefined ? undefined : "tokens.yaml",
      writeKubeconfig: settings.writeKubeconfig,
    },
    readText: () => Promise.resolve(settings.kubeTokens ?? ""),
    mayWrite: () => Promise.resolve(settings.mayWrite ?? true),
    writeSecret: (_path, text) => {
      kubeconfigs.push(text);
      return Promise.resolve();
    },
    cluster: new MemoryCluster({
      admission: new SchemaAdmission(),
      clock: systemClock,
      newUid: () => crypto.randomUUID(),
    }),
    registry: new MetricsRegistry(),
    version: "0.0.0-test",
    newUid: () => crypto.randomUUID(),
    random: () => 0.5,
    clock: systemClock,
    log,
    isReady: () => true,
  });
  const stop = new AbortController();
  const running = mount.subsystem.run(stop.signal);
  try {
    let isOver = false;
    running.catch(() => isOver = true);
    while (mount.url() === undefined && !isOver) await systemClock.sleep(5);
    if (isOver) return;
    await use({ url: mount.url() ?? "", mount, log, stop, kubeconfigs });
  } finally {
    stop.abort();
    await running;
  }
}

async function ask(url: string, init: RequestInit = {}): Promise<{ status: number; json: Json }> {
  const response = await fetch(url, {
    headers: { "content-type": "application/json" },
    ...init,
  });
  return { status: response.status, json: await response.json() };
}

/** The lines of a stream, as they come. */
async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>> | null) {
  assert(body);
  let text = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n")) {
      const line: Json = JSON.parse(text.slice(0, at));
      yield line;
      text = text.slice(at + 1);
    }
  }
}

Deno.test("a watch flows on a socket and ends with the server", async () => {
  await serve(async ({ url, mount }) => {
    const response = await fetch(`${url}${configMaps}?watch=1`);
    assertEquals(response.headers.get("content-type"), "application/json;stream=watch");
    const lines = linesOf(response.body);
    const first = lines.next();
    await ask(`${url}${configMaps}`, { method: "POST", body: JSON.stringify(configMap("a")) });
    assertEquals((await first).value?.object.metadata.name, "a");
    await mount.subsystem.drain?.(AbortSignal.timeout(1000));
    assertEquals((await lines.next()).done, true);
    const refused = await fetch(`${url}${configMaps}?watch=1`);
    assertEquals([refused.status, (await refused.json()).reason], [429, "TooManyRequests"]);
  });
});

Deno.test("a body that is too large is refused, announced or not", async () => {
  await serve(async ({ url }) => {
    const { host, port } = new URL(url);
    const head = `POST ${configMaps} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n`;
    const size = 49 * 65_536;
    const chunk = `${(65_536).toString(16)}\r\n${"x".repeat(65_536)}\r\n`;
    const requests = [
      `${head}Content-Length: ${size}\r\n\r\n${"x".repeat(size)}`,
      `${head}Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(size / 65_536)}0\r\n\r\n`,
    ];
    for (const request of requests) {
      using client = await RawClient.connect(Number(port));
      await client.send(request);
      assertEquals((await client.response("POST")).status, 413);
    }
  });
});

Deno.test("a page of another site reads nothing and changes nothing", async () => {
  await serve(async ({ url }) => {
    const { host, port } = new URL(url);
    const foreign = [
      ["Host: evil.example"],
      [`Host: ${host}`, "Origin: http://evil.example"],
      [`Host: ${host}`, "Sec-Fetch-Site: cross-site"],
    ];
    for (const lines of foreign) {
      using client = await RawClient.connect(Number(port));
      await client.request("GET /api/v1/secrets", ...lines);
      const { status, body } = await client.response();
      assertEquals(status, 403, lines.join());
      // What kubectl prints instead of "unknown".
      const told: Json = JSON.parse(body);
      assertEquals([told.kind, told.reason, told.code], ["Status", "Forbidden", 403]);
      assertEquals(told.details.causes.length, 1);
    }
  });
});

Deno.test("a Secret's value is in no log and in no refusal", async () => {
  await serve(async ({ url, log }) => {
    const planted = "hunter2-planted";
    const secrets = `${url}/api/v1/namespaces/default/secrets`;
    const object = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "a" },
      stringData: { password: planted },
    };
    const post = (body: string) => ask(secrets, { method: "POST", body });
    assertEquals((await post(JSON.stringify(object))).status, 201);
    const bad = [
      JSON.stringify({ ...object, metadata: { name: "Not A Name" } }),
      JSON.stringify({ ...object, data: { x: planted } }),
      `${JSON.stringify(object)}}`,
    ];
    for (const body of bad) {
      const { status, json } = await post(body);
      assert(status >= 400, body);
      assert(!JSON.stringify(json).includes(planted), JSON.stringify(json));
    }
    assert(!JSON.stringify(log.records).includes(planted));
  });
});

const tokens = `
users:
  - name: reader
    token: "a-token-for-reading"
    rules:
      - { verbs: [get, list, watch], apiGroups: [""], resources: [configmaps], namespaces: [default] }
`;

Deno.test("with tokens there is TLS, and each token may do what its rules say", async () => {
  await serve(async ({ url, kubeconfigs, log }) => {
    assert(url.startsWith("https://"), url);
    const config: Json = JSON.parse(kubeconfigs[0] ?? "");
    const { server, "certificate-authority-data": authority } = config.clusters[0].cluster;
    assertEquals(server, url);
    using client = Deno.createHttpClient({ caCerts: [atob(authority)] });
    const status = async (path: string, token?: string, init: RequestInit = {}) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const response = await fetch(`${url}${path}`, { ...init, headers, client });
      await response.body?.cancel();
      return response.status;
    };
    const reader = "a-token-for-reading";
    assertEquals(await status(configMaps), 401);
    assertEquals(await status("/api"), 401);
    assertEquals(await status("/livez"), 200);
    assertEquals(await status(configMaps, "a-token-for-readinG"), 401);
    assertEquals(await status(configMaps, reader), 200);
    assertEquals(await status("/api/v1/configmaps", reader), 403);
    assertEquals(await status("/api/v1/namespaces/default/secrets", reader), 403);
    assertEquals(await status(`${configMaps}/a`, reader, { method: "DELETE" }), 403);
    const { token } = config.users[0].user;
    assertEquals(await status("/api/v1/secrets", token), 200);
    const told = JSON.stringify(log.records);
    assert(!told.includes(token) && !told.includes(reader));
  }, { kubeTokens: tokens, writeKubeconfig: "kubeconfig" });
});

Deno.test("on loopback a kubeconfig needs no token", async () => {
  await serve(({ url, kubeconfigs }) => {
    const config: Json = JSON.parse(kubeconfigs[0] ?? "");
    assertEquals(config.clusters[0].cluster, { server: url });
    assertEquals(config.users[0].user, {});
    return Promise.resolve();
  }, { writeKubeconfig: "kubeconfig" });
});

Deno.test("A kubeconfig that may not be written is told before anything is served, with what to do", async () => {
  const settings = { writeKubeconfig: "weir.kubeconfig", mayWrite: false };
  await assertRejects(
    () => serve(() => Promise.reject(new Error("It must not serve")), settings),
    Error,
    "wanted --write-kubeconfig - with the output led to a file",
  );
});
