// One status code means several things: who retries blindly on all of them loops, and who fails on all
// of them loses work.

import { assertEquals } from "@std/assert";
import { clusterErrorOf } from "../../../src/kube/cluster_error.ts";

const status = (reason: string, message = "", details: unknown = undefined) => ({
  kind: "Status",
  reason,
  message,
  details,
});

const cases: readonly [code: number, status: unknown, kind: string][] = [
  [
    409,
    status("Conflict", "Operation cannot be fulfilled on x: the object has been modified"),
    "stale-write",
  ],
  [
    409,
    status("Conflict", "Apply failed with 1 conflict", {
      causes: [{ reason: "FieldManagerConflict", field: ".spec" }],
    }),
    "field-owned",
  ],
  [
    409,
    status("Conflict", "Precondition failed: UID in precondition: a, UID in object meta: b"),
    "recreated",
  ],
  [
    409,
    status("Conflict", "the UID in the precondition (a) does not match the UID in record (b)"),
    "recreated",
  ],
  [
    409,
    status("Conflict", "uid mismatch: the provided object specified uid a, and no existing object"),
    "recreated",
  ],
  [
    422,
    status("Invalid", "apply to the successor", {
      causes: [{ field: "metadata.uid", message: "Invalid value: field is immutable" }],
    }),
    "recreated",
  ],
  [
    422,
    status("Invalid", "a selector", {
      causes: [{ field: "spec.selector", message: "Invalid value: field is immutable" }],
    }),
    "immutable",
  ],
  [
    422,
    status("Invalid", "an address", {
      causes: [{ field: "spec.clusterIPs[0]", message: "Invalid value: may not change once set" }],
    }),
    "immutable",
  ],
  [409, status("Conflict", "Precondition failed: ResourceVersion in precondition"), "stale-write"],
  [
    409,
    status("Conflict", "the ResourceVersion in the precondition (1) does not match"),
    "stale-write",
  ],
  [409, status("AlreadyExists", 'x "a" already exists'), "already-exists"],
  [409, status("AlreadyExists", "object is being deleted: x"), "being-deleted"],
  [401, undefined, "unauthorized"],
  [403, status("Forbidden", "no"), "forbidden"],
  [
    403,
    status("Forbidden", "no", { causes: [{ reason: "NamespaceTerminating" }] }),
    "namespace-terminating",
  ],
  [404, "404 page not found", "not-found"],
  [410, status("Expired"), "expired"],
  [410, status("Gone"), "expired"],
  [429, status("TooManyRequests"), "overloaded"],
  [
    504,
    status("Timeout", "", { causes: [{ reason: "ResourceVersionTooLarge" }] }),
    "version-too-large",
  ],
  [
    504,
    status("Timeout", "Timeout: Too large resource version: 5, current: 4"),
    "version-too-large",
  ],
  [504, status("Timeout"), "unavailable"],
  [500, "<html>", "unavailable"],
  [503, undefined, "unavailable"],
  [422, status("Invalid"), "invalid"],
  [400, status("BadRequest"), "invalid"],
  [301, undefined, "garbled"],
];
for (const [code, body, kind] of cases) {
  const words = typeof body === "object" && body !== null && "message" in body ? body.message : "";
  Deno.test(`clusterErrorOf() tells ${code} ${words} as ${kind}`, () => {
    assertEquals(clusterErrorOf(code, body).kind, kind);
  });
}

Deno.test("clusterErrorOf() reads when to come back, within bounds", () => {
  const wait = (header?: string, details?: unknown) =>
    clusterErrorOf(429, status("TooManyRequests", "", details), header).retryAfterMs;
  assertEquals(wait("3"), 3_000);
  assertEquals(wait("99999999"), 300_000);
  assertEquals(wait("0"), undefined);
  assertEquals(wait("Wed, 21 Oct 2026 07:28:00 GMT"), undefined);
  assertEquals(wait(undefined, { retryAfterSeconds: 2 }), 2_000);
});

Deno.test("clusterErrorOf() repeats the server's words in part and printable", () => {
  const { message } = clusterErrorOf(500, status("x", `a\nb\u001b[31m${"y".repeat(5_000)}`));
  assertEquals(message.includes("\n"), false);
  assertEquals(message.startsWith("The API server answered 500: a\\nb\\u001b"), true);
  assertEquals(message.length < 600, true);
});
