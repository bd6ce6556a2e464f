/**
 * What a user would lose: a plan and a change stream that leave nothing out and invent nothing. After
 * random edits of a whole cluster the changes that are told are exactly the facts that differ, found
 * by comparing everything with everything.
 */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { equal } from "../../src/base/equal.ts";
import { fingerprint } from "../../src/base/fingerprint.ts";
import type { Origin } from "../../src/dataplane/model.ts";
import { diffOutputs, keepDataPlaneIdentity, keepOutputsIdentity } from "../../src/gateway/diff.ts";
import { outputChanges } from "../../src/gateway/output_diff/output_diff.ts";
import { statusFacts } from "../../src/gateway/output_diff/status_facts.ts";
import { noOutputs, type Outputs, statusKinds } from "../../src/gateway/outputs.ts";
import { keyOf } from "../../src/kube/object.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { GatewayWorld, kindOf } from "../fakes/gateway_world.ts";
import { type Edit, edits, initialWorld } from "../fakes/random_gateway_world.ts";

const certificates = [await makeCertificate(["a.example.com"]), await makeCertificate(["b.io"])];

/** Every fact of `outputs`, without looking at any other. */
function allFacts({ statuses, dataPlane }: Outputs): Map<string, unknown> {
  const facts = new Map<string, unknown>();
  for (const kind of statusKinds) {
    for (const [key, desired] of statuses[kind]) {
      for (const [path, value] of statusFacts(desired)) facts.set(`${kind} ${key} ${path}`, value);
    }
  }
  for (const gateway of dataPlane.gateways.values()) {
    const { key, creationTimestamp: _, addresses, listeners, ...others } = gateway;
    facts.set(`Gateway ${key} served.addresses`, addresses);
    for (const [field, value] of Object.entries(others)) {
      facts.set(`Gateway ${key} served.${field}`, value);
    }
    for (const { name, origin: owner, routes, streams, ...own } of listeners) {
      const place = owner.kind === "Gateway" ? name : `${key}/${name}`;
      facts.set(`${nameOf(owner)} served.listeners[${place}]`, withFingerprints(own));
      for (const { origin, ruleIndex, matchIndex, hostname, match, action } of routes) {
        const path = `served[${key}/${name}].rules[${ruleIndex}].matches[${matchIndex}]` +
          hostPath(hostname);
        facts.set(`${nameOf(origin)} ${path}`, { match, ...action });
      }
      for (const { origin, hostname, backends } of streams) {
        const path = `served[${key}/${name}].rules[0]${hostPath(hostname)}`;
        facts.set(`${nameOf(origin)} ${path}`, { backends });
      }
    }
  }
  for (const { name, origin, port, endpoints, ...own } of dataPlane.clusters.values()) {
    const [, , , protocol] = name.split("/");
    const part = protocol ? `${port}/${protocol}` : port;
    const addresses = endpoints.map((endpoint) => `${endpoint.address}:${endpoint.port}`);
    facts.set(`${nameOf(origin)} endpoints[${part}]`, addresses);
    if (Object.keys(own).length > 0) {
      facts.set(`${nameOf(origin)} backend[${part}]`, withFingerprints(own));
    }
  }
  for (const { name, digest, leaf: { dnsNames, notAfter } } of dataPlane.certificates.values()) {
    facts.set(`Secret ${name} certificate`, { digest, dnsNames, notAfter });
  }
  return facts;
}

/** Bundles are told by their fingerprints, wherever they are. */
function withFingerprints(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, part) => {
    const isBundles = (key === "caCertificates" || key === "trust") && Array.isArray(part);
    return isBundles ? part.map(fingerprint) : part;
  }));
}

function nameOf({ kind, namespace, name }: Origin): string {
  return `${kind} ${namespace}/${name}`;
}

function hostPath(hostname: string | undefined): string {
  return hostname === undefined ? "" : `.hostnames[${hostname}]`;
}

function differences(before: Outputs, after: Outputs): Map<string, readonly [unknown, unknown]> {
  const [old, now] = [allFacts(before), allFacts(after)];
  const found = new Map<string, readonly [unknown, unknown]>();
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const [a, b] = [old.get(key) ?? null, now.get(key) ?? null];
    if (!equal(a, b)) found.set(key, [a, b]);
  }
  return found;
}

function apply(world: GatewayWorld, { object, action }: Edit): void {
  if (action !== "put") world.delete(kindOf(object), keyOf(object));
  if (action !== "delete") world.put(object);
}

/** As the engine does it: unchanged parts keep their identity. */
function recompute(world: GatewayWorld, previous: Outputs): Outputs {
  const next = world.outputs();
  const dataPlane = keepDataPlaneIdentity(previous.dataPlane, next.dataPlane);
  return keepOutputsIdentity(previous, { ...next, dataPlane });
}

Deno.test("outputChanges() tells every difference between two outputs, once", () => {
  let told = 0;
  fc.assert(
    fc.property(
      fc.array(fc.array(edits(certificates), { minLength: 1, maxLength: 4 }), { maxLength: 12 }),
      (steps) => {
        const world = new GatewayWorld();
        world.put(...initialWorld(certificates));
        let before: Outputs = noOutputs;
        for (const step of [[], ...steps]) {
          for (const edit of step) apply(world, edit);
          const after = recompute(world, before);
          const changes = [...outputChanges(before, after, diffOutputs(before, after))];
          const found = new Map(changes.map((change) => {
            const { kind, namespace, name, path } = change;
            const key = namespace === undefined ? name : `${namespace}/${name}`;
            return [`${kind} ${key} ${path}`, [change.before, change.after] as const];
          }));
          assertEquals(found.size, changes.length);
          assertEquals(found, differences(before, after));
          told += changes.length;
          before = after;
        }
      },
    ),
    { numRuns: 150 },
  );
  assert(told > 10_000, `only ${told} changes were told`);
});
