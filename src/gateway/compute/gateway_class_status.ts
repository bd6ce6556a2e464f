/** The status of a GatewayClass: accepted or not, and what the data plane can do (GEP-2162). */

import type { DesiredStatus } from "../../kube/desired_status.ts";
import type { ObjectKey } from "../../kube/object.ts";
import { gatewayClassSlices } from "../kinds/gateway_class.ts";
import type { ComputeView } from "./compute_view.ts";
import { conditionUnless, trueCondition } from "./finding.ts";

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
      conditions: [
        conditionUnless(fault, accepted),
      ],
      fields: { supportedFeatures: features.map((name) => ({ name })) },
    },
  };
}
