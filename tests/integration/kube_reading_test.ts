// The whole way from a socket to a consumer: the suite that every API server has to pass, and what
// only sockets do to a watch.

import { assert, assertEquals } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";
import { ClusterObjectSource } from "../../src/kube/cluster_object_source.ts";
import { HttpTransport } from "../../src/kube/http_transport.ts";
import { defaultInformerPace } from "../../src/kube/informer_pace.ts";
import { loadKubeconfigAccess } from "../../src/kube/load_access.ts";
import { objectKey } from "../../src/kube/object.ts";
import { RequestPace } from "../../src/kube/request_pace.ts";
import { askProvider } from "../../src/kube/ask_provider.ts";
import { runProgram } from "../../src/kube/run_program.ts";
import { testClusterReading } from "../contract/cluster_reading_suite.ts";
import { ApiDouble } from "../fakes/api_double.ts";
import { refusal } from "../fakes/double_reply.ts";
import { DoubleServer } from "../fakes/double_server.ts";
import { FollowedKind, versionsOf } from "../fakes/followed_cluster.ts";

function transportTo(server: URL): HttpTransport {
  return new HttpTransport({
    access: {
      server,
      isInsecure: false,
      credentials: { identity: () => Promise.resolve({}), forget: () => {} },
    },
    clock: systemClock,
    pace: new RequestPace({ perSecond: 1_000, burst: 1_000 }, systemClock),
    userAgent: "weir/test",
  });
}

testClusterReading("API double on a socket", async () => {
  const double = new ApiDouble();
  const server = new DoubleServer(double);
  const transport = transportTo(await server.start());
  return {
    transport,
    clock: systemClock,
    namespace: "suite",
    put(name, data) {
      double.put("ConfigMap", name, { namespace: "suite", data });
      return Promise.resolve();
    },
    remove(name) {
      double.remove("ConfigMap", objectKey("suite", name));
      return Promise.resolve();
    },
    pass: () => systemClock.sleep(10),
    async close() {
      transport.close();
      await server.stop();
    },
  };
});

async function until(isTrue: () => boolean): Promise<void> {
  for (let round = 0; round < 300 && !isTrue(); round++) await systemClock.sleep(10);
  assert(isTrue(), "what was waited for did not come");
}

Deno.test("A follower survives a server that restarts, resets, hangs and falls silent", async () => {
  const double = new ApiDouble();
  const server = new DoubleServer(double);
  const transport = transportTo(await server.start());
  const stop = new AbortController();
  const routes = new FollowedKind();
  const { reflector, ...pace } = defaultInformerPace;
  const source = new ClusterObjectSource({
    transport,
    clock: systemClock,
    random: Math.random,
    observer: { onState: () => {}, onSnapshot: () => {}, onFault: () => {} },
    limits: { idleMs: 200, openMs: 300, pageMs: 300 },
    pace: {
      ...pace,
      reflector: { ...reflector, backoffInitialMs: 10, backoffMaxMs: 50, shortWatchMs: 1 },
    },
  });
  for (let i = 0; i < 50; i++) double.put("HTTPRoute", `r${i}`);
  const run = source.follow("HTTPRoute", routes, stop.signal);
  const isSame = () =>
    versionsOf(routes.objects).join() === versionsOf(double.objects("HTTPRoute")).join();
  await until(isSame);
  let change = 0;
  const disturbances: readonly (() => void)[] = [
    () => server.dropConnections(),
    () => double.streams("HTTPRoute").forEach((stream) => stream.fallSilent()),
    () => double.streams("HTTPRoute").forEach((stream) => stream.sendText("garbage\n")),
    () => double.streams("HTTPRoute").forEach((stream) => stream.cut()),
    () => {
      const replies = [{ type: "hang" as const }, { type: "reset" as const }, refusal(503, "Busy")];
      double.intercept = () => replies.shift();
      server.dropConnections();
    },
    () => {
      double.compact();
      server.dropConnections();
    },
  ];
  for (const disturb of disturbances) {
    disturb();
    double.put("HTTPRoute", `r${change++}`, { spec: { change } });
    double.remove("HTTPRoute", objectKey("default", `r${40 + change}`));
    await until(isSame);
  }
  assertEquals(routes.snapshotCount, 2);
  stop.abort(new Error("The test is over"));
  await run;
  transport.close();
  await server.stop();
});

Deno.test("A flood of events arrives whole and in order", async () => {
  const double = new ApiDouble();
  const server = new DoubleServer(double);
  const transport = transportTo(await server.start());
  const stop = new AbortController();
  const routes = new FollowedKind();
  const source = new ClusterObjectSource({
    transport,
    clock: systemClock,
    random: Math.random,
    observer: { onState: () => {}, onSnapshot: () => {}, onFault: () => {} },
  });
  const run = source.follow("HTTPRoute", routes, stop.signal);
  await until(() => routes.snapshotCount === 1);
  for (let i = 0; i < 20_000; i++) double.put("HTTPRoute", `r${i % 100}`, { spec: { i } });
  await until(() => routes.calls.length === 20_001);
  assertEquals(routes.objects.get(objectKey("default", "r99"))?.spec, { i: 19_999 });
  stop.abort(new Error("The test is over"));
  await run;
  transport.close();
  await server.stop();
});

Deno.test("A credential plugin is run as a program, with its limits", async () => {
  const run = (code: string, more: { timeoutMs?: number; outputBytesMax?: number } = {}) =>
    runProgram({
      command: Deno.execPath(),
      args: ["eval", code],
      env: { WEIR_TEST: "x" },
      outputBytesMax: 1_000,
      timeoutMs: 20_000,
      ...more,
    });
  assertEquals(await run("console.log(Deno.env.get('WEIR_TEST')); Deno.exit(3)"), {
    code: 3,
    stdout: "x\n",
  });
  const words = async (work: Promise<unknown>) => {
    try {
      await work;
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
    return "no failure";
  };
  assertEquals(
    await words(run("console.log('x'.repeat(5000))")),
    "it printed more than 1000 bytes",
  );
  assertEquals(
    await words(run("setTimeout(() => {}, 60_000)", { timeoutMs: 200 })),
    "it ran longer than 200 ms",
  );
});

// Each start that was given up left a program behind that waited for a login nobody made.
Deno.test("A credential plugin that hangs ends with the process that waits for it", async () => {
  const file = await Deno.makeTempFile();
  const plugin = `await Deno.writeTextFile(${JSON.stringify(file)}, String(Deno.pid));
    setTimeout(() => {}, 60_000);`;
  const module = new URL("../../src/kube/run_program.ts", import.meta.url).href;
  const waiting = `import { runProgram } from ${JSON.stringify(module)};
    runProgram({
      command: Deno.execPath(),
      args: ["eval", ${JSON.stringify(plugin)}],
      env: {},
      outputBytesMax: 1_000,
      timeoutMs: 60_000,
    });
    const look = () => Deno.readTextFileSync(${JSON.stringify(file)}) === "" || Deno.exit(0);
    setInterval(look, 20);`;
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-lock", waiting],
    cwd: new URL("../../", import.meta.url),
    stdin: "null",
    stdout: "null",
  }).output();
  assertEquals(code, 0);
  const pid = Number(await Deno.readTextFile(file));
  await until(() => {
    try {
      Deno.kill(pid, "SIGCONT");
      return false;
    } catch {
      return true;
    }
  });
  await Deno.remove(file);
});

Deno.test("A kubeconfig with a plugin reaches a server that wants its token", async () => {
  const double = new ApiDouble();
  double.tokens = new Set(["from-plugin"]);
  const server = new DoubleServer(double);
  const url = await server.start();
  const credential = {
    apiVersion: "client.authentication.k8s.io/v1",
    kind: "ExecCredential",
    status: { token: "from-plugin" },
  };
  const config = {
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
    clusters: [{ name: "k", cluster: { server: url.href } }],
    users: [{
      name: "u",
      user: {
        exec: {
          apiVersion: "client.authentication.k8s.io/v1",
          command: Deno.execPath(),
          args: ["eval", `console.log(${JSON.stringify(JSON.stringify(credential))})`],
        },
      },
    }],
  };
  const access = await loadKubeconfigAccess(["/config"], undefined, {
    env: () => undefined,
    readFile: () => Promise.resolve(JSON.stringify(config)),
    runProgram,
    askProvider,
    clock: systemClock,
  });
  const transport = new HttpTransport({
    access,
    clock: systemClock,
    pace: new RequestPace({ perSecond: 100, burst: 10 }, systemClock),
    userAgent: "weir/test",
  });
  const { signal } = new AbortController();
  const answer = await transport.request({ path: "/api/v1", signal });
  assertEquals(typeof answer, "object");
  transport.close();
  await server.stop();
});
