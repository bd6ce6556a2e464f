/**
 * Objects of older served versions in the local cluster. Nothing converts them, as in a cluster: what
 * only an older version takes is stored under the preferred one, and has to live on there. What a
 * user would lose: a TLSRoute that worked gets no status any more.
 */

import { assert, assertEquals } from "@std/assert";
import { decodeObject } from "../../../src/kube/decode/decode.ts";
import { keyOf } from "../../../src/kube/object.ts";
import { SchemaAdmission } from "../../../src/localkube/admission/schema_admission.ts";
import { MemoryCluster } from "../../../src/localkube/store.ts";
import type { ObjectInput, WriteResult } from "../../../src/localkube/store_contract.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

function newCluster(): MemoryCluster {
  return new MemoryCluster({
    admission: new SchemaAdmission(),
    clock: new FakeClock(),
    newUid: () => "00000000-0000-4000-8000-000000000000",
    freezesObjects: true,
  });
}

/** What v1 refuses: no hostnames, two rules. */
const lenient: ObjectInput = {
  apiVersion: "gateway.networking.k8s.io/v1alpha2",
  kind: "TLSRoute",
  metadata: { namespace: "default", name: "old" },
  spec: {
    rules: [{ backendRefs: [{ name: "a", port: 443 }] }, {
      backendRefs: [{ name: "b", port: 443 }],
    }],
  },
};

function stored(result: WriteResult) {
  assert(result.ok, JSON.stringify(result));
  return result.object;
}

Deno.test("A TLSRoute of v1alpha2 that v1 refuses is stored as v1, and is readable", () => {
  const cluster = newCluster();
  const v1 = { ...lenient, apiVersion: "gateway.networking.k8s.io/v1" };
  assert(!cluster.create("TLSRoute", v1).ok, "v1 must refuse it, or the test shows nothing");
  const object = stored(cluster.create("TLSRoute", lenient));
  assertEquals(object.apiVersion, "gateway.networking.k8s.io/v1");
  const decoded = decodeObject("TLSRoute", object);
  assert(decoded.ok);
  assertEquals([decoded.value.spec.hostnames, decoded.value.spec.rules.length], [[], 2]);
});

Deno.test("A TLSRoute of v1alpha2 that v1 refuses takes a status, which is not about its spec", () => {
  const cluster = newCluster();
  const object = stored(cluster.create("TLSRoute", lenient));
  const metadata = { ...object.metadata };
  const result = cluster.updateStatus("TLSRoute", { ...object, metadata, status: { parents: [] } });
  assertEquals(stored(result).status, { parents: [] });
});

Deno.test("A TLSRoute of v1alpha2 that is applied again is no change", () => {
  const cluster = newCluster();
  const object = stored(cluster.apply("TLSRoute", lenient));
  const again = cluster.apply("TLSRoute", lenient);
  assert(again.ok && !again.changed);
  assert(cluster.get("TLSRoute", keyOf(object)) === object);
});

const rules = [{ backendRefs: [{ name: "a", port: 1 }] }];
const policy = {
  targetRefs: [{ group: "", kind: "Service", name: "a" }],
  validation: { hostname: "a.example.com", wellKnownCACertificates: "System" },
};

for (
  const [kind, version, spec] of [
    ["TLSRoute", "v1alpha2", { hostnames: ["a.example.com"], rules }],
    ["TLSRoute", "v1alpha3", { hostnames: ["a.example.com"], rules }],
    ["TCPRoute", "v1alpha2", { rules }],
    ["UDPRoute", "v1alpha2", { rules }],
    ["BackendTLSPolicy", "v1alpha3", policy],
  ] as const
) {
  Deno.test(`A ${kind} of ${version} is taken with the warning that the version is deprecated`, () => {
    const apiVersion = `gateway.networking.k8s.io/${version}`;
    const metadata = { namespace: "default", name: "a" };
    const result = newCluster().create(kind, { apiVersion, kind, metadata, spec });
    assert(result.ok, JSON.stringify(result));
    assertEquals(result.warnings?.map((text) => text.split(" has been ")[0]), [
      `The ${version} version of ${kind}`,
    ]);
  });
}
