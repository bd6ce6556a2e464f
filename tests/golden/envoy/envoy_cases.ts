/**
 * Inputs of tests/golden/translate as the resources that an Envoy would be given for them: what
 * `weir translate --envoy -o json` prints, with certificates, which are made anew each time, left out.
 */

import { createLocalWorld } from "../../../src/app/local_world.ts";
import { manifestsWorld } from "../../../src/app/compute_world.ts";
import { translateWorld } from "../../../src/app/translate.ts";
import { noLog } from "../../../src/base/log.ts";
import { translateFlags } from "../../../src/cli/translate_flags.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import { readInput, readSettings } from "../translate/cases.ts";

/** The cases, each with what it shows. */
export const envoyCases = [
  // Order, fall-through between hosts of one listener, wildcards.
  "71-precedence-hostnames",
  // One configuration for each listener with TLS, and 421 for the other's hosts.
  "26-https-overlapping-hostnames",
  "46-weights",
  "60-matches",
  "62-filters-headers",
  "63-filters-redirect",
  "64-filters-rewrite",
  "93-session-persistence",
  "201-frontend-validation",
  "206-tls-modes",
  "230-grpc-route",
  "246-udp-route-backends",
  "252-backend-tls-policy-validation",
] as const;

/** Where the expectation of a case is. */
export function expectationOf(name: string): URL {
  return new URL(`${name}.json`, import.meta.url);
}

/** The resources of a case as text. */
export async function renderCase(name: string): Promise<string> {
  const given = await readSettings(translateFlags, name);
  const settings = { ...given, dataPlane: "envoy" as const };
  let count = 0;
  const world = createLocalWorld({
    settings,
    paths: ["-"],
    standardInputText: await readInput(name),
    clock: new FakeClock(),
    log: noLog,
    newUid: () => `uid-${++count}`,
  });
  const { envoy } = await translateWorld(manifestsWorld(world), settings, true);
  const text = JSON.stringify(envoy, (_, value) => isPem(value) ? "(PEM)" : value, 2);
  return `${text}\n`;
}

function isPem(value: unknown): boolean {
  return typeof value === "string" && value.includes("-----BEGIN ");
}
