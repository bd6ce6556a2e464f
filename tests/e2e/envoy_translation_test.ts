/**
 * The resources for Envoy in front of a real one: it takes them for every golden world, and answers as
 * the embedded data plane does. What a user would lose: a Gateway that works on a laptop and not in
 * the cluster.
 */

import { assertEquals, assertRejects } from "@std/assert";
import { computeWorld, manifestsWorld } from "../../src/app/compute_world.ts";
import { createLocalWorld } from "../../src/app/local_world.ts";
import { noLog } from "../../src/base/log.ts";
import { translateFlags } from "../../src/cli/translate_flags.ts";
import {
  type Certificate,
  certificateName,
  clusterName,
  type DataPlaneConfig,
  type HttpFilter,
  type HttpRouteEntry,
} from "../../src/dataplane/model.ts";
import { compareHttpRouteEntries } from "../../src/dataplane/precedence.ts";
import { cluster, configOf, gateway, listener, loopback } from "../fakes/data_plane_config.ts";
import { staticBootstrap } from "../fakes/envoy_static.ts";
import { envoyCodec, translateOnce } from "../fakes/envoy_translation.ts";
import { FakeClock } from "../fakes/fake_clock.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { ProxyWorld } from "../fakes/proxy_world.ts";
import { type EntryParts, routeEntry, valueMatch } from "../fakes/route_entries.ts";
import { caseNames, readInput, readSettings } from "../golden/translate/cases.ts";
import { type Answer, ask, type AskedRequest, SayingBackend } from "./compared_answer.ts";
import { envoyIsMissing, StaticEnvoy, validate } from "./static_envoy.ts";
import { until } from "./until.ts";

/** The name tells why it is skipped. */
function testWithEnvoy(name: string, run: () => Promise<void>): void {
  const why = envoyIsMissing === undefined ? "" : ` (skipped: ${envoyIsMissing})`;
  Deno.test(`${name}${why}`, { ignore: envoyIsMissing !== undefined }, run);
}

async function goldenWorld(name: string): Promise<DataPlaneConfig> {
  const settings = {
    ...await readSettings(translateFlags, name),
    dataPlane: "envoy" as const,
  };
  let count = 0;
  const world = createLocalWorld({
    settings,
    paths: ["-"],
    standardInputText: await readInput(name),
    clock: new FakeClock(),
    log: noLog,
    newUid: () => `uid-${++count}`,
  });
  return (await computeWorld(manifestsWorld(world), settings)).outputs.dataPlane;
}

testWithEnvoy("a real Envoy takes the resources of every golden world", async () => {
  const folder = await Deno.makeTempDir({ prefix: "weir-envoy-" });
  for (const name of caseNames) {
    const { world } = translateOnce(await goldenWorld(name));
    const bootstrap = staticBootstrap(world, envoyCodec, `${folder}/admin.sock`);
    assertEquals(await validate(folder, bootstrap), "", name);
  }
  await Deno.remove(folder, { recursive: true });
});

const good = clusterName("default", "good", 80);
const other = clusterName("default", "other", 80);
const empty = clusterName("default", "empty", 80);

function to(parts: EntryParts, ...filters: readonly HttpFilter[]): HttpRouteEntry {
  const backends = [{ weight: 1, cluster: good, filters: [] }];
  return routeEntry({ ...parts, action: { backends, filters, ...parts.action } });
}

function headers(
  type: "RequestHeaderModifier" | "ResponseHeaderModifier",
  parts: object,
): HttpFilter {
  return { type, headers: { set: [], add: [], remove: [], ...parts } };
}

function redirect(parts: object): HttpFilter {
  return { type: "RequestRedirect", redirect: { statusCode: 302, ...parts } };
}

function rewrite(path: string, prefix?: string): HttpFilter {
  return prefix === undefined
    ? { type: "URLRewrite", rewrite: { path: { type: "ReplaceFullPath", value: path } } }
    : {
      type: "URLRewrite",
      rewrite: { path: { type: "ReplacePrefixMatch", value: path, prefix } },
    };
}

const set = [{ name: "x-test-a", value: "100%" }, { name: "Host", value: "inner.example" }];
const add = [{ name: "x-test-b", value: "added" }, { name: "x-test-empty", value: "" }];
const own = [
  headers("RequestHeaderModifier", {
    set: [{ name: "x-test-a", value: "own" }],
    remove: ["x-test-b"],
  }),
  headers("ResponseHeaderModifier", { set: [{ name: "x-test-back", value: "own" }] }),
];
const cors: HttpFilter = {
  type: "CORS",
  cors: {
    allowOrigins: ["https://a.io", "https://*.b.io"],
    allowMethods: ["PUT"],
    allowHeaders: ["x-a"],
    exposeHeaders: ["x-b"],
    allowCredentials: true,
    maxAgeSeconds: 7,
  },
};

/** Each rule on a host of its own under `t.io`, some below a prefix. */
const rules: readonly HttpRouteEntry[] = [
  to({ hostname: "any.t.io" }),
  to({ hostname: "sep.t.io", path: "Prefix:/sep" }),
  to({ hostname: "sep.t.io", path: "Exact:/sep/exact", method: "POST" }),
  to({ hostname: "sep.t.io", path: "Regex:/r[0-9]+", headers: [valueMatch("x-test-h=1")] }),
  to({ hostname: "sep.t.io", path: "Prefix:/q", queryParams: [valueMatch("q=1")] }),
  to({ hostname: "*.w.t.io", path: "Prefix:/wild" }),
  to({ hostname: "deep.w.t.io", path: "Prefix:/deep" }),
  to({ path: "Exact:/everywhere" }),
  routeEntry({ hostname: "none.t.io" }),
  routeEntry({ hostname: "invalid.t.io", action: { backends: [{ weight: 1, filters: [] }] } }),
  to({
    hostname: "empty.t.io",
    action: { backends: [{ weight: 1, cluster: empty, filters: [] }] },
  }),
  to(
    { hostname: "headers.t.io" },
    headers("RequestHeaderModifier", { set, add, remove: ["x-test-gone"] }),
    headers("ResponseHeaderModifier", { add: [{ name: "x-test-back", value: "rule" }] }),
  ),
  to(
    {
      hostname: "own.t.io",
      action: {
        backends: [{ weight: 1, cluster: good, filters: own }, {
          weight: 0,
          cluster: other,
          filters: [],
        }],
      },
    },
    headers("RequestHeaderModifier", { set, add }),
    headers("ResponseHeaderModifier", { set: [{ name: "x-test-back", value: "rule" }] }),
  ),
  to(
    {
      hostname: "own2.t.io",
      action: {
        backends: [{ weight: 1, cluster: good, filters: own }, {
          weight: 1,
          cluster: good,
          filters: own,
        }],
      },
    },
    headers("RequestHeaderModifier", { set, add }),
    headers("ResponseHeaderModifier", { set: [{ name: "x-test-back", value: "rule" }] }),
  ),
  to({ hostname: "full.t.io" }, rewrite("/a\\1")),
  to({ hostname: "prefix.t.io", path: "Prefix:/p" }, rewrite("/new", "/p")),
  to({ hostname: "strip.t.io", path: "Prefix:/p" }, rewrite("/", "/p")),
  to({ hostname: "root.t.io" }, rewrite("/new", "/")),
  to(
    { hostname: "host.t.io" },
    { type: "URLRewrite", rewrite: { hostname: "rewritten.example" } },
  ),
  to({ hostname: "https.t.io" }, redirect({ scheme: "https" })),
  to({ hostname: "*.https.t.io" }, redirect({ scheme: "https" })),
  to({ hostname: "port.t.io" }, redirect({ port: 8443, statusCode: 308 })),
  to({ hostname: "same.t.io" }, redirect({ hostname: "elsewhere.io" })),
  to(
    { hostname: "rpath.t.io", path: "Prefix:/p" },
    redirect({ path: { type: "ReplacePrefixMatch", value: "/n", prefix: "/p" } }),
  ),
  to(
    { hostname: "rstrip.t.io", path: "Prefix:/p" },
    redirect({ path: { type: "ReplacePrefixMatch", value: "/", prefix: "/p" } }),
  ),
  to(
    { hostname: "rfull.t.io" },
    redirect({ path: { type: "ReplaceFullPath", value: "/full" } }),
  ),
  to({ hostname: "slow.t.io", action: { requestTimeoutMs: 200 } }),
  to({ hostname: "slowtry.t.io", action: { backendRequestTimeoutMs: 200 } }),
  to({ hostname: "cors.t.io" }, cors),
  to({ hostname: "mirror.t.io" }, {
    type: "RequestMirror",
    mirror: { cluster: other, numerator: 1, denominator: 1 },
  }),
];

function get(host: string, target = "/", more: Partial<AskedRequest> = {}): AskedRequest {
  return { host, target, ...more };
}

function preflight(origin: string): AskedRequest {
  return get("cors.t.io", "/", {
    method: "OPTIONS",
    headers: { origin, "access-control-request-method": "PUT" },
  });
}

/** Requests that both data planes must answer alike. */
const requests: readonly AskedRequest[] = [
  ...["/", "/a/../b", "/a%2Fb", "/a//b", "/x?q=%20", "/%41", "/a;b"].map((target) =>
    get("any.t.io", target)
  ),
  ...["any.t.io:8080", "ANY.t.io", "nobody.t.io", "t.io", "unknown"].map((host) => get(host)),
  ...["/sep", "/sep/", "/sep/a", "/sepa", "/sep?x", "/other", "/r12", "/q", "/q?q=1"].map((
    target,
  ) => get("sep.t.io", target)),
  get("sep.t.io", "/sep/exact", { method: "POST" }),
  get("sep.t.io", "/r12", { headers: { "x-test-h": ["2", "1"] } }),
  get("sep.t.io", "/q?a&q=1&q=2"),
  get("sep.t.io", "/q?q=2&q=1"),
  ...["/wild", "/deep", "/everywhere", "/nothing"].flatMap((target) => [
    get("deep.w.t.io", target),
    get("a.deep.w.t.io", target),
    get("w.t.io", target),
  ]),
  ...["none.t.io", "invalid.t.io", "empty.t.io"].map((host) => get(host)),
  ...["headers.t.io", "own.t.io", "own2.t.io"].map((host) =>
    get(host, "/", { headers: { "x-test-a": "0", "x-test-b": "0", "x-test-gone": "0" } })
  ),
  get("full.t.io", "/any/thing?q=1"),
  ...["/p", "/p/", "/p/a?q=1"].flatMap((target) => [
    get("prefix.t.io", target),
    get("strip.t.io", target),
    get("rpath.t.io", target),
    get("rstrip.t.io", target),
  ]),
  get("root.t.io", "/"),
  get("root.t.io", "/a?q=1"),
  get("host.t.io"),
  ...["https.t.io", "https.t.io:8080", "a.https.t.io", "port.t.io", "port.t.io:1", "same.t.io"]
    .map((host) => get(host, "/a?q=1")),
  get("rfull.t.io", "/a?q=1"),
  get("slow.t.io", "/slow"),
  get("slowtry.t.io", "/slow"),
  ...["https://a.io", "https://x.b.io", "https://b.io", "http://a.io"].flatMap((origin) => [
    preflight(origin),
    get("cors.t.io", "/", { headers: { origin } }),
  ]),
  get("isolated.t.io", "/everywhere"),
  get("isolated.t.io", "/isolated"),
];

const tlsRequests: readonly AskedRequest[] = [
  get("a.t.io", "/", { serverName: "a.t.io" }),
  get("b.t.io", "/", { serverName: "a.t.io" }),
  get("b.t.io", "/", { serverName: "b.t.io" }),
  get("a.t.io", "/", { serverName: "b.t.io" }),
  get("unknown", "/", { serverName: "a.t.io" }),
];

function freePort(): number {
  const probe = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = probe.addr;
  probe.close();
  return port;
}

async function certificateFor(secret: string, host: string): Promise<Certificate> {
  const { certificate, key } = await makeCertificate([host]);
  return {
    name: certificateName("default", secret),
    certificateChain: certificate,
    privateKey: key,
    digest: secret,
    leaf: { dnsNames: [host], notBefore: "", notAfter: "" },
  };
}

testWithEnvoy("a real Envoy answers as the embedded data plane does", async () => {
  await using backend = new SayingBackend("good", 2_000);
  await using copies = new SayingBackend("other", 0);
  const certificates = [
    await certificateFor("exact", "a.t.io"),
    await certificateFor("wild", "*.t.io"),
  ];
  const [port, tlsPort, envoyPort, envoyTlsPort] = [freePort(), freePort(), freePort(), freePort()];
  const tls = (name: string, hostname: string, certificate: string) =>
    listener("web", {
      name,
      port: tlsPort,
      protocol: "HTTPS",
      hostname,
      certificates: [certificateName("default", certificate)],
      routes: [to({ hostname })],
    });
  const config = configOf({
    gateways: [
      gateway("web", [
        listener("web", { port, routes: rules.toSorted(compareHttpRouteEntries) }),
        listener("web", {
          name: "isolated",
          port,
          hostname: "isolated.t.io",
          routes: [to({ hostname: "isolated.t.io", path: "Prefix:/isolated" })],
        }),
        tls("exact", "a.t.io", "exact"),
        tls("wild", "*.t.io", "wild"),
      ]),
    ],
    clusters: [
      cluster(good, loopback(await backend.open())),
      cluster(other, loopback(await copies.open())),
      cluster(empty, []),
    ],
    certificates,
  });
  const place = (address: string, listenerPort: number) => ({
    address,
    port: listenerPort === port ? envoyPort : envoyTlsPort,
  });
  const folder = await Deno.makeTempDir({ prefix: "weir-envoy-" });
  const { world } = translateOnce(config, { place });
  const bootstrap = staticBootstrap(world, envoyCodec, `${folder}/admin.sock`);
  await using _envoy = await StaticEnvoy.start(folder, bootstrap, envoyPort);
  await using embedded = new ProxyWorld();
  await embedded.dataPlane.apply(config);
  const differences: unknown[] = [];
  const compare = async (
    request: AskedRequest,
    ports: readonly [number, number],
  ): Promise<void> => {
    const [wanted, found]: Answer[] = [await ask(ports[0], request), await ask(ports[1], request)];
    if (JSON.stringify(wanted) !== JSON.stringify(found)) {
      differences.push({ request, embedded: wanted, envoy: found });
    }
  };
  for (const request of requests) await compare(request, [port, envoyPort]);
  for (const request of tlsRequests) await compare(request, [tlsPort, envoyTlsPort]);
  assertEquals(differences, []);
  await assertRejects(() => ask(envoyTlsPort, get("x.io", "/", { serverName: "x.io" })));
  const before = copies.targets.length;
  await ask(envoyPort, get("mirror.t.io", "/mirrored"));
  await until("the copy arrives", 5_000, () => copies.targets.length > before ? true : undefined);
  assertEquals(copies.targets.at(-1), "/mirrored");
  await Deno.remove(folder, { recursive: true });
});
