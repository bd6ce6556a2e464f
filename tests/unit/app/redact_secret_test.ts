/** Who may read the API learns what is wrong with a Secret, and never a value of it; nor of a ConfigMap. */

import { assertEquals } from "@std/assert";
import { redactProblem } from "../../../src/app/redact_secret.ts";

const refused = "The value is refused; neither it nor the message about it is shown";
const stays = "; the version before it stays in service";

function shown(field: string, message: string, object = "Secret default/tls"): string {
  return redactProblem({ source: "a.yaml:1", object, field, message }).message;
}

Deno.test("redactProblem() shows nothing of a message that quotes a value of a Secret", () => {
  assertEquals(shown("data[tls.key]", `Invalid value: "hunter2": wanted base64`), refused);
  assertEquals(shown("data[tls.key]", `Required value: hunter2`), refused);
  assertEquals(shown("metadata.annotations", `Invalid value: "hunter2"`), refused);
  assertEquals(shown("type", `Invalid value: "hunter2"`), `Invalid value: "[redacted]"`);
});

Deno.test("redactProblem() says that a key is missing, or its owner could not tell what to add", () => {
  assertEquals(shown("data[tls.key]", "Required value"), "Required value");
  assertEquals(shown("data[tls.key]", `Required value${stays}`), `Required value${stays}`);
});

Deno.test("redactProblem() says that the old version is served, or an old certificate surprises", () => {
  assertEquals(shown("data[tls.crt]", `Invalid value: "hunter2"${stays}`), `${refused}${stays}`);
});

Deno.test("redactProblem() shows nothing of a message that quotes a value of a ConfigMap", () => {
  for (const field of ["data[a]", "binaryData[a]", "metadata.annotations"]) {
    assertEquals(shown(field, `Invalid value: "hunter2"`, "ConfigMap default/settings"), refused);
  }
});

Deno.test("redactProblem() leaves the problems of other kinds alone", () => {
  const message = `Invalid value: "x"`;
  assertEquals(shown("data[a]", message, "HTTPRoute default/settings"), message);
  assertEquals(shown("data[a]", message, "Secrets default/settings"), message);
});
