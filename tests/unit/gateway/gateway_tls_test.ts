/**
 * `spec.tls` of a Gateway: whose clients are let in, and what backends are shown. A mistake here lets
 * everybody in, or keeps everybody out.
 */

import { assertEquals } from "@std/assert";
import { parseCaBundle } from "../../../src/kube/ca_bundle.ts";
import { embeddedCapabilities, fullCapabilities } from "../../fakes/data_planes.ts";
import { ComputedWorld } from "../../fakes/computed_world.ts";
import { makeCertificate } from "../../fakes/gateway_certificates.ts";
import { configMap, listenerSet } from "../../fakes/gateway_kind_objects.ts";
import {
  gateway,
  gatewayClass,
  httpsListener,
  type Json,
  listener,
  referenceGrant,
  tlsSecret,
} from "../../fakes/gateway_objects.ts";

const pem = await makeCertificate(["a.example.com"]);
const other = await makeCertificate(["b.example.com"]);

const bundleOf = (certificate: string): string => {
  const bundle = parseCaBundle(certificate);
  return "invalid" in bundle ? "" : bundle.certificates;
};

const ca = (name: string, rest: Json = {}): Json => ({
  group: "",
  kind: "ConfigMap",
  name,
  ...rest,
});
const validation = (refs: readonly Json[], mode?: string): Json => ({
  validation: { caCertificateRefs: refs, ...(mode === undefined ? {} : { mode }) },
});

const listeners = [
  httpsListener("https", ["one"]),
  httpsListener("other", ["one"], { port: 8443 }),
  listener("plain"),
];

function gatewayWith(tls: Json): ReturnType<typeof gateway> {
  return gateway("gw", listeners, {
    tls,
    allowedListeners: { namespaces: { from: "All" } },
  });
}

function made(tls: Json, dataPlane = fullCapabilities): ComputedWorld {
  return new ComputedWorld([
    gatewayClass(),
    gatewayWith(tls),
    tlsSecret("one", pem),
    tlsSecret("two", other),
    configMap("ca", { "ca.crt": pem.certificate }),
    configMap("ca2", { "ca.crt": other.certificate }),
    configMap("bad", { "ca.crt": "nonsense" }),
    configMap("far", { "ca.crt": pem.certificate }, { namespace: "apps" }),
  ], dataPlane);
}

const accepted = (world: ComputedWorld, name: string): string =>
  world.world.listenerCondition("default/gw", name, "Accepted");
const resolved = (world: ComputedWorld, name: string): string =>
  world.world.listenerCondition("default/gw", name, "ResolvedRefs");

Deno.test("Clients are checked at every HTTPS listener, by the default and at no other", () => {
  const world = made({ frontend: { default: validation([ca("ca")]) } });
  const wanted = { caCertificates: [bundleOf(pem.certificate)], isOptional: false };
  assertEquals(world.listener("https").clientValidation, wanted);
  assertEquals(world.listener("other").clientValidation, wanted);
  assertEquals(world.listener("plain").clientValidation, undefined);
});

Deno.test("A port with settings of its own has nothing of the default, not even its validation", () => {
  const world = made({
    frontend: {
      default: validation([ca("ca")]),
      perPort: [
        { port: 443, tls: {} },
        { port: 8443, tls: validation([ca("ca2")], "AllowInsecureFallback") },
      ],
    },
  });
  assertEquals(world.listener("https").clientValidation, undefined);
  assertEquals(world.listener("other").clientValidation, {
    caCertificates: [bundleOf(other.certificate)],
    isOptional: true,
  });
});

Deno.test("Listeners of ListenerSets check clients as their Gateway says", () => {
  const world = made({
    frontend: { perPort: [{ port: 9443, tls: validation([ca("ca")]) }], default: {} },
  });
  world.step(listenerSet("set", [
    httpsListener("main", [{ name: "one" }], { port: 9443 }),
    httpsListener("free", [{ name: "one" }], { port: 9444 }),
  ]));
  assertEquals(world.listener("default/set/main").clientValidation?.caCertificates.length, 1);
  assertEquals(world.listener("default/set/free").clientValidation, undefined);
});

Deno.test("Bundles that cannot be used leave the others, which are sorted and told once", () => {
  const refs = [ca("ca2"), ca("bad"), ca("ca"), ca("ca2")];
  const world = made({ frontend: { default: validation(refs) } });
  assertEquals(
    world.listener("https").clientValidation?.caCertificates,
    [bundleOf(pem.certificate), bundleOf(other.certificate)].sort(),
  );
  assertEquals(accepted(world, "https"), "True/Accepted");
  assertEquals(resolved(world, "https"), "False/InvalidCACertificateRef");
  world.step(configMap("bad", { "ca.crt": pem.certificate }));
  assertEquals(resolved(world, "https"), "True/ResolvedRefs");
});

Deno.test("Bundles are handed on in one order, whatever theirs is", () => {
  const of = (...refs: readonly Json[]): unknown =>
    made({ frontend: { default: validation(refs) } }).listener("https").clientValidation;
  assertEquals(of(ca("ca"), ca("ca2")), of(ca("ca2"), ca("ca")));
});

Deno.test("Without any usable bundle the listener is not accepted: else everybody would be let in", () => {
  for (
    const [reference, reason] of [
      [ca("gone"), "InvalidCACertificateRef"],
      [{ group: "", kind: "Secret", name: "one" }, "InvalidCACertificateKind"],
      [ca("far", { namespace: "apps" }), "RefNotPermitted"],
    ] as const
  ) {
    const world = made({ frontend: { default: validation([reference], "AllowInsecureFallback") } });
    assertEquals(accepted(world, "https"), "False/NoValidCACertificate", reason);
    assertEquals(resolved(world, "https"), `False/${reason}`);
    assertEquals(accepted(world, "plain"), "True/Accepted");
  }
});

Deno.test("A bundle of another namespace needs a grant for Gateways, and loses it with the grant", () => {
  const world = made({ frontend: { default: validation([ca("far", { namespace: "apps" })]) } });
  const grant = (kind: string) =>
    referenceGrant("grant", { kind, namespace: "default" }, { kind: "ConfigMap", name: "far" }, {
      namespace: "apps",
    });
  world.step(grant("ListenerSet"));
  assertEquals(resolved(world, "https"), "False/RefNotPermitted");
  world.step(grant("Gateway"));
  assertEquals(resolved(world, "https"), "True/ResolvedRefs");
  world.world.delete("ReferenceGrant", "apps/grant");
  world.step();
  assertEquals(resolved(world, "https"), "False/RefNotPermitted");
});

Deno.test("Insecure validation is told of, unless the data plane lets nobody in that way", () => {
  const tls = { frontend: { default: validation([ca("ca")], "AllowInsecureFallback") } };
  const type = "InsecureFrontendValidationMode";
  const condition = (world: ComputedWorld): string =>
    world.world.condition("Gateway", "default/gw", type);
  assertEquals(condition(made(tls)), "True/ConfigurationChanged");
  const embedded = made(tls, embeddedCapabilities);
  assertEquals(condition(embedded), "-");
  assertEquals(accepted(embedded, "https"), "False/UnsupportedValue");
  assertEquals(condition(made({ frontend: { default: validation([ca("ca")]) } })), "-");
});

Deno.test("A Gateway is not programmed while another client certificate is on its way", () => {
  const world = made({ backend: { clientCertificateRef: { name: "one" } } });
  const programmed = (): string => world.world.condition("Gateway", "default/gw", "Programmed");
  world.answer();
  assertEquals(programmed(), "True/Programmed");
  assertEquals(String(world.config().clientCertificate), "default/one");
  world.step(gatewayWith({ backend: { clientCertificateRef: { name: "two" } } }));
  assertEquals(programmed(), "Unknown/Pending");
  world.answer();
  assertEquals(programmed(), "True/Programmed");
});

Deno.test("A data plane without client certificates for backends is given none", () => {
  const tls = { backend: { clientCertificateRef: { name: "two" } } };
  const world = made(tls, embeddedCapabilities);
  assertEquals(world.config().clientCertificate, undefined);
  assertEquals([...world.computed.outputs.dataPlane.certificates.keys()].map(String), [
    "default/one",
  ]);
});

Deno.test("A client certificate that cannot be used is told and none is shown", () => {
  const world = made({ backend: { clientCertificateRef: { name: "gone" } } });
  const refs = (): string => world.world.condition("Gateway", "default/gw", "ResolvedRefs");
  assertEquals(world.config().clientCertificate, undefined);
  assertEquals(refs(), "False/InvalidClientCertificateRef");
  const published = world.step(tlsSecret("gone", pem));
  assertEquals(String(world.config().clientCertificate), "default/gone");
  assertEquals(published.changes.certificates.map(String), ["default/gone"]);
  world.step(gatewayWith({}));
  assertEquals([...world.computed.outputs.dataPlane.certificates.keys()].map(String), [
    "default/one",
  ]);
});
