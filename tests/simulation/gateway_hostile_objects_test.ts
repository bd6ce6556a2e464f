/**
 * Objects with parts missing, of the wrong type, or absurd: what an older CRD, another API server or
 * an attacker with write access may hand over. One bad object must not end the process or keep the
 * others from being served; at worst it is a problem on a list.
 */

import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import { RegexCache } from "../../src/dataplane/regex.ts";
import { RouteTable } from "../../src/dataplane/route_table.ts";
import { DataPlanePush } from "../../src/gateway/data_plane_push.ts";
import { statusKinds } from "../../src/gateway/outputs.ts";
import { isRecord } from "../../src/kube/json_value.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { renderStatus } from "../../src/kube/render_status.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import { fullCapabilities } from "../fakes/data_planes.ts";
import { GatewayEngine, RecordingDataPlane } from "../fakes/gateway_engine.ts";
import { backend, gateway, gatewayClass, httpRoute, service } from "../fakes/gateway_objects.ts";
import { toKey } from "../fakes/gateway_world.ts";
import { addressesByName, edits, initialWorld } from "../fakes/random_gateway_world.ts";

/** More with an argument, as in `deno test FILE -- 2000`. */
const numRuns = Number(Deno.args[0] ?? 60);

const certificates = [await makeCertificate(["a.example.com"])];

const junk = fc.constantFrom<unknown>(
  undefined,
  null,
  "",
  "x",
  -1,
  0,
  1e9,
  1.5,
  true,
  [],
  {},
  [null],
  [[]],
  { a: 1 },
  "*.",
  ".",
  "a/b/c",
  "__proto__",
  "\u0000",
  "[",
  "(",
  "/",
);

/** How one part of an object is spoilt; `at` counts the parts. */
interface Damage {
  readonly at: number;
  readonly by: unknown;
}

/** Where objects differ from each other: an object without a name reaches nobody. */
const untouchable = new Set([
  "apiVersion",
  "kind",
  "metadata",
  "metadata.name",
  "metadata.namespace",
]);

function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  const own = path.length === 0 || untouchable.has(path.join(".")) ? [] : [path];
  if (typeof value !== "object" || value === null) return own;
  return [...own, ...Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]))];
}

/** `value` with the part at `path` replaced, or left out when it is undefined. */
function withPart(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((part, index) => `${index}` === key ? withPart(part, rest, by) : part);
  }
  if (!isRecord(value)) return value;
  const changed = Object.entries(value).map(([name, part]) =>
    [name, name === key ? withPart(part, rest, by) : part] as const
  );
  return Object.fromEntries(changed.filter(([, part]) => part !== undefined));
}

function spoil(object: KubeObject, damages: readonly Damage[]): KubeObject {
  let spoilt: unknown = object;
  for (const { at, by } of damages) {
    const paths = pathsOf(spoilt);
    spoilt = withPart(spoilt, paths[at % paths.length] ?? [], by);
  }
  // As it would come over the wire: nobody has looked at it.
  return JSON.parse(JSON.stringify(spoilt));
}

const steps = fc.array(
  fc.record({
    edit: edits(certificates),
    damages: fc.array(fc.record({ at: fc.nat(), by: junk }), { minLength: 1, maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 30 },
);

Deno.test("Spoilt objects end nothing, and a good route beside them is served", async () => {
  const regexes = new RegexCache();
  await fc.assert(
    fc.asyncProperty(steps, async (found) => {
      const engine = new GatewayEngine({
        addresses: addressesByName,
        dataPlane: fullCapabilities,
      });
      const { source, state } = engine;
      source.put(gatewayClass("calm"), ...initialWorld(certificates));
      await engine.run(new DataPlanePush(state, new RecordingDataPlane(), engine.clock, () => 0));
      for (const { edit, damages } of found) source.put(spoil(edit.object, damages));
      // Beside what the edits can name.
      source.put(
        gateway("untouched", undefined, { gatewayClassName: "calm" }),
        service("untouched"),
        httpRoute("untouched", { parentRefs: [{ name: "untouched" }] }),
      );
      const outputs = await engine.settle();
      assertEquals(outputs.revision, state.revision, "the engine still runs");
      for (const kind of statusKinds) {
        for (const status of outputs.statuses[kind].values()) renderStatus(status);
      }
      for (const { listeners } of outputs.dataPlane.gateways.values()) {
        for (const { routes } of listeners) {
          new RouteTable(routes, regexes).find({
            method: "GET",
            host: "a.example.com",
            path: "/a/b",
            query: "",
            rawHeaders: [],
          });
        }
      }
      assert(outputs.statuses.HTTPRoute.has(toKey("default/untouched")));
      await engine.stop();
    }),
    { numRuns },
  );
});

Deno.test("A backend that is named with its namespace in front is told by that name", async () => {
  const engine = new GatewayEngine({ addresses: addressesByName });
  const { source, state } = engine;
  source.put(...initialWorld(certificates));
  // The API takes any text for the name of a backend, and this mistake is an easy one.
  for (const name of ["apps/web", "/", "a/b/c/80"]) {
    source.put(httpRoute("one", { rules: [{ backendRefs: [backend(name)] }] }));
    if (name === "apps/web") await engine.run();
    await engine.settle();
    const status = state.outputs.statuses.HTTPRoute.get(toKey("default/one"));
    const conditions = status?.body.shape === "parents"
      ? status.body.parents.flatMap((parent) => parent.conditions)
      : [];
    assertEquals(
      conditions.filter(({ type }) => type === "ResolvedRefs").map(({ message }) => message),
      [`Cannot use Service "default/${name}": it does not exist`],
    );
  }
  await engine.stop();
});
