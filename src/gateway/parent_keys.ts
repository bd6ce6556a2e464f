/** Which Gateways a route names as parents; whether they are managed is not decided here. */

import type { HTTPRoute } from "../kube/decode/http_route.ts";
import type { ParentReference } from "../kube/decode/parent_reference.ts";
import { type ObjectKey, objectKey } from "../kube/object.ts";

/** The API group of the Gateway API. */
export const gatewayGroup = "gateway.networking.k8s.io";

/** Whether `reference` names a Gateway, by its group and kind or their defaults. */
export function isGatewayReference(reference: ParentReference): boolean {
  return (reference.group ?? gatewayGroup) === gatewayGroup &&
    (reference.kind ?? "Gateway") === "Gateway";
}

/** The key of the Gateway that `reference` of a route in `routeNamespace` names. */
export function parentKey(reference: ParentReference, routeNamespace: string): ObjectKey {
  return objectKey(reference.namespace ?? routeNamespace, reference.name);
}

/** The Gateways that `route` names, each once. */
export function gatewayParentKeys(route: HTTPRoute): readonly ObjectKey[] {
  const { parentRefs } = route.spec;
  const [first] = parentRefs;
  if (first && parentRefs.length === 1) {
    return isGatewayReference(first) ? [parentKey(first, route.metadata.namespace)] : [];
  }
  return [
    ...new Set(
      parentRefs.filter(isGatewayReference).map((reference) =>
        parentKey(reference, route.metadata.namespace)
      ),
    ),
  ];
}
