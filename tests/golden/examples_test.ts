// What a user would lose: examples that work, and an example of faults that shows what it says.

import { assertEquals } from "@std/assert";
import type { TranslateResult } from "../../src/api/translate.ts";
import { translateManifests } from "../../src/app/translate.ts";
import { decodeSettings } from "../../src/config/decode_settings.ts";
import { flags } from "../../src/config/flags.ts";

const { settings } = decodeSettings(flags, []);

function translateExample(name: "quickstart" | "broken"): Promise<TranslateResult> {
  const folder = new URL(`../../examples/${name}`, import.meta.url).pathname;
  return translateManifests({
    inputs: [folder],
    settings: { ...settings, devCertificates: name === "quickstart" },
  });
}

/** `Kind namespace/name: Condition=Status Reason` of every condition that is not True. */
function complaints({ statuses }: TranslateResult): readonly string[] {
  return statuses.flatMap(({ kind, metadata, status }) =>
    conditionsIn(status)
      // Conflicted is the one condition that is well when it is False.
      .filter(({ type, status }) => status !== (type === "Conflicted" ? "False" : "True"))
      .map(({ type, status, reason }) =>
        `${kind} ${metadata.namespace ?? ""}/${metadata.name}: ${type}=${status} ${reason}`
      )
  );
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
}

/** Every condition, wherever in a status it stands. */
function conditionsIn(value: unknown): readonly Condition[] {
  if (Array.isArray(value)) return value.flatMap(conditionsIn);
  if (!isRecord(value)) return [];
  const { type, status, reason } = value;
  if (typeof type === "string" && typeof status === "string" && typeof reason === "string") {
    return [{ type, status, reason }];
  }
  return Object.values(value).flatMap(conditionsIn);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

Deno.test("examples/quickstart has no problem and nothing to complain about", async () => {
  const result = await translateExample("quickstart");
  assertEquals(result.problems, []);
  assertEquals(result.unserved, []);
  assertEquals(complaints(result), []);
  assertEquals(result.statuses.map(({ kind }) => kind), [
    "GatewayClass",
    "Gateway",
    "HTTPRoute",
    "HTTPRoute",
    "HTTPRoute",
  ]);
});

Deno.test("examples/broken shows one fault of each kind, with file, line, object and field", async () => {
  const { problems } = await translateExample("broken");
  assertEquals(problems.map(({ source, object, field }) => `${source} ${object} ${field}`.trim()), [
    "rule.yaml:10 HTTPRoute default/redirect-and-rewrite spec.rules[0].filters",
    "schema.yaml:11 HTTPRoute default/no-slash spec.rules[0].matches[0].path",
    "schema.yaml:28 Gateway default/too-high spec.listeners[0].port",
    "syntax.yaml:22",
    "unknown-kind.yaml:2 HTTPRoutes default/misspelt kind",
  ]);
});

Deno.test("examples/broken serves what is good, and says in statuses what does not resolve", async () => {
  const result = await translateExample("broken");
  const routes = result.statuses.filter(({ kind }) => kind === "HTTPRoute");
  assertEquals(routes.map(({ metadata }) => metadata.name), [
    "app",
    "first",
    "no-backend",
    "no-section",
  ]);
  assertEquals(complaints(result), [
    "Gateway default/no-certificate: Programmed=False Invalid",
    "Gateway default/no-certificate: ResolvedRefs=False ListenersNotResolved",
    "Gateway default/no-certificate: Programmed=False Invalid",
    "Gateway default/no-certificate: ResolvedRefs=False InvalidCertificateRef",
    "HTTPRoute default/no-backend: ResolvedRefs=False BackendNotFound",
    "HTTPRoute default/no-section: Accepted=False NoMatchingParent",
    "HTTPRoute default/no-section: weir.dev/Programmed=False NotAccepted",
  ]);
});
