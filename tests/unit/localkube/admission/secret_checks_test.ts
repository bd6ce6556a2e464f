/** Secrets: what a listener's certificate needs, and that no message repeats a value. */

import { assertEquals } from "@std/assert";
import { admitCore } from "../../../fakes/core_admission.ts";

function admit(fields: Record<string, unknown>, old?: Record<string, unknown>) {
  return admitCore("Secret", "v1", fields, old);
}

Deno.test("a Secret is Opaque by default, and stringData wins over data", () => {
  assertEquals(admit({ data: { a: "YQ==", b: "Yg==" }, stringData: { b: "ü" } }), {
    object: { data: { a: "YQ==", b: "w7w=" }, type: "Opaque" },
    warnings: [],
  });
  assertEquals(admit({ data: { a: "YW\nFh\n" } }).causes, undefined, "line breaks are allowed");
});

const refused: readonly (readonly [Record<string, unknown>, readonly string[]])[] = [
  [{ data: { a: "s3cret!" } }, ["data[a] Invalid value: illegal base64 data at input byte 6"]],
  [{ data: { a: "YWF" } }, ["data[a] Invalid value: illegal base64 data at input byte 3"]],
  [{ stringData: { port: 5432 } }, [
    'stringData.port Invalid value: "integer": stringData.port in body must be of type string: "integer"',
  ]],
  [{ type: "kubernetes.io/tls" }, ["data[tls.crt] Required value", "data[tls.key] Required value"]],
  [{ type: "kubernetes.io/tls", data: { "tls.crt": "" } }, ["data[tls.key] Required value"]],
  [{ type: "kubernetes.io/basic-auth" }, [
    "data[username] Required value",
    "data[password] Required value",
  ]],
  [{ type: "kubernetes.io/ssh-auth" }, ["data[ssh-privatekey] Required value"]],
  [{ type: "kubernetes.io/dockerconfigjson" }, ["data[.dockerconfigjson] Required value"]],
  [{ type: "kubernetes.io/service-account-token" }, [
    "metadata.annotations[kubernetes.io/service-account.name] Required value",
  ]],
  [{ data: { "a b": "" } }, [
    "data[a b] Invalid value: \"a b\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
  ]],
  [{ data: { "..": "" } }, ["data[..] Invalid value: \"..\": must not start with '..'"]],
  [{ stringData: { a: "x".repeat(1024 * 1024 + 8) } }, [
    "data Too long: may not be more than 1048576 bytes",
  ]],
];

for (const [fields, causes] of refused) {
  Deno.test(`a Secret is refused: ${JSON.stringify(fields).slice(0, 90)}`, () => {
    assertEquals(admit(fields), { causes: [...causes] });
  });
}

Deno.test("a kubernetes.io/tls Secret with both keys is taken, even when they are empty", () => {
  const fields = { type: "kubernetes.io/tls", data: { "tls.crt": "", "tls.key": "" } };
  assertEquals(admit(fields).causes, undefined);
});

Deno.test("the type of a Secret cannot be changed, and nothing of an immutable one", () => {
  assertEquals(
    admit({ type: "kubernetes.io/ssh-auth", data: { "ssh-privatekey": "" } }, {
      type: "Opaque",
    }),
    { causes: ['type Invalid value: "kubernetes.io/ssh-auth": field is immutable'] },
  );
  const old = { type: "Opaque", immutable: true, data: { a: "YQ==" } };
  assertEquals(admit({ immutable: true, data: { a: "YQ==" } }, old).causes, undefined);
  assertEquals(admit({ data: { a: "Yg==" } }, old), {
    causes: [
      "immutable Forbidden: field is immutable when `immutable` is set",
      "data Forbidden: field is immutable when `immutable` is set",
    ],
  });
});

Deno.test("a ConfigMap's keys are in data or in binaryData, not in both", () => {
  const admitted = admitCore("ConfigMap", "v1", {
    data: { a: "x", b: "y" },
    binaryData: { b: "YQ==", c: "?" },
  });
  assertEquals(admitted, {
    causes: [
      'data[b] Invalid value: "b": duplicate of key present in binaryData',
      "binaryData[c] Invalid value: illegal base64 data at input byte 0",
    ],
  });
});
