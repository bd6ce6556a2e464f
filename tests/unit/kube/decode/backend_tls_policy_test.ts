/**
 * BackendTLSPolicies at the door: a policy that is half understood would let a backend be trusted
 * that its author did not mean to trust.
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { decodeObject } from "../../../../src/kube/decode/decode.ts";
import { backendTLSPolicy } from "../../../fakes/gateway_kind_objects.ts";
import { decoded } from "../../../fakes/gateway_world.ts";

Deno.test("BackendTLSPolicy has the API's defaults: no authorities, no names, no options", () => {
  const { spec } = decoded(
    "BackendTLSPolicy",
    backendTLSPolicy("p", {
      targetRefs: [{ group: "", kind: "Service", name: "a", sectionName: "https" }],
      validation: { hostname: "A.Example.com", wellKnownCACertificates: "System" },
    }),
  );
  assertEquals<unknown>(spec, {
    targetRefs: [{ group: "", kind: "Service", name: "a", sectionName: "https" }],
    validation: {
      hostname: "a.example.com",
      wellKnownCACertificates: "System",
      caCertificateRefs: [],
      subjectAltNames: [],
    },
    options: {},
  });
});

Deno.test("BackendTLSPolicy keeps values of later API versions, so that a status can name them", () => {
  const validation = {
    hostname: "a",
    caCertificateRefs: [{ group: "x", kind: "Y", name: "z" }],
    wellKnownCACertificates: "example.com/Roots",
    subjectAltNames: [
      { type: "Hostname", hostname: "B" },
      { type: "URI", uri: "spiffe://A/b" },
      { type: "Later" },
    ],
  };
  const { spec } = decoded(
    "BackendTLSPolicy",
    backendTLSPolicy("p", { validation, options: { "example.com/min": "1.3" } }),
  );
  assertEquals<unknown>(spec.validation, {
    ...validation,
    subjectAltNames: [
      { type: "Hostname", hostname: "b" },
      { type: "URI", uri: "spiffe://A/b" },
      { type: "Later" },
    ],
  });
  assertEquals(spec.options, { "example.com/min": "1.3" });
});

for (
  const [spec, wanted] of [
    [{ targetRefs: undefined }, "spec.targetRefs"],
    [{ targetRefs: [{ kind: "Service", name: "a" }] }, "spec.targetRefs[0].group"],
    [{ validation: undefined }, "spec.validation"],
    [{ validation: {} }, "spec.validation.hostname"],
    [{ validation: { hostname: "a", caCertificateRefs: [{ name: "a" }] } }, "caCertificateRefs[0]"],
    [{ validation: { hostname: "a", subjectAltNames: [7] } }, "subjectAltNames[0]: wanted Object"],
    [{ options: { a: 1 } }, "spec.options.a: wanted string"],
  ] as const
) {
  Deno.test(`BackendTLSPolicy with ${JSON.stringify(spec)} is refused with "${wanted}"`, () => {
    const result = decodeObject("BackendTLSPolicy", backendTLSPolicy("p", spec));
    assertStringIncludes(result.ok ? "decoded" : result.reason, wanted);
  });
}
