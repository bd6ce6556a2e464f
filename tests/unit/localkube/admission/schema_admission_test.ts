/** Admission as a whole: versions, warnings, what is kept, and that the answer is stable. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import schemaText from "../../../../src/localkube/schema/gateway_api.json" with { type: "text" };
import type { KubeObject } from "../../../../src/kube/object.ts";
import { kinds } from "../../../../src/kube/kinds.ts";
import { decodeSchemaFile } from "../../../../src/localkube/admission/decode_schema_file.ts";
import { SchemaAdmission } from "../../../../src/localkube/admission/schema_admission.ts";
import { SchemaChecker } from "../../../../src/localkube/admission/schema_checker.ts";
import type { AdmissionResult, ObjectInput } from "../../../../src/localkube/store_contract.ts";

const admission = new SchemaAdmission();
const metadata = { name: "a", namespace: "default" };

function route(spec: unknown, version = "v1"): ObjectInput {
  return { apiVersion: `gateway.networking.k8s.io/${version}`, kind: "HTTPRoute", metadata, spec };
}

function stored(object: ObjectInput): KubeObject {
  const server = { uid: "u", resourceVersion: "1", creationTimestamp: "2026-01-01T00:00:00Z" };
  return { ...object, metadata: { name: "a", namespace: "default", ...server } };
}

function admitted(result: AdmissionResult): ObjectInput {
  assert(result.ok, JSON.stringify(result));
  return result.object;
}

Deno.test("SchemaAdmission.admit() stores an old version's object in the preferred version", () => {
  const object = admitted(admission.admit("HTTPRoute", route({}, "v1beta1"), undefined));
  assertEquals(object.apiVersion, "gateway.networking.k8s.io/v1");
});

Deno.test("SchemaAdmission.admit() refuses a version that is not served", () => {
  assertEquals(admission.admit("HTTPRoute", route({}, "v1alpha2"), undefined), {
    ok: false,
    causes: [{
      reason: "FieldValueInvalid",
      field: "apiVersion",
      message:
        'Invalid value: "gateway.networking.k8s.io/v1alpha2": no version of HTTPRoute is served under this name',
    }],
  });
});

Deno.test("SchemaAdmission.admit() passes metadata on as it is", () => {
  const metadata = { name: "a", namespace: "b", labels: { x: "1" }, whatever: null };
  const object = admitted(admission.admit("HTTPRoute", { ...route({}), metadata }, undefined));
  assert(object.metadata === metadata);
});

Deno.test("SchemaAdmission.admit() warns of unknown fields and drops them", () => {
  const result = admission.admit(
    "HTTPRoute",
    route({ hostname: "a", rules: [{ Name: "x" }] }),
    undefined,
  );
  assert(result.ok);
  assertEquals(result.warnings, [
    'unknown field "spec.hostname"',
    'unknown field "spec.rules[0].Name"',
  ]);
  assertEquals(JSON.stringify(result.object).includes("hostname"), false);
});

Deno.test("SchemaAdmission.admit() runs no rule on an object of the wrong shape, and says so", () => {
  const spec = { rules: [{ backendRefs: [{ name: "a" }, { port: 80 }] }] };
  const result = admission.admit("HTTPRoute", route(spec), undefined);
  assert(!result.ok);
  assertEquals(result.causes.map(({ field, message }) => `${field} ${message}`), [
    "spec.rules[0].backendRefs[1].name Required value",
    "<nil> Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
  ]);
});

Deno.test("SchemaAdmission.admit() runs the rules although a value is malformed", () => {
  const spec = { hostnames: ["-"], rules: [{ backendRefs: [{ name: "a" }] }] };
  const result = admission.admit("HTTPRoute", route(spec), undefined);
  assert(!result.ok);
  assertEquals(result.causes.map(({ field }) => field), [
    "spec.hostnames[0]",
    "spec.rules[0].backendRefs[0]",
  ]);
});

Deno.test("SchemaAdmission.admit() takes the stored object's own parts as they are", () => {
  // A spec that would be refused, so that a second look would show.
  const spec = Object.freeze({ rules: 5 });
  const status = { parents: [] };
  const old = stored({ ...route(spec), status: { parents: [] } });
  const object = admitted(admission.admit("HTTPRoute", { ...route(spec), status }, old));
  assert(object.spec === spec);
  assertEquals(object.status, status);
});

Deno.test("SchemaAdmission.admit() looks again at parts with rules on transitions", () => {
  const spec = { controllerName: "not a name" };
  const object = {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "GatewayClass",
    metadata,
    spec,
  };
  assertEquals(admission.admit("GatewayClass", object, stored(object)).ok, false);
});

Deno.test("SchemaAdmission.admit() refuses what takes the rules too long", () => {
  const parentRefs = Array.from({ length: 32 }, (_, index) => ({ name: `gateway-${index}` }));
  const result = new SchemaAdmission({ iterationsMax: 1000 })
    .admit("HTTPRoute", route({ parentRefs }), undefined);
  assert(!result.ok);
  assertStringIncludes(result.causes[0]?.message ?? "", "running out of cost budget");
  assertEquals(admission.admit("HTTPRoute", route({ parentRefs }), undefined).ok, true);
});

Deno.test("the standard channel knows no experimental fields", () => {
  const standard = new SchemaAdmission({ channel: "standard" });
  const result = standard.admit(
    "HTTPRoute",
    route({ rules: [{ retry: { attempts: 1 } }] }),
    undefined,
  );
  assert(result.ok);
  assertEquals(result.warnings, ['unknown field "spec.rules[0].retry"']);
  const all = admission.admit(
    "HTTPRoute",
    route({ rules: [{ retry: { attempts: 1 } }] }),
    undefined,
  );
  assert(all.ok);
  assertEquals(all.warnings, []);
});

Deno.test("SchemaChecker.check() warns of a deprecated version in the API server's words", () => {
  const object = {
    apiVersion: "gateway.networking.k8s.io/v1alpha2",
    kind: "TCPRoute",
    metadata,
    spec: { rules: [{ backendRefs: [{ name: "a", port: 1 }] }] },
  };
  assertEquals(new SchemaChecker().check(object, undefined)?.warnings, [
    "The v1alpha2 version of TCPRoute has been deprecated and will be removed in a future release of the API. Please upgrade to v1.",
  ]);
});

Deno.test("every version of every kind of the local cluster has a schema", () => {
  for (const [kind, info] of Object.entries(kinds)) {
    for (const version of info.versions) {
      const apiVersion = info.group === "" ? version : `${info.group}/${version}`;
      const checked = new SchemaChecker().check({ apiVersion, kind, metadata }, undefined);
      assert(checked !== undefined, `${apiVersion} ${kind}`);
    }
  }
});

Deno.test("the schema file says where it is from, and no kind has a rule at its root", () => {
  const file = decodeSchemaFile(schemaText);
  const { project, version, licence, files } = file.provenance;
  assertEquals([project, version, licence], [
    "kubernetes-sigs/gateway-api",
    "v1.6.3",
    "Apache-2.0",
  ]);
  assertEquals(files.length, 20);
  for (const channel of Object.values(file.channels)) {
    for (const version of Object.values(channel).flatMap((versions) => Object.values(versions))) {
      const root = typeof version.root === "number" ? file.nodes[version.root] : version.root;
      assertEquals([root?.rules, root?.oneOf, root?.anyOf, root?.not], Array(4).fill(undefined));
    }
  }
});

/** Specs that are about right: known and unknown fields, good and bad values. */
const specs = fc.record({
  parentRefs: fc.array(
    fc.record({
      name: fc.constantFrom("a", "b", "c", "d", "e"),
      sectionName: fc.constantFrom("http", "https", "tls", "-"),
      port: fc.constantFrom(80, 81, 82, 0),
      namespace: fc.constantFrom("x", null),
    }, { requiredKeys: ["name"] }),
    { maxLength: 3 },
  ),
  hostnames: fc.array(fc.constantFrom("a.example.com", "*.example.com", "b.c", "d", "A"), {
    maxLength: 2,
  }),
  rules: fc.array(
    fc.record({
      name: fc.constantFrom("a", "b", "c", "d", null),
      matches: fc.array(
        fc.record({
          path: fc.record({
            type: fc.constantFrom("Exact", "PathPrefix", "RegularExpression"),
            value: fc.constantFrom("/", "/a", "/b/c", "/d", "/e", "/f/", "a", "/a//b"),
          }, { requiredKeys: [] }),
          method: fc.constantFrom("GET", "PUT", "POST", "get"),
        }, { requiredKeys: [] }),
        { maxLength: 2 },
      ),
      backendRefs: fc.array(
        fc.record({
          name: fc.constantFrom("s"),
          port: fc.constantFrom(80, 81, 82, 83, "80"),
          weight: fc.constantFrom(0, 1, 2, 3, -1),
          extra: fc.jsonValue({ maxDepth: 1 }),
        }, { requiredKeys: ["name"] }),
        { maxLength: 2 },
      ),
      filters: fc.array(
        fc.record({
          type: fc.constant("URLRewrite"),
          urlRewrite: fc.constantFrom({ hostname: "b.example.com" }, { hostname: "c", port: 1 }),
        }),
        { maxLength: 2 },
      ),
      timeouts: fc.constantFrom({ request: "1s" }, {}),
    }, { requiredKeys: [] }),
    { maxLength: 3 },
  ),
}, { requiredKeys: [] });

Deno.test("SchemaAdmission.admit() changes nothing in what it has admitted, and no input", () => {
  let taken = 0;
  fc.assert(
    fc.property(specs, (spec) => {
      const text = JSON.stringify(spec);
      const first = admission.admit("HTTPRoute", route(spec), undefined);
      assertEquals(JSON.stringify(spec), text);
      if (!first.ok) return;
      taken++;
      const second = admission.admit("HTTPRoute", first.object, undefined);
      assertEquals(second, { ok: true, object: first.object, warnings: [] });
    }),
    { numRuns: 500, seed: 1 },
  );
  assert(taken > 40, `only ${taken} specs were taken: the property says little`);
});
