// A plugin's credential ends, is refused, or is not there: each of them must lead to a new run, and a
// broken plugin must not be started in a loop.

import { assertEquals, assertRejects } from "@std/assert";
import { ExecCredentials, type RunProgram } from "../../../src/kube/exec_credentials.ts";
import { readKubeconfig } from "../../../src/kube/kubeconfig.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

const never = new AbortController().signal;
const v1 = "client.authentication.k8s.io/v1";

/** Credentials of a plugin that prints what `print` gives for the n-th run. */
function plugin(print: (run: number) => unknown, exec = "") {
  const clock = new FakeClock();
  const runs: Parameters<RunProgram>[0][] = [];
  const context = readKubeconfig([{
    path: "/home/me/config",
    content: `
current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: 'https://a:1'}}]
users:
- name: u
  user:
    exec: {apiVersion: ${v1}, command: ./login, args: [a], env: [{name: X, value: y}]${exec}}`,
  }]);
  if (!context.user.exec) throw new Error("the plugin was not read");
  const credentials = new ExecCredentials({
    exec: context.user.exec,
    cluster: context.cluster,
    base: { identity: () => Promise.resolve({ ca: "CA" }), forget: () => {} },
    clock,
    run: (run) => {
      runs.push(run);
      const printed = print(runs.length);
      if (printed instanceof Error) return Promise.reject(printed);
      if (typeof printed === "number") return Promise.resolve({ code: printed, stdout: "" });
      const stdout = typeof printed === "string" ? printed : JSON.stringify(printed);
      return Promise.resolve({ code: 0, stdout });
    },
  });
  const token = async () => (await credentials.identity(never)).authorization;
  return { credentials, clock, runs, token };
}

function issued(status: Readonly<Record<string, string>>, apiVersion = v1) {
  return { apiVersion, kind: "ExecCredential", status };
}

Deno.test("A plugin is run with its arguments and KUBERNETES_EXEC_INFO, once for many callers", async () => {
  const { runs, token, credentials } = plugin(
    () => issued({ token: "t" }),
    ", provideClusterInfo: true",
  );
  assertEquals(await Promise.all([token(), token(), token()]), [
    "Bearer t",
    "Bearer t",
    "Bearer t",
  ]);
  assertEquals(await credentials.identity(never), { authorization: "Bearer t", ca: "CA" });
  assertEquals(runs.length, 1);
  assertEquals([runs[0]?.command, runs[0]?.args, runs[0]?.env.X], ["/home/me/login", ["a"], "y"]);
  assertEquals(JSON.parse(runs[0]?.env.KUBERNETES_EXEC_INFO ?? ""), {
    apiVersion: v1,
    kind: "ExecCredential",
    spec: {
      interactive: false,
      cluster: { server: "https://a:1", "certificate-authority-data": btoa("CA") },
    },
  });
});

Deno.test("A credential is renewed before it expires, and when it was refused", async () => {
  const { clock, credentials, token } = plugin((run) =>
    issued({
      token: `t${run}`,
      ...run === 1 ? { expirationTimestamp: "2026-01-01T00:01:00Z" } : {},
    })
  );
  assertEquals(await token(), "Bearer t1");
  await clock.advance(49_000);
  assertEquals(await token(), "Bearer t1");
  await clock.advance(1_000);
  assertEquals(await token(), "Bearer t2");
  await clock.advance(3_600_000);
  assertEquals(await token(), "Bearer t2");
  credentials.forget();
  assertEquals(await token(), "Bearer t3");
});

// Each refusal ran the plugin, some times a second; so did each request with a token that was about to end.
Deno.test("A plugin is not run again at once for a credential that is refused or ends soon", async () => {
  const { clock, runs, credentials, token } = plugin((run) =>
    issued({
      token: `t${run}`,
      ...run === 2 ? { expirationTimestamp: "2026-01-01T00:00:00Z" } : {},
    })
  );
  await token();
  for (let i = 0; i < 5; i++) {
    credentials.forget();
    assertEquals(await token(), "Bearer t1");
  }
  await clock.advance(5_000);
  for (let i = 0; i < 5; i++) assertEquals(await token(), "Bearer t2");
  await clock.advance(5_000);
  assertEquals([await token(), runs.length], ["Bearer t3", 3]);
});

Deno.test("A plugin may give a certificate", async () => {
  const { credentials } = plugin(() =>
    issued({ clientCertificateData: "CERT", clientKeyData: "KEY" })
  );
  assertEquals(await credentials.identity(never), { cert: "CERT", key: "KEY", ca: "CA" });
});

const bad: Readonly<Record<string, unknown>> = {
  "fails": 1,
  "cannot be started": new Error("no such program"),
  "prints no JSON": "SECRET",
  "prints something else": { token: "SECRET" },
  "answers in another version": issued({ token: "SECRET" }, `${v1}beta1`),
  "gives nothing": issued({}),
  "gives a certificate without its key": issued({ clientCertificateData: "SECRET" }),
  "gives a token that is none": issued({ token: "SECRET\r\nX-Evil: 1" }),
};
for (const [what, printed] of Object.entries(bad)) {
  Deno.test(`A plugin that ${what} is an error, and is not run again at once`, async () => {
    const { clock, runs, token } = plugin((run) => run === 1 ? printed : issued({ token: "good" }));
    for (let i = 0; i < 3; i++) {
      const error = await assertRejects(token, Error);
      assertEquals(error.message.includes("SECRET"), false);
    }
    assertEquals(runs.length, 1);
    await clock.advance(5_000);
    assertEquals(await token(), "Bearer good");
  });
}
