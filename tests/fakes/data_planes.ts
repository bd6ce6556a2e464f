/** What data planes can do in tests: the embedded one, and one that can do everything. */

import { capabilitiesOf } from "../../src/app/data_plane_capabilities.ts";
import type { DataPlaneCapabilities } from "../../src/gateway/capabilities.ts";

/** The embedded data plane, as it is without settings. */
export const embeddedCapabilities: DataPlaneCapabilities = capabilitiesOf({
  dataPlane: "embedded",
  allowExternalName: false,
});

const envoy = capabilitiesOf({ dataPlane: "envoy", allowExternalName: true });

/** What Envoy can do, and what no data plane can yet. */
export const fullCapabilities: DataPlaneCapabilities = {
  ...envoy,
  name: "full",
  features: new Set([
    ...envoy.features,
    "HTTPRouteBackendRequestMirror",
    "HTTPRouteExternalAuthForwardBody",
    "HTTPRouteExternalAuthGRPC",
    "HTTPRouteExternalAuthHTTP",
  ]),
};
