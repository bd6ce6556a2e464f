// What a user would lose: the reason why a Secret that is there "does not exist".

import { assertEquals } from "@std/assert";
import { type ReadingScope, unreadNote } from "../../../src/app/unread_note.ts";
import type { Kind } from "../../../src/kube/kinds.ts";

const settings = { namespaces: ["a", "b"], secretNamespaces: ["b"] };
const states: ReadingScope["states"] = new Map<Kind, { readonly phase: "live" }>([
  ["Secret", { phase: "live" }],
  ["Service", { phase: "live" }],
  ["GatewayClass", { phase: "live" }],
]);

Deno.test("An object outside of the namespaces that are read is told of, with the flag", () => {
  const note = (kind: Kind, namespace?: string) =>
    unreadNote(kind, namespace, { states, settings });
  assertEquals([note("Service", "a"), note("Secret", "b"), note("GatewayClass")], [
    undefined,
    undefined,
    undefined,
  ]);
  assertEquals(note("Service", "c"), 'Service is not read in namespace "c" (--namespaces)');
  assertEquals(note("Secret", "a"), 'Secret is not read in namespace "a" (--secret-namespaces)');
  const all = { states, settings: { namespaces: [], secretNamespaces: [] } };
  assertEquals(unreadNote("Secret", "c", all), undefined);
});

Deno.test("A kind that is not read is told of, with the reason", () => {
  const note = (phase: "off" | "absent" | "forbidden", reason?: string) =>
    unreadNote("Secret", "a", {
      states: new Map([["Secret", { phase, ...reason === undefined ? {} : { reason } }]]),
      settings,
    });
  assertEquals(note("off"), "Secret is not read from the cluster, as the settings say");
  assertEquals(note("absent"), "The cluster does not have the kind Secret");
  assertEquals(
    note("forbidden", "403"),
    "Secret cannot be read now, what is known of it counts: 403",
  );
});
