/**
 * What a user would lose: the answer to "why does my route not work", with the object, the field, the
 * change and the time, when the status alone says only that it does not.
 */

import { assert, assertEquals } from "@std/assert";
import { becauseMaxOf } from "../../../../src/gateway/explain/explain_condition.ts";
import type { ExplainedCondition } from "../../../../src/gateway/explain/explained_status.ts";
import type { KubeObject } from "../../../../src/kube/object.ts";
import { ExplainedEngine, showInput } from "../../../fakes/explained_engine.ts";
import { makeCertificate } from "../../../fakes/gateway_certificates.ts";
import { backendTLSPolicy, listenerSet } from "../../../fakes/gateway_kind_objects.ts";
import {
  backend,
  gateway,
  gatewayClass,
  httpRoute,
  httpsListener,
  listener,
  namespace,
  referenceGrant,
  rule,
  service,
  tlsSecret,
} from "../../../fakes/gateway_objects.ts";

const certificate = await makeCertificate(["a.example.com"]);
const { crt, key } = { crt: certificate.certificate, key: certificate.key };

/** Runs `test` with an engine that has these objects. */
async function withEngine(
  objects: readonly KubeObject[],
  test: (engine: ExplainedEngine) => Promise<void>,
): Promise<void> {
  const engine = new ExplainedEngine();
  await engine.start(gatewayClass(), ...objects);
  try {
    await test(engine);
  } finally {
    await engine.stop();
  }
}

/** What is told of a condition: its value, what it follows from, what altered it. */
function told({ condition, because, lastChange }: ExplainedCondition) {
  const { input } = lastChange;
  return {
    value: `${condition.status}/${condition.reason}`,
    because: because.map(showInput),
    input: input && showInput(input),
  };
}

const crossing = httpRoute("r", {
  rules: [{ backendRefs: [backend("api", { namespace: "pay" })] }],
});
const grant = referenceGrant(
  "allow",
  { kind: "HTTPRoute", namespace: "default" },
  { kind: "Service" },
  { namespace: "pay" },
);

Deno.test("A deleted ReferenceGrant is why references of a route do not resolve any more", async () => {
  const objects = [gateway("gw"), service("api", {}, { namespace: "pay" }), grant, crossing];
  await withEngine(objects, async (engine) => {
    const before = engine.explain("HTTPRoute", "default/r", "parents[default/gw]", "ResolvedRefs");
    assertEquals(told(before), {
      value: "True/ResolvedRefs",
      because: [
        "HTTPRoute default/r spec.rules",
        'ReferenceGrant pay/* (1 ReferenceGrants in namespace "pay")',
        "ReferenceGrant pay/allow",
        "Service pay/api",
        'BackendTLSPolicy * (0 BackendTLSPolicies about Service "pay/api") absent',
      ],
      input: undefined,
    });
    assertEquals(before.lastChange.isSinceStart, true);

    await engine.clock.advance(60_000);
    const atMs = engine.clock.now();
    engine.source.delete("ReferenceGrant", "pay/allow");
    await engine.settle();
    const after = engine.explain("HTTPRoute", "default/r", "parents[default/gw]", "ResolvedRefs");
    assertEquals(told(after), {
      value: "False/RefNotPermitted",
      because: [
        'ReferenceGrant pay/* (0 ReferenceGrants in namespace "pay") absent',
        "ReferenceGrant pay/allow absent",
        "HTTPRoute default/r spec.rules",
      ],
      input: "ReferenceGrant pay/allow absent",
    });
    const { lastChange: { input, revision, timeMs, isSinceStart } } = after;
    assertEquals([input?.timeMs, isSinceStart], [atMs, false]);
    assert(input && input.revision <= revision && timeMs >= atMs);
    assertEquals(
      after.chain.map(({ step, concluded }) => [step, concluded]),
      [
        [
          "HTTPRoute status",
          'ResolvedRefs False: RefNotPermitted: Cannot use Service "pay/api": no ReferenceGrant ' +
          'in namespace "pay" allows it',
        ],
        [
          "HTTPRoute rules",
          'RefNotPermitted: Cannot use Service "pay/api": no ReferenceGrant in namespace "pay" ' +
          "allows it",
        ],
        ["input", "none is left"],
      ],
    );
  });
});

Deno.test("A Namespace's labels are why a route is not taken any more", async () => {
  const selective = listener("http", {
    allowedRoutes: { namespaces: { from: "Selector", selector: { matchLabels: { team: "a" } } } },
  });
  const objects = [
    namespace("apps", { team: "a" }),
    gateway("gw", [selective]),
    httpRoute("r", { parentRefs: [{ name: "gw", namespace: "default" }] }, { namespace: "apps" }),
  ];
  await withEngine(objects, async (engine) => {
    await engine.clock.advance(5000);
    const atMs = engine.clock.now();
    engine.source.put(namespace("apps", { team: "b" }));
    await engine.settle();
    const found = engine.explain("HTTPRoute", "apps/r", "parents[default/gw]", "Accepted");
    assertEquals(told(found), {
      value: "False/NotAllowedByListeners",
      because: [
        "Namespace apps metadata.labels",
        "HTTPRoute apps/r spec.parentRefs",
        "HTTPRoute apps/r spec.hostnames",
        "Gateway default/gw spec.listeners",
      ],
      input: "Namespace apps metadata.labels",
    });
    assertEquals(found.lastChange.input?.timeMs, atMs);
    // A change that alters nothing is told as the newest of its input, and altered nothing.
    engine.source.put(
      gateway("gw", [selective, { ...selective, name: "b", port: 81 }], {}, { generation: 2 }),
    );
    await engine.settle();
    const later = engine.explain("HTTPRoute", "apps/r", "parents[default/gw]", "Accepted");
    assertEquals(later.lastChange, found.lastChange);
  });
});

Deno.test("The answer of the data plane is why a route is programmed, or is not", async () => {
  await withEngine([gateway("gw"), service("web"), httpRoute("r")], async (engine) => {
    const programmed = () =>
      engine.explain("HTTPRoute", "default/r", "parents[default/gw]", "weir.dev/Programmed");
    const first = told(programmed());
    assertEquals([first.value, first.because[0]], [
      "True/Programmed",
      "acknowledgement Gateway default/gw",
    ]);
    assertEquals(first.input, "acknowledgement Gateway default/gw");
    engine.dataPlane.refusals = [{
      origin: { kind: "HTTPRoute", namespace: "default", name: "r" },
      reason: "TooLarge",
      message: "It is too large",
    }];
    engine.source.put(httpRoute("r", { rules: [rule("/other")] }, { generation: 2 }));
    await engine.settle();
    const refused = told(programmed());
    assertEquals([refused.value, refused.input], [
      "False/TooLarge",
      "acknowledgement Gateway default/gw routes[HTTPRoute default/r]",
    ]);
  });
});

Deno.test("A Secret that is missing is why its listener, and no other, has no certificate", async () => {
  const listeners = [
    httpsListener("a", ["cert-a"], { hostname: "a.example.com" }),
    httpsListener("b", ["cert-b"], { hostname: "b.example.com" }),
  ];
  const secret = tlsSecret("cert-b", { certificate: crt, key });
  await withEngine([gateway("gw", listeners), secret], async (engine) => {
    const resolved = (name: string) =>
      told(engine.explain("Gateway", "default/gw", `listeners[${name}]`, "ResolvedRefs"));
    assertEquals(resolved("a"), {
      value: "False/InvalidCertificateRef",
      because: [
        "Secret default/cert-a data absent",
        "Gateway default/gw spec.listeners",
        "Gateway default/gw spec.tls",
      ],
      input: undefined,
    });
    assertEquals(resolved("b"), {
      value: "True/ResolvedRefs",
      because: [
        "Gateway default/gw spec.listeners",
        "Gateway default/gw spec.tls",
        "Secret default/cert-b data",
      ],
      input: undefined,
    });
    engine.source.put(tlsSecret("cert-a", { certificate: crt, key }));
    await engine.settle();
    assertEquals(resolved("a").input, "Secret default/cert-a data");
    engine.source.delete("Secret", "default/cert-a");
    await engine.settle();
    assertEquals(resolved("a").input, "Secret default/cert-a data absent");
    assertEquals(resolved("b").input, undefined);
    const all = engine.open("Gateway", "default/gw").step();
    assert(!JSON.stringify(all).includes("PRIVATE KEY"));
  });
});

Deno.test("What is read for one parent of a route is no reason for another", async () => {
  const route = httpRoute("r", { parentRefs: [{ name: "gw" }, { name: "other" }] });
  await withEngine([gateway("gw"), gateway("other", [listener("x")]), route], (engine) => {
    for (const [own, other] of [["gw", "other"], ["other", "gw"]] as const) {
      for (const type of ["Accepted", "weir.dev/Programmed"]) {
        const found = engine.explain("HTTPRoute", "default/r", `parents[default/${own}]`, type);
        const names = found.because.filter(({ kind }) => kind === "Gateway").map(({ name }) =>
          name
        );
        assert(names.includes(own), `${type} of ${own}: ${names}`);
        assert(!names.includes(other), `${type} of ${own}: ${names}`);
      }
    }
    return Promise.resolve();
  });
});

Deno.test("What a ListenerSet and a policy say is explained as what Gateways and routes say", async () => {
  const objects = [
    gateway("gw", undefined, { allowedListeners: { namespaces: { from: "Same" } } }),
    listenerSet("set", [httpsListener("https", ["cert"], { port: 8443 })]),
    httpRoute("r", { parentRefs: [{ kind: "ListenerSet", name: "set" }] }),
    service("web"),
    backendTLSPolicy("policy"),
  ];
  await withEngine(objects, async (engine) => {
    const resolved = () =>
      told(engine.explain("ListenerSet", "default/set", "listeners[https]", "ResolvedRefs"));
    assertEquals(resolved().because[0], "Secret default/cert data absent");
    engine.source.put(tlsSecret("cert", { certificate: crt, key }));
    await engine.settle();
    assertEquals(resolved().input, "Secret default/cert data");
    assertEquals(
      told(engine.explain("ListenerSet", "default/set", "", "Accepted")).input,
      "Secret default/cert data",
    );
    const parent = "parents[ListenerSet default/set]";
    const taken = () => told(engine.explain("HTTPRoute", "default/r", parent, "Accepted"));
    assertEquals([
      taken().value,
      taken().because.includes("ListenerSet default/set spec.listeners"),
    ], [
      "True/Accepted",
      true,
    ]);
    engine.source.put(gateway("gw", undefined, {}, { generation: 2 }));
    await engine.settle();
    assertEquals([taken().value, taken().input], [
      "False/NotAllowedByListeners",
      "Gateway default/gw spec.allowedListeners",
    ]);
    engine.source.put(httpRoute("r", {}, { generation: 2 }));
    await engine.settle();
    const ancestor = "ancestors[default/gw]";
    const policy = told(
      engine.explain("BackendTLSPolicy", "default/policy", ancestor, "ResolvedRefs"),
    );
    assertEquals([policy.value, policy.because[0]], [
      "False/InvalidCACertificateRef",
      "ConfigMap default/ca data absent",
    ]);
  });
});

Deno.test("An explanation is bounded, says so, and keeps what altered the condition", async () => {
  const secrets = Array.from({ length: 50 }, (_, index) => `cert-${index}`);
  const objects = [
    gateway("gw", [httpsListener("all", secrets)]),
    ...secrets.map((name) => tlsSecret(name, { certificate: crt, key })),
  ];
  await withEngine(objects, async (engine) => {
    const found = engine.explain("Gateway", "default/gw", "listeners[all]", "ResolvedRefs");
    assertEquals([found.because.length, found.isTruncated], [32, true]);
    engine.source.delete("Secret", "default/cert-49");
    await engine.settle();
    const after = engine.explain("Gateway", "default/gw", "listeners[all]", "ResolvedRefs");
    assertEquals([after.because.length, after.isTruncated], [32, true]);
    assertEquals(told(after).because[0], "Secret default/cert-49 data absent");
  });
});

Deno.test("becauseMaxOf() shares the bound of an answer among its conditions", () => {
  assertEquals([0, 1, 125, 200, 500, 5000].map(becauseMaxOf), [32, 32, 32, 20, 8, 8]);
});

Deno.test("StatusExplainer.step() stops when it is told to, and goes on where it was", async () => {
  await withEngine([gateway("gw"), httpRoute("r")], (engine) => {
    const whole = engine.open("Gateway", "default/gw").step();
    const explainer = engine.open("Gateway", "default/gw");
    let stepCount = 0;
    let groups = explainer.step(() => true);
    for (; !groups; groups = explainer.step(() => true)) stepCount++;
    assertEquals(groups, whole);
    assertEquals(stepCount, groups.flatMap(({ conditions }) => conditions).length);
    return Promise.resolve();
  });
});

Deno.test("A condition of a new object is known from its beginning, with what brought it", async () => {
  await withEngine([gateway("gw"), service("web")], async (engine) => {
    await engine.clock.advance(1000);
    engine.source.put(httpRoute("late"));
    await engine.settle();
    const found = engine.explain("HTTPRoute", "default/late", "parents[default/gw]", "Accepted");
    assertEquals(found.lastChange.isSinceStart, false);
    assertEquals(found.lastChange.input?.name, "late");
  });
});
