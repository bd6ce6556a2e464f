/**
 * The resources for Envoy of a realistic world under random edits, translated by one that remembers.
 * What a user would lose: traffic by a configuration of yesterday (a part that was kept and should not
 * have been), or an Envoy that waits for ever for a name that nobody sends.
 *
 * The seed is printed. To run it again, or for longer:
 * `deno test tests/simulation/envoy_translation_test.ts -- --seed=N --runs=N`.
 */

import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import type { DataPlaneConfig } from "../../src/dataplane/model.ts";
import type { ProtoJson } from "../../src/envoy/codec.ts";
import { envoyKinds, type EnvoyWorld } from "../../src/envoy/resources.ts";
import { shownResources } from "../fakes/envoy_static.ts";
import { envoyCodec, newTranslator, translateOnce } from "../fakes/envoy_translation.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { playedSettings, PlayedWorld, steps } from "../fakes/played_gateway_world.ts";
import { checkSeeded, hasRunsArgument } from "../fakes/seeded_check.ts";

const certificates = [
  await makeCertificate(["a.example.com"]),
  await makeCertificate(["*.example.com"]),
];

/** Every text at a field of one of these names, however deep. */
function textsAt(value: ProtoJson, fields: ReadonlySet<string>, found: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [field, part] of Object.entries(value)) {
    if (typeof part === "string" && fields.has(field)) found.add(part);
    else textsAt(part, fields, found);
  }
}

/** What the resources of the first kinds refer to. */
function referred(
  world: EnvoyWorld,
  kinds: typeof envoyKinds[number][],
  ...fields: string[]
): Set<string> {
  const found = new Set<string>();
  const wanted = new Set(fields);
  for (const kind of kinds) {
    for (const message of shownResources(world, kind, envoyCodec).values()) {
      textsAt(message, wanted, found);
    }
  }
  return found;
}

/** Nothing is waited for, and nothing is sent that nobody asks for. */
function checkClosed(world: EnvoyWorld, config: DataPlaneConfig): void {
  const { resources } = world;
  const routes = referred(world, ["listener"], "routeConfigName");
  assertEquals([...routes].sort(), [...resources.route.keys()].sort());
  const looked = [...shownResources(world, "cluster", envoyCodec)]
    .filter(([, { type }]) => type === "EDS").map(([name]) => name);
  assertEquals(looked, [...resources.endpoints.keys()]);
  for (const name of referred(world, ["listener", "route"], "cluster")) {
    const isThere = resources.cluster.has(name) || name === "weir-invalid" ||
      ![...config.clusters.keys()].some((key) => key === name);
    assert(isThere, `cluster "${name}" is missing`);
  }
  const secrets = new Set<string>();
  for (const kind of ["listener", "cluster"] as const) {
    for (const message of shownResources(world, kind, envoyCodec).values()) {
      namesOfSecrets(message, secrets);
    }
  }
  for (const name of secrets) assert(resources.secret.has(name), `secret "${name}" is missing`);
  // A Gateway may have a certificate for backends and no backend that asks for it.
  const shown = new Set<string>(
    [...config.gateways.values()].flatMap(({ clientCertificate }) => clientCertificate ?? []),
  );
  for (const name of resources.secret.keys()) assert(secrets.has(name) || shown.has(name), name);
  for (const kind of envoyKinds) {
    for (const { name, origins } of resources[kind].values()) assert(origins.length > 0, name);
  }
}

function namesOfSecrets(value: ProtoJson, found: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  if ("sdsConfig" in value && typeof value.name === "string") found.add(value.name);
  for (const part of Object.values(value)) namesOfSecrets(part, found);
}

Deno.test("what is remembered of a translation never shows in the next one", () => {
  let translated = 0;
  let changed = 0;
  checkSeeded(
    fc.property(
      fc.array(steps(certificates), { minLength: 20, maxLength: 80 }),
      (played) => {
        const translator = newTranslator();
        let before: EnvoyWorld | undefined;
        const world = new PlayedWorld(
          certificates,
          { settings: playedSettings.full },
          ({ outputs: { dataPlane } }) => {
            const { world, refusals } = translator.translate(dataPlane);
            const fresh = translateOnce(dataPlane);
            assertEquals(world, fresh.world);
            assertEquals(refusals, fresh.refusals);
            translated++;
            for (const kind of envoyKinds) {
              if (
                before !== undefined && before.resources[kind] !== world.resources[kind]
              ) changed++;
              for (const [name, resource] of before?.resources[kind] ?? []) {
                const now = world.resources[kind].get(name);
                if (now === undefined || now.version !== resource.version) continue;
                if (JSON.stringify(now.origins) !== JSON.stringify(resource.origins)) continue;
                assertStrictEquals(now, resource, `${kind} ${name} is shared`);
              }
            }
            before = world;
            checkClosed(world, dataPlane);
          },
        );
        for (const step of played) world.play(step);
        world.end();
        for (const kind of envoyKinds) assertEquals(before?.resources[kind].size, 0, kind);
      },
    ),
    {
      name: "envoy translation",
      runs: 20,
      tally: () => `${translated} translations, ${changed} changes of a kind`,
    },
  );
  if (!hasRunsArgument()) assert(changed > 50, "the worlds change");
});
