// What a user would lose: a GatewayClass that promises what does not work, or a list that the API
// server refuses.

import { assert, assertEquals } from "@std/assert";
import { capabilitiesOf as capabilitiesWith } from "../../../src/app/data_plane_capabilities.ts";

type Name = "embedded" | "none" | "envoy";

function capabilitiesOf(dataPlane: Name, allowExternalName = false) {
  return capabilitiesWith({ dataPlane, allowExternalName });
}

for (const name of ["embedded", "none", "envoy"] as const) {
  Deno.test(`The features that a GatewayClass publishes for ${name} fit into its status`, () => {
    const { supportedFeatures, features } = capabilitiesOf(name);
    assertEquals(supportedFeatures, [...new Set(supportedFeatures)].sort());
    assert(supportedFeatures.length <= 64, "the CRD takes at most 64");
    for (const feature of supportedFeatures) assert(features.has(feature), feature);
  });

  Deno.test(`Each kind of route that ${name} serves is a feature of it`, () => {
    const { routeKinds, features } = capabilitiesOf(name);
    assert(routeKinds.length > 0);
    for (const kind of routeKinds) assert(new Set<string>(features).has(kind), kind);
  });
}

Deno.test("Without traffic the statuses are those of the embedded data plane", () => {
  assertEquals({ ...capabilitiesOf("none"), name: "" }, {
    ...capabilitiesOf("embedded"),
    name: "",
  });
});

Deno.test("What has no feature name in the API is not published", () => {
  const { supportedFeatures, features } = capabilitiesOf("envoy");
  assert(features.has("HTTPRouteSessionPersistence"));
  assert(!new Set<string>(supportedFeatures).has("HTTPRouteSessionPersistence"));
});

Deno.test("External names are a capability only where they are allowed", () => {
  assert(!capabilitiesOf("envoy").features.has("ServiceExternalName"));
  const { features, supportedFeatures } = capabilitiesOf("envoy", true);
  assert(features.has("ServiceExternalName"));
  assertEquals(supportedFeatures, capabilitiesOf("envoy").supportedFeatures);
});
