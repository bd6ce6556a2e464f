/** The status of a GatewayClass: accepted or not, and what the data plane can do (GEP-2162). */

import type { DesiredCondition, DesiredStatus } from "../../kube/desired_status.ts";
import type { ObjectKey } from "../../kube/object.ts";
import { gatewayClassSlices } from "../kinds/gateway_class.ts";
import type { ComputeView } from "./compute_view.ts";
import { isKnownBundle } from "../api_bundle.ts";
import { conditionOf, conditionUnless, trueCondition } from "./finding.ts";

const accepted = trueCondition(
  "Accepted",
  "Accepted",
  "Gateways of this class are served",
);

/** The status of the class `key`, which is ours. */
export function computeGatewayClassStatus(
  view: ComputeView,
  key: ObjectKey,
): DesiredStatus | undefined {
  const uid = view.read(gatewayClassSlices.uid, key);
  if (uid === undefined) return undefined;
  const parametersRef = view.read(gatewayClassSlices.parametersRef, key);
  const fault = parametersRef && {
    reason: "InvalidParameters",
    message: `Cannot use parametersRef: kind "${parametersRef.kind}" is unknown, wanted none`,
  };
  const features = [...new Set(view.dataPlane.supportedFeatures)].sort();
  return {
    kind: "GatewayClass",
    key,
    uid,
    generation: view.read(gatewayClassSlices.generation, key) ?? 0,
    revision: view.revision,
    pending: false,
    body: {
      shape: "conditions",
      conditions: [conditionUnless(fault, accepted), ...supportedVersion(view)],
      fields: { supportedFeatures: features.map((name) => ({ name })) },
    },
  };
}

/** Nothing while nobody has said which release is installed. */
function supportedVersion(view: ComputeView): readonly DesiredCondition[] {
  const type = "SupportedVersion";
  const bundle = view.apiBundle();
  if (!bundle) return [];
  const named = bundle.versions.map((version) => version === "" ? "without a version" : version);
  const installed = named.join(", ") || "missing";
  if (isKnownBundle(bundle)) {
    return [trueCondition(type, type, `The CRDs of the Gateway API are ${installed}`)];
  }
  return [conditionOf(type, "False", {
    reason: "UnsupportedVersion",
    message: `The CRDs of the Gateway API are ${installed}; what weir knows of them is served`,
  })];
}
