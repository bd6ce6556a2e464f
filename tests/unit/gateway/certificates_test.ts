/** Certificates of listeners: a wrong one must be named, a right one served, none leaked. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { makeCertificate, type TestCertificate } from "../../fakes/gateway_certificates.ts";
import {
  gateway,
  gatewayClass,
  httpsListener,
  type Json,
  listener,
  object,
  referenceGrant,
  tlsSecret,
} from "../../fakes/gateway_objects.ts";
import { GatewayWorld } from "../../fakes/gateway_world.ts";

const gw = "default/gw";
const pem: TestCertificate = await makeCertificate(["a.example.com"]);
const otherPem: TestCertificate = await makeCertificate(["b.example.com"]);

function world(listeners: readonly Json[], spec: Json = {}): GatewayWorld {
  const made = new GatewayWorld();
  made.put(gatewayClass(), gateway("gw", listeners, spec), tlsSecret("tls", pem));
  return made;
}

Deno.test("A listener with a good certificate is served with it", () => {
  const made = world([httpsListener("a", ["tls"])]);
  assertEquals(made.listenerCondition(gw, "a", "ResolvedRefs"), "True/ResolvedRefs");
  const { certificates } = made.outputs().dataPlane;
  const [certificate] = certificates.values();
  assertEquals<readonly string[]>(made.config(gw).listeners[0]?.certificates ?? [], [
    "default/tls",
  ]);
  assertEquals(certificate?.privateKey, pem.key);
  assertEquals(certificate?.digest.length, 64);
});

const badReferences: readonly (readonly [string, string | Json, string])[] = [
  ["does not exist", "missing", "False/InvalidCertificateRef"],
  ["is of another kind", { name: "tls", kind: "ConfigMap" }, "False/InvalidCertificateRef"],
  ["is of another group", { name: "tls", group: "a.example" }, "False/InvalidCertificateRef"],
  ["is in another namespace", { name: "tls", namespace: "other" }, "False/RefNotPermitted"],
  ["is of another type", "opaque", "False/InvalidCertificateRef"],
  ["holds no certificate", "garbage", "False/InvalidCertificateRef"],
  ["has a key of another certificate", "mismatched", "False/InvalidCertificateRef"],
  ["has a key that is none", "keyless", "False/InvalidCertificateRef"],
];

for (const [what, reference, wanted] of badReferences) {
  Deno.test(`A listener whose only certificate ${what} is accepted, not served, and says why`, () => {
    const made = world([httpsListener("a", [reference]), listener("http")]);
    made.put(
      object("v1", "Secret", "opaque", {}, { type: "Opaque", data: { "tls.crt": btoa("x") } }),
      tlsSecret("garbage", { certificate: "garbage", key: pem.key }),
      tlsSecret("mismatched", { certificate: pem.certificate, key: otherPem.key }),
      tlsSecret("keyless", { certificate: pem.certificate, key: "SECRET" }),
    );
    assertEquals(made.listenerCondition(gw, "a", "ResolvedRefs"), wanted);
    assertEquals(made.listenerCondition(gw, "a", "Accepted"), "True/Accepted");
    assertEquals(made.listenerCondition(gw, "a", "Programmed"), "False/Invalid");
    assertEquals(made.condition("Gateway", gw, "Accepted"), "True/Accepted");
    assertEquals(made.condition("Gateway", gw, "ResolvedRefs"), "False/ListenersNotResolved");
    assertEquals(made.config(gw).listeners.map(({ name }) => name), ["http"]);
    assert(!JSON.stringify(made.status("Gateway", gw)).includes("SECRET"));
  });
}

Deno.test("A listener with one good certificate of two is served with that one", () => {
  const made = world([httpsListener("a", ["missing", "tls"])]);
  assertEquals(made.listenerCondition(gw, "a", "ResolvedRefs"), "False/InvalidCertificateRef");
  assertEquals(made.config(gw).listeners[0]?.certificates?.length, 1);
});

Deno.test("An HTTPS listener without any certificate says so", () => {
  const made = world([listener("a", { protocol: "HTTPS", port: 443 })]);
  assertEquals(made.listenerCondition(gw, "a", "ResolvedRefs"), "False/InvalidCertificateRef");
});

Deno.test("A grant allows a Secret of another namespace; its removal revokes", () => {
  const made = world([httpsListener("a", [{ name: "tls", namespace: "other" }])]);
  made.put(
    tlsSecret("tls", pem, { namespace: "other" }),
    referenceGrant("g", { kind: "Gateway", namespace: "default" }, { kind: "Secret" }, {
      namespace: "other",
    }),
  );
  assertEquals(made.listenerCondition(gw, "a", "ResolvedRefs"), "True/ResolvedRefs");
  made.delete("ReferenceGrant", "other/g");
  assertEquals(made.listenerCondition(gw, "a", "ResolvedRefs"), "False/RefNotPermitted");
  assertEquals(made.outputs().dataPlane.certificates.size, 0, "the key is taken away");
});

Deno.test("A client certificate for backends that does not resolve is told on the Gateway", () => {
  const made = world([listener("a")], {
    tls: { backend: { clientCertificateRef: { name: "missing" } } },
  });
  assertEquals(
    made.condition("Gateway", gw, "ResolvedRefs"),
    "False/InvalidClientCertificateRef",
  );
  assertEquals(made.condition("Gateway", gw, "Accepted"), "True/Accepted");
});

Deno.test("HTTPS listeners with overlapping hostnames or certificates are marked, others not", () => {
  const made = world([
    httpsListener("wild", ["tls"], { hostname: "*.example.com" }),
    httpsListener("exact", ["other"], { hostname: "x.example.com" }),
    httpsListener("same", ["tls"], { hostname: "a.example.org" }),
    httpsListener("alone", ["other"], { port: 8443 }),
  ]);
  made.put(tlsSecret("other", otherPem));
  const overlap = (name: string) => made.listenerCondition(gw, name, "OverlappingTLSConfig");
  assertEquals(overlap("wild"), "True/OverlappingCertificates");
  assertEquals(overlap("exact"), "True/OverlappingHostnames");
  assertEquals(overlap("same"), "True/OverlappingCertificates");
  assertEquals(overlap("alone"), "-");
});

Deno.test("A Secret that is repaired heals its listener without any other change", () => {
  const made = world([httpsListener("a", ["late"])]);
  assertEquals(made.listenerCondition(gw, "a", "ResolvedRefs"), "False/InvalidCertificateRef");
  assert(made.put(tlsSecret("late", otherPem)));
  assertEquals(made.listenerCondition(gw, "a", "ResolvedRefs"), "True/ResolvedRefs");
  assertMatch(
    made.outputs().dataPlane.certificates.values().next().value?.digest ?? "",
    /^[0-9a-f]/,
  );
});
