/** Without these, HTTPS on a laptop would miss a host name or take a Secret that nobody named. */

import { assertEquals } from "@std/assert";
import { wantedCertificates } from "../../../src/localkube/wanted_certificates.ts";
import type { KubeObject } from "../../../src/kube/object.ts";

function gateway(name: string, listeners: readonly unknown[]): KubeObject {
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "Gateway",
    metadata: {
      name,
      namespace: "shop",
      uid: name,
      resourceVersion: "1",
      creationTimestamp: "1970-01-01T00:00:00Z",
    },
    spec: { gatewayClassName: "weir", listeners },
  };
}

function https(hostname: string | undefined, ...certificateRefs: readonly unknown[]): unknown {
  return { name: "https", port: 443, protocol: "HTTPS", hostname, tls: { certificateRefs } };
}

Deno.test("wantedCertificates() merges the hosts of all listeners that share a Secret", () => {
  const gateways = [
    gateway("one", [https("b.example.com", { name: "shared" })]),
    gateway("two", [https("*.example.com", { name: "shared" })]),
  ];
  assertEquals(wantedCertificates(gateways), [
    { namespace: "shop", name: "shared", dnsNames: ["*.example.com", "b.example.com"] },
  ]);
});

Deno.test("wantedCertificates() gives a listener without a hostname the loopback names", () => {
  const [wanted] = wantedCertificates([gateway("one", [https(undefined, { name: "local" })])]);
  assertEquals(wanted?.dnsNames, ["*.localhost", "127.0.0.1", "::1", "localhost"]);
});

Deno.test("wantedCertificates() follows the namespace of a reference and passes over other kinds", () => {
  const gateways = [
    gateway("one", [
      https("a.example.com", { name: "far", namespace: "other" }),
      https("a.example.com", { name: "map", kind: "ConfigMap" }),
      https("a.example.com", { name: "strange", group: "example.com" }),
      { name: "plain", port: 80, protocol: "HTTP" },
    ]),
  ];
  assertEquals(wantedCertificates(gateways), [
    { namespace: "other", name: "far", dnsNames: ["a.example.com"] },
  ]);
});
