/** Bundles of authorities in ConfigMaps and Secrets: read from `ca.crt`, and no other data kept. */

import { assert, assertEquals } from "@std/assert";
import { decodeObject } from "../../../../src/kube/decode/decode.ts";
import { makeCertificate } from "../../../fakes/gateway_certificates.ts";
import { configMap } from "../../../fakes/gateway_kind_objects.ts";
import { object } from "../../../fakes/gateway_objects.ts";
import { decoded } from "../../../fakes/gateway_world.ts";

const authority = await makeCertificate([]);

Deno.test("ConfigMap keeps the bundle in ca.crt and no other data", () => {
  const map = decoded(
    "ConfigMap",
    configMap("ca", { "ca.crt": authority.certificate, password: "hunter2" }),
  );
  assert("certificates" in map.ca);
  assertEquals(map.ca.certificateCount, 1);
  assert(!JSON.stringify(map).includes("hunter2"));
});

for (
  const [what, data, wanted] of [
    ["data", {}, `its "ca.crt" is missing`],
    ["data that are null", null, `its "ca.crt" is missing`],
    ["a ca.crt that is text", { "ca.crt": 7 }, `its "ca.crt" is missing`],
    ["a certificate", { "ca.crt": "hello" }, `its "ca.crt" holds no PEM certificate`],
  ] as const
) {
  Deno.test(`ConfigMap without ${what} is kept with the reason, because a status names it`, () => {
    const map = decoded("ConfigMap", object("v1", "ConfigMap", "ca", {}, { data }));
    assertEquals(map.ca, { invalid: wanted });
  });
}

Deno.test("ConfigMap of a real API server has no field data when it is empty", () => {
  const map = decoded("ConfigMap", object("v1", "ConfigMap", "ca", {}, {}));
  assertEquals(map.ca, { invalid: `its "ca.crt" is missing` });
});

Deno.test("ConfigMap whose data are no object is refused without its value", () => {
  const result = decodeObject("ConfigMap", object("v1", "ConfigMap", "c", {}, { data: "hunter2" }));
  assertEquals(result, { ok: false, reason: "data: wanted Object" });
});

for (const type of ["Opaque", "kubernetes.io/tls", "example.com/ca"]) {
  Deno.test(`Secret of type ${type} keeps the bundle in ca.crt`, () => {
    const data = { "ca.crt": btoa(authority.certificate), password: btoa("hunter2") };
    const secret = decoded("Secret", object("v1", "Secret", "ca", {}, { type, data }));
    assert("certificates" in secret.ca);
    assertEquals(secret.ca.certificates.trim(), authority.certificate.trim());
    assert(!JSON.stringify(secret).includes("hunter2"));
  });
}

for (
  const [what, data] of [
    ["missing", {}],
    ["no text", { "ca.crt": 7 }],
    ["no base64", { "ca.crt": authority.certificate }],
    ["longer than a Secret can be", { "ca.crt": "A".repeat(1_500_001) }],
  ] as const
) {
  Deno.test(`Secret whose ca.crt is ${what} is kept with the reason`, () => {
    const secret = decoded("Secret", object("v1", "Secret", "s", {}, { data }));
    assertEquals(secret.ca, { invalid: `its "ca.crt" is missing or not base64` });
  });
}
