/**
 * `weir check` of a cluster. What a user would lose: one command that says why weir cannot work there,
 * and what to do, before it is tried.
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { checkCluster } from "../../../src/app/cluster_check.ts";
import type {
  ClusterCheckSettings,
  ClusterCheckSurroundings,
  ListenOutcome,
} from "../../../src/app/cluster_check_inputs.ts";
import { valueAt } from "../../../src/app/cluster_question.ts";
import { hasFailed } from "../../../src/cli/cluster_check_text.ts";
import type { ClusterCheckLine } from "../../../src/cli/context.ts";
import { decodeSettings } from "../../../src/config/decode_settings.ts";
import { flags } from "../../../src/config/flags.ts";
import { ClusterError } from "../../../src/kube/cluster_error.ts";
import type {
  ClusterRequest,
  ClusterStream,
  ClusterTransport,
} from "../../../src/kube/cluster_transport.ts";
import { ApiDouble } from "../../fakes/api_double.ts";
import { DoubleTransport } from "../../fakes/double_transport.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

const controllerName = "weir.dev/gateway-controller";

/** An API server that has what is needed, until a test takes something away. */
class CheckedCluster implements ClusterTransport {
  readonly clock = new FakeClock();
  readonly double = new ApiDouble();
  version = "v1.36.3";
  groups: readonly string[] = ["system:authenticated"];
  skewMs = 0;
  /** `verb resource`, and the resource with its group as kubectl has it. */
  readonly refused = new Set<string>();
  /** What the answer to a path is in place of the usual one. */
  readonly faults = new Map<string, ClusterError>();
  readonly releases = new Map<string, string>();
  readonly asked: string[] = [];
  /** `host:port` and what comes of listening there; all else is free. */
  readonly ports = new Map<string, ListenOutcome>();
  readonly #inner = new DoubleTransport(this.double, this.clock);

  constructor() {
    const accepted = { type: "Accepted", status: "True", reason: "Accepted" };
    this.double.put("GatewayClass", "weir", {
      spec: { controllerName },
      status: { conditions: [accepted] },
    });
  }

  request(request: ClusterRequest): Promise<unknown> {
    const { path, body } = request;
    const fault = this.faults.get(path);
    if (fault) return Promise.reject(fault);
    if (path === "/version") {
      request.onDate?.(new Date(this.clock.now() - this.skewMs).toUTCString());
      return Promise.resolve({ gitVersion: this.version });
    }
    if (path.endsWith("/selfsubjectreviews")) {
      return Promise.resolve({ status: { userInfo: { username: "me", groups: this.groups } } });
    }
    if (path.endsWith("/selfsubjectaccessreviews")) return Promise.resolve(this.#review(body));
    if (path.includes("/customresourcedefinitions/")) {
      const name = path.split("/").at(-1) ?? "";
      const version = this.releases.get(name) ?? "v1.6.3";
      const prefix = "gateway.networking.k8s.io";
      const annotations = {
        [`${prefix}/bundle-version`]: version,
        [`${prefix}/channel`]: "standard",
      };
      return Promise.resolve({ metadata: { annotations } });
    }
    return this.#inner.request(request);
  }

  open(request: ClusterRequest & { readonly idleMs: number }): Promise<ClusterStream> {
    return this.#inner.open(request);
  }

  #review(body: unknown): unknown {
    const field = (name: string) => valueAt(body, "spec", "resourceAttributes", name) ?? "";
    const subresource = field("subresource") === "" ? "" : `/${field("subresource")}`;
    const group = field("group") === "" ? "" : `.${field("group")}`;
    const right = `${field("verb")} ${field("resource")}${group}${subresource}`;
    this.asked.push(`${right}${field("namespace") === "" ? "" : ` in ${field("namespace")}`}`);
    return { status: { allowed: !this.refused.has(right) } };
  }

  check(
    more: Partial<ClusterCheckSettings> = {},
    around: Partial<ClusterCheckSurroundings> = {},
  ): Promise<readonly ClusterCheckLine[]> {
    return checkCluster({ ...decodeSettings(flags, []).settings, ...more }, {
      transport: this,
      server: new URL("https://api.example:6443"),
      namespace: "weir-system",
      clock: this.clock,
      tryListen: (host, port) => this.ports.get(`${host}:${port}`) ?? "ok",
      signal: new AbortController().signal,
      ...around,
    });
  }
}

/** Lines that are not ok, as `result check subject`. */
function troubles(lines: readonly ClusterCheckLine[]): string[] {
  return lines.filter(({ result }) => result !== "ok")
    .map(({ result, check, subject }) => `${result} ${check} ${subject}`.trim());
}

function find(lines: readonly ClusterCheckLine[], start: string): ClusterCheckLine {
  const line = lines.find(({ check, subject }) => `${check} ${subject}`.startsWith(start));
  assert(line, start);
  return line;
}

Deno.test("checkCluster() finds nothing in a cluster that is as it should be", async () => {
  const cluster = new CheckedCluster();
  const lines = await cluster.check();
  assertEquals(troubles(lines), []);
  assert(!hasFailed(lines));
  assert(lines.every(({ advice }) => advice === undefined));
  assert(cluster.asked.includes("update leases.coordination.k8s.io in weir-system"));
});

Deno.test("checkCluster() tells one cause once when the server cannot be asked", async () => {
  const kinds = ["unreachable", "timeout", "untrusted", "unauthorized", "no-credential"] as const;
  for (const kind of kinds) {
    const cluster = new CheckedCluster();
    cluster.faults.set("/version", new ClusterError(kind, "no answer"));
    const lines = await cluster.check();
    assertEquals(lines.length, 1, kind);
    assert(hasFailed(lines) && lines[0]?.advice, kind);
  }
});

Deno.test("checkCluster() asks no further as somebody whom the server does not know", async () => {
  const cluster = new CheckedCluster();
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  cluster.faults.set(path, new ClusterError("unauthorized", "401"));
  assertEquals(troubles(await cluster.check()), ["failed identity"]);
  assertEquals(cluster.asked, []);
});

Deno.test("checkCluster() warns of an old server, of too many rights and of a wrong clock", async () => {
  const cluster = new CheckedCluster();
  cluster.version = "v1.27.1";
  cluster.groups = ["system:masters"];
  cluster.skewMs = 20_000;
  const server = "warning server https://api.example:6443";
  assertEquals(troubles(await cluster.check()), [server, "warning identity", "warning clock"]);
  for (const skewMs of [120_000, -120_000]) {
    cluster.skewMs = skewMs;
    const line = find(await cluster.check(), "clock");
    assertEquals(line.result, "failed");
    assertMatch(line.message, skewMs > 0 ? /^1(?:19|2\d) s ahead/ : /^1(?:19|2\d) s behind/);
  }
});

Deno.test("checkCluster() names each right that is missing, and what follows", async () => {
  const cluster = new CheckedCluster();
  cluster.refused.add("watch secrets").add("list tcproutes.gateway.networking.k8s.io")
    .add("update httproutes.gateway.networking.k8s.io/status");
  const lines = await cluster.check();
  assertEquals(troubles(lines), [
    "warning permissions tcproutes.gateway.networking.k8s.io",
    "failed permissions secrets",
    "warning permissions httproutes.gateway.networking.k8s.io/status",
  ]);
  const secrets = find(lines, "permissions secrets");
  assertStringIncludes(secrets.message, "may not watch in the whole cluster");
  assertStringIncludes(secrets.advice ?? "", "--without=Secret");
});

Deno.test("checkCluster() asks for rights where and for what the settings say", async () => {
  const cluster = new CheckedCluster();
  await cluster.check({
    namespaces: ["a"],
    secretNamespaces: ["tls"],
    without: ["UDPRoute"],
    gatewayClass: "shared",
  });
  assert(cluster.asked.includes("list gateways.gateway.networking.k8s.io in a"));
  assert(cluster.asked.includes("list secrets in tls"));
  const elsewhere = cluster.asked.filter((right) => !/ in (?:a|tls|weir-system)$/.test(right));
  assertEquals(elsewhere, []);
  assert(!cluster.asked.some((right) => right.includes("udproutes")));
});

Deno.test("checkCluster() says so when rights cannot be asked for", async () => {
  const cluster = new CheckedCluster();
  const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  cluster.faults.set(path, new ClusterError("forbidden", "403"));
  assertEquals(troubles(await cluster.check()), ["warning permissions"]);
});

Deno.test("checkCluster() tells kinds that are missing, and releases that do not fit", async () => {
  const cluster = new CheckedCluster();
  cluster.double.unserve("TCPRoute");
  cluster.double.unserve("Gateway");
  cluster.releases.set("httproutes.gateway.networking.k8s.io", "v1.2.0");
  const lines = await cluster.check();
  assertEquals(troubles(lines), [
    "failed crd gateways.gateway.networking.k8s.io",
    "warning crd tcproutes.gateway.networking.k8s.io",
    "warning release",
  ]);
  assertStringIncludes(find(lines, "release").message, "v1.2.0, v1.6.3");
});

Deno.test("checkCluster() tells which class is ours, and what its status says", async () => {
  const cluster = new CheckedCluster();
  const other = await cluster.check({ controllerName: "other.example/controller" });
  assertEquals(troubles(other), ["failed class"]);
  cluster.double.put("GatewayClass", "weir", { spec: { controllerName } });
  assertEquals(troubles(await cluster.check()), ["warning class weir"]);
  const accepted = { type: "Accepted", status: "False", reason: "InvalidParameters" };
  cluster.double.put("GatewayClass", "weir", {
    spec: { controllerName },
    status: { conditions: [accepted] },
  });
  const lines = await cluster.check();
  assertEquals(troubles(lines), ["failed class weir"]);
  assertStringIncludes(find(lines, "class").message, "InvalidParameters");
});

/** A Gateway of the class with listeners on these ports. */
function putGateway(cluster: CheckedCluster, className: string, ...ports: number[]): void {
  cluster.double.put("Gateway", `on-${className}`, {
    spec: {
      gatewayClassName: className,
      listeners: ports.map((port) => ({ name: `p${port}`, port, protocol: "HTTP" })),
    },
  });
}

Deno.test("checkCluster() tries the ports of our Gateways, and where they are shifted to", async () => {
  const cluster = new CheckedCluster();
  putGateway(cluster, "weir", 80, 443, 8080);
  putGateway(cluster, "other", 90);
  cluster.ports.set("127.0.0.1:80", "forbidden").set("127.0.0.1:8080", "taken");
  const lines = await cluster.check();
  const ports = lines.filter(({ check }) => check === "port");
  assertEquals(ports.map(({ subject, result }) => `${subject} ${result}`), [
    "127.0.0.1:80 warning",
    "127.0.0.1:443 ok",
    "127.0.0.1:8080 warning",
  ]);
  assertStringIncludes(ports[0]?.message ?? "", "port 18080 serves instead");
  const unshifted = await cluster.check({ portShift: 0 });
  assertEquals(troubles(unshifted), ["failed port 127.0.0.1:80", "failed port 127.0.0.1:8080"]);
});

Deno.test("checkCluster() takes what a running weir holds for no failure", async () => {
  const cluster = new CheckedCluster();
  putGateway(cluster, "weir", 80);
  cluster.ports.set("127.0.0.1:9080", "taken").set("127.0.0.1:80", "taken");
  const lines = await cluster.check({ portShift: 0 });
  assertEquals(troubles(lines), ["warning port 127.0.0.1:80", "warning address 127.0.0.1:9080"]);
});

Deno.test("checkCluster() names addresses that this machine does not have", async () => {
  const cluster = new CheckedCluster();
  cluster.ports.set("127.0.0.1:0", "no-address");
  assertEquals(troubles(await cluster.check()), ["failed address 127.0.0.1"]);
  assertEquals(troubles(await cluster.check({ dataPlane: "none" })), []);
});

Deno.test("checkCluster() refuses a listener on the port of the HTTP API", async () => {
  const cluster = new CheckedCluster();
  putGateway(cluster, "weir", 9080);
  assertEquals(troubles(await cluster.check()), ["failed port 127.0.0.1:9080"]);
});
