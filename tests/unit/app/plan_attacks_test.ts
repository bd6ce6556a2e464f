/**
 * What a user would lose: the plan that says so, when a change that looks harmless takes traffic from
 * somebody who did not ask for it. Each case is a way to do that.
 */

import { assertEquals } from "@std/assert";
import type { Plan, TrafficTarget } from "../../../src/api/plan.ts";
import { decodeSettings } from "../../../src/config/decode_settings.ts";
import { flags } from "../../../src/config/flags.ts";
import { readArguments } from "../../../src/config/read_arguments.ts";
import type { KubeObject } from "../../../src/kube/object.ts";
import { makeCertificate } from "../../fakes/gateway_certificates.ts";
import {
  backendTLSPolicy,
  configMap,
  listenerSet,
  tcpRoute,
  tlsRoute,
} from "../../fakes/gateway_kind_objects.ts";
import {
  backend,
  endpointSlice,
  gateway,
  gatewayClass,
  httpRoute,
  httpsListener,
  listener,
  referenceGrant,
  rule,
  service,
  tlsSecret,
} from "../../fakes/gateway_objects.ts";
import { linesOf, worldOf } from "../../fakes/plan_world.ts";

const good = await makeCertificate(["a.io", "*.b.io"]);
const other = await makeCertificate(["other.io"]);

const usual: readonly KubeObject[] = [
  gatewayClass(),
  gateway("gw", [
    listener("http", { port: 8080 }),
    httpsListener("https", ["cert"], { port: 8443, hostname: "a.io" }),
  ]),
  tlsSecret("cert", good),
  service("web"),
  service("new"),
  endpointSlice("web", "web", ["10.0.0.1"]),
  endpointSlice("new", "new", ["10.0.0.2"]),
  httpRoute("old", { hostnames: ["a.io", "*.b.io"], rules: [rule("/")] }),
];

interface Case {
  readonly name: string;
  /** Beside the usual ones. */
  readonly objects?: readonly KubeObject[];
  readonly proposal?: readonly KubeObject[];
  readonly deletions?: readonly string[];
  readonly verdict: Plan["verdict"];
  /** Some of the changes. */
  readonly changes?: readonly string[];
  /** All moves: `! METHOD HOST:PORT/PATH: BEFORE -> AFTER`. */
  readonly traffic?: readonly string[];
  readonly diagnostics?: readonly string[];
  readonly args?: readonly string[];
}

function targetText(target: TrafficTarget | null): string {
  if (!target) return "nobody";
  const { decision, route = "no route", backends } = target;
  const shares = backends.map(({ weight, cluster }) => `${weight} ${cluster ?? "nobody"}`);
  return `${route} ${[decision, ...shares].join(" ")}`;
}

function trafficOf({ traffic }: Plan): readonly string[] {
  return traffic.map(({ port, protocol, request, before, after, isWorse }) => {
    const { method = protocol, host = "", path = "" } = request;
    return `${isWorse ? "! " : ""}${method} ${host}:${port}${path}: ` +
      `${targetText(before)} -> ${targetText(after)}`;
  });
}

const oldServes = "HTTPRoute default/old backend 1 default/web/80";

const cases: readonly Case[] = [
  {
    name: "nothing that is written in another way",
    proposal: usual,
    verdict: "unchanged",
  },
  {
    name: "a renewed certificate, which is as good as the old one",
    proposal: [tlsSecret("cert", await makeCertificate(["a.io"]))],
    verdict: "changed",
    changes: ["Secret cert certificate"],
  },
  {
    name: "a certificate whose key is another's",
    proposal: [tlsSecret("cert", { certificate: good.certificate, key: other.key })],
    verdict: "worse",
    changes: [
      "! Gateway gw status.listeners[https].conditions[ResolvedRefs]",
      "! Gateway gw served.listeners[https]",
    ],
    traffic: [`! GET a.io:8443/: ${oldServes} -> nobody`],
  },
  {
    name: "a certificate for other names",
    proposal: [tlsSecret("cert", other)],
    verdict: "worse",
    changes: ["Secret cert certificate"],
    diagnostics: ["CertificateNameMismatch Gateway default/gw"],
  },
  {
    name: "a certificate that is over",
    proposal: [tlsSecret("cert", await makeCertificate(["a.io"], "2020-01-01", "2021-01-01"))],
    verdict: "worse",
    changes: ["Secret cert certificate"],
    diagnostics: ["CertificateExpired Secret default/cert"],
  },
  {
    name: "the deletion of a Secret that a listener needs",
    deletions: ["secret/default/cert"],
    verdict: "worse",
    changes: ["! Gateway gw served.listeners[https]", "Secret cert certificate"],
    traffic: [`! GET a.io:8443/: ${oldServes} -> nobody`],
  },
  {
    name: "a match that is more specific than another's",
    proposal: [httpRoute("thief", { hostnames: ["a.io"], rules: [rule("/pay", "new")] })],
    verdict: "worse",
    traffic: [
      `! GET a.io:8080/pay: ${oldServes} -> HTTPRoute default/thief backend 1 default/new/80`,
      `! GET a.io:8443/pay: ${oldServes} -> HTTPRoute default/thief backend 1 default/new/80`,
    ],
  },
  {
    name: "a match with a header, which takes a part of another's requests",
    proposal: [httpRoute("thief", {
      hostnames: ["a.io"],
      parentRefs: [{ name: "gw", sectionName: "http" }],
      rules: [rule("/", "new", { matches: [{ headers: [{ name: "x", value: "1" }] }] })],
    })],
    verdict: "worse",
    traffic: [
      `! GET a.io:8080/: ${oldServes} -> HTTPRoute default/thief backend 1 default/new/80`,
    ],
  },
  {
    name: "a hostname that is more specific than another's",
    proposal: [httpRoute("thief", { hostnames: ["x.b.io"], rules: [rule("/", "new")] })],
    verdict: "worse",
    traffic: [
      `! GET x.b.io:8080/: ${oldServes} -> HTTPRoute default/thief backend 1 default/new/80`,
    ],
  },
  {
    name: "a listener of another Gateway with a more specific hostname and no route",
    proposal: [gateway("thief", [listener("http", { port: 8080, hostname: "x.b.io" })])],
    verdict: "worse",
    traffic: [`! GET x.b.io:8080/: ${oldServes} -> no route 404`],
  },
  {
    name: "a new route that takes nothing from anybody",
    proposal: [httpRoute("new", { hostnames: ["new.io"], rules: [rule("/", "new")] })],
    verdict: "changed",
    traffic: ["GET new.io:8080/: no route 404 -> HTTPRoute default/new backend 1 default/new/80"],
  },
  {
    name: "other weights of a route that is proposed",
    proposal: [httpRoute("old", {
      hostnames: ["a.io"],
      parentRefs: [{ name: "gw", sectionName: "http" }],
      rules: [{ backendRefs: [backend("web", { weight: 9 }), backend("new", { weight: 1 })] }],
    })],
    objects: [httpRoute("old", {
      hostnames: ["a.io"],
      parentRefs: [{ name: "gw", sectionName: "http" }],
      rules: [{ backendRefs: [backend("web", { weight: 2 }), backend("new", { weight: 2 })] }],
    })],
    verdict: "changed",
    traffic: [
      "GET a.io:8080/: HTTPRoute default/old backend 2 default/web/80 2 default/new/80 -> " +
      "HTTPRoute default/old backend 9 default/web/80 1 default/new/80",
    ],
  },
  {
    name: "weights that are written in another way",
    proposal: [httpRoute("old", {
      hostnames: ["a.io"],
      parentRefs: [{ name: "gw", sectionName: "http" }],
      rules: [{ backendRefs: [backend("web", { weight: 50 }), backend("new", { weight: 50 })] }],
    })],
    objects: [httpRoute("old", {
      hostnames: ["a.io"],
      parentRefs: [{ name: "gw", sectionName: "http" }],
      rules: [{ backendRefs: [backend("web", { weight: 1 }), backend("new", { weight: 1 })] }],
    })],
    verdict: "changed",
    traffic: [],
  },
  {
    name: "a port of a Service that is gone",
    proposal: [service("web", { ports: [{ port: 81 }] })],
    verdict: "worse",
    changes: ["! HTTPRoute old status.parents[default/gw].conditions[ResolvedRefs]"],
  },
  {
    name: "the last endpoint of a Service",
    deletions: ["endpointslice/default/web"],
    verdict: "worse",
    changes: ["! Service web endpoints[80]"],
  },
  {
    name: "a listener that moves to another hostname, away from a route",
    proposal: [gateway("gw", [listener("http", { port: 8080, hostname: "c.io" })])],
    verdict: "worse",
    changes: ["! HTTPRoute old status.parents[default/gw].conditions[Accepted]"],
    traffic: [
      `! GET a.io:8080/: ${oldServes} -> nobody`,
      `! GET any.b.io:8080/: ${oldServes} -> nobody`,
      `! GET a.io:8443/: ${oldServes} -> nobody`,
    ],
  },
  {
    name: "an address that another Gateway had",
    args: ["--gateway-addresses=127.0.0.1,127.0.0.2"],
    proposal: [
      gateway("a-thief", [listener("http", { port: 9090 })], {
        addresses: [{ type: "IPAddress", value: "127.0.0.1" }],
      }),
    ],
    verdict: "changed",
    changes: ["Gateway a-thief served.addresses"],
  },
  {
    name: "the deletion of the class of somebody's Gateway",
    deletions: ["gc/weir"],
    verdict: "worse",
    changes: ["! Gateway gw served.addresses", "! Gateway gw served.listeners[http]"],
  },
  {
    name: "the deletion of a grant that a route needs",
    objects: [
      service("far", {}, { namespace: "far" }),
      endpointSlice("far", "far", ["10.0.0.3"], {}, { namespace: "far" }),
      referenceGrant(
        "far",
        { kind: "HTTPRoute", namespace: "default" },
        { kind: "Service" },
        { namespace: "far" },
      ),
      httpRoute("across", {
        hostnames: ["across.io"],
        rules: [{ backendRefs: [backend("far", { namespace: "far" })] }],
      }),
    ],
    deletions: ["refgrant/far/far"],
    verdict: "worse",
    changes: ["! HTTPRoute across status.parents[default/gw].conditions[ResolvedRefs]"],
    traffic: [
      "! GET across.io:8080/: HTTPRoute default/across backend 1 far/far/80 -> " +
      "HTTPRoute default/across 500 1 nobody",
    ],
  },
  {
    name: "the deletion of a ListenerSet that a route is attached to",
    args: ["--data-plane=envoy"],
    objects: [
      gateway("gw", [listener("http", { port: 8080 })], {
        allowedListeners: { namespaces: { from: "All" } },
      }),
      listenerSet("set", [listener("more", { port: 9090 })]),
      httpRoute("guest", { parentRefs: [{ kind: "ListenerSet", name: "set" }] }),
    ],
    deletions: ["lset/default/set"],
    verdict: "worse",
    changes: ["ListenerSet set served.listeners[default/gw/default/set/more]"],
    traffic: [
      "! GET any.invalid:9090/: HTTPRoute default/guest backend 1 default/web/80 -> nobody",
    ],
  },
  {
    name: "TLS to a backend that has none",
    args: ["--data-plane=envoy"],
    objects: [configMap("ca", { "ca.crt": good.certificate })],
    proposal: [backendTLSPolicy("tls")],
    verdict: "changed",
    changes: ["Service web backend[80]"],
  },
  {
    name: "a TCPRoute that goes elsewhere because its Service is gone",
    args: ["--data-plane=envoy"],
    objects: [
      gateway("tcp", [listener("tcp", { port: 5432, protocol: "TCP" })]),
      tcpRoute("db", { parentRefs: [{ name: "tcp" }] }),
    ],
    deletions: ["svc/default/web"],
    verdict: "worse",
    changes: ["! TCPRoute db served[default/tcp/tcp].rules[0]"],
  },
  {
    name: "a TLSRoute with a more specific hostname than another's",
    args: ["--data-plane=envoy"],
    objects: [
      gateway("tls", [
        listener("tls", { port: 5433, protocol: "TLS", tls: { mode: "Passthrough" } }),
      ]),
      tlsRoute("db", { parentRefs: [{ name: "tls" }], hostnames: ["*.db.io"] }),
    ],
    proposal: [
      tlsRoute("thief", {
        parentRefs: [{ name: "tls" }],
        hostnames: ["x.db.io"],
        rules: [{ backendRefs: [backend("new")] }],
      }),
    ],
    verdict: "worse",
    traffic: [
      "! TLS x.db.io:5433: TLSRoute default/db backend 1 default/web/80/TCP -> " +
      "TLSRoute default/thief backend 1 default/new/80/TCP",
    ],
  },
];

for (const { name, objects = [], proposal = [], deletions = [], args = [], ...wanted } of cases) {
  Deno.test(`A plan sees ${name}`, async () => {
    const { layer } = readArguments(flags, args);
    const { settings } = decodeSettings(flags, [layer]);
    const world = worldOf([...usual, ...objects], { settings });
    const manifests = proposal.map((object) => JSON.stringify(object)).join("\n---\n");
    const plan = await world.plan(manifests, ...deletions);
    assertEquals(plan.problems, []);
    const lines = linesOf(plan);
    assertEquals(plan.verdict, wanted.verdict, lines.join("\n"));
    for (const line of wanted.changes ?? []) {
      assertEquals(lines.filter((found) => found === line), [line], lines.join("\n"));
    }
    if (wanted.traffic) assertEquals(trafficOf(plan), wanted.traffic);
    assertEquals(
      plan.newDiagnostics.map(({ code, object }) => `${code} ${object}`),
      wanted.diagnostics ?? plan.newDiagnostics.map(({ code, object }) => `${code} ${object}`),
    );
    assertEquals(plan.isTrafficWhole, true);
  });
}
