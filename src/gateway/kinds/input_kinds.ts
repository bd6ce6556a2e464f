/** The table of input kinds: what is read of each. */

import type { Kind } from "../../kube/kinds.ts";
import { endpointSliceInput } from "./endpoint_slice.ts";
import { gatewayInput } from "./gateway.ts";
import { gatewayClassInput } from "./gateway_class.ts";
import { httpRouteInput } from "./http_route.ts";
import type { KindSlices } from "./input_kind.ts";
import { namespaceInput } from "./namespace.ts";
import { referenceGrantInput } from "./reference_grant.ts";
import { secretInput } from "./secret.ts";
import { serviceInput } from "./service.ts";

/** The slices of each kind. */
export const inputKinds: { readonly [K in Kind]: KindSlices<K> } = {
  GatewayClass: gatewayClassInput,
  Gateway: gatewayInput,
  HTTPRoute: httpRouteInput,
  ReferenceGrant: referenceGrantInput,
  Namespace: namespaceInput,
  Service: serviceInput,
  EndpointSlice: endpointSliceInput,
  Secret: secretInput,
};
