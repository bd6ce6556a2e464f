// What a user would lose: a page that names the features that each data plane really has. A feature
// that is promised on the page and missing in the code, or the reverse, fails here.

import { assertEquals } from "@std/assert";
import { capabilitiesOf } from "../../src/app/data_plane_capabilities.ts";

const page = Deno.readTextFileSync(new URL("../../docs/gateway-api.md", import.meta.url));

/** The features in the row of the page that begins with `name`. */
function featuresOfRow(name: string): readonly string[] {
  const row = page.split("\n").find((line) => line.startsWith(`| ${name} `)) ?? "";
  return [...row.matchAll(/`(\w+)`/g)].map(([, feature]) => feature ?? "");
}

function published(dataPlane: "embedded" | "envoy"): readonly string[] {
  return capabilitiesOf({ dataPlane, allowExternalName: false }).supportedFeatures;
}

Deno.test("docs/gateway-api.md lists the features of both data planes", () => {
  const envoy = new Set(published("envoy"));
  assertEquals(featuresOfRow("both"), published("embedded").filter((name) => envoy.has(name)));
});

Deno.test("docs/gateway-api.md lists the features of one data plane alone", () => {
  const embedded = new Set(published("embedded"));
  const envoy = new Set(published("envoy"));
  assertEquals(featuresOfRow("envoy alone"), [...envoy].filter((name) => !embedded.has(name)));
  assertEquals([...embedded].filter((name) => !envoy.has(name)), []);
});
