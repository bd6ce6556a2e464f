/** Which releases of the Gateway API are known whole; a class that claims more would promise too much. */

import { assertEquals } from "@std/assert";
import { isKnownBundle } from "../../../src/gateway/api_bundle.ts";
import { bundledApiVersion } from "../../../src/localkube/admission/schema_file.ts";
import schemaText from "../../../src/localkube/schema/gateway_api.json" with { type: "text" };
import { gatewayClass } from "../../fakes/gateway_objects.ts";
import { GatewayWorld, toKey } from "../../fakes/gateway_world.ts";

Deno.test("isKnownBundle() knows v1.0 to v1.6, and every CRD must be one of these", () => {
  const known = ["v1.0.0", "v1.2.1", "v1.6.3", "v1.6.0-rc.1"];
  for (const version of known) assertEquals(isKnownBundle({ versions: [version] }), true, version);
  const unknown = ["v1.7.0", "v2.0.0", "v0.8.1", "v1.60.0", "", "v1.6", "1.6.3", "latest"];
  for (const version of unknown) {
    assertEquals(isKnownBundle({ versions: [version] }), false, version);
  }
  assertEquals(isKnownBundle({ versions: ["v1.6.3", "v1.7.0"] }), false);
  assertEquals(isKnownBundle({ versions: [] }), false);
});

Deno.test("The bundled schemas are of the release that the local cluster tells", () => {
  const { provenance } = JSON.parse(schemaText);
  assertEquals(provenance.version, bundledApiVersion);
});

Deno.test("GatewayClass SupportedVersion follows the installed release; absent while it is not known", () => {
  const world = new GatewayWorld();
  world.put(gatewayClass());
  const key = toKey("weir");
  const said = () => world.condition("GatewayClass", key, "SupportedVersion");
  assertEquals(said(), "-");
  world.inputs.setApiBundle({ versions: ["v1.6.3"] });
  assertEquals(said(), "True/SupportedVersion");
  world.inputs.setApiBundle({ versions: ["", "v1.9.0"] });
  assertEquals(said(), "False/UnsupportedVersion");
  // Best effort: what is known is served.
  assertEquals(world.condition("GatewayClass", key, "Accepted"), "True/Accepted");
});
