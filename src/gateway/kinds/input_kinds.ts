/** The table of input kinds: what is read of each. */

import type { Kind } from "../../kube/kinds.ts";
import { backendTLSPolicyInput } from "./backend_tls_policy.ts";
import { configMapInput } from "./config_map.ts";
import { endpointSliceInput } from "./endpoint_slice.ts";
import { gatewayInput } from "./gateway.ts";
import { gatewayClassInput } from "./gateway_class.ts";
import { grpcRouteInput } from "./grpc_route.ts";
import { httpRouteInput } from "./http_route.ts";
import type { KindSlices } from "./input_kind.ts";
import { listenerSetInput } from "./listener_set.ts";
import { namespaceInput } from "./namespace.ts";
import { referenceGrantInput } from "./reference_grant.ts";
import { secretInput } from "./secret.ts";
import { serviceInput } from "./service.ts";
import { tcpRouteInput } from "./tcp_route.ts";
import { tlsRouteInput } from "./tls_route.ts";
import { udpRouteInput } from "./udp_route.ts";

/** The slices of each kind. */
export const inputKinds: { readonly [K in Kind]: KindSlices<K> } = {
  GatewayClass: gatewayClassInput,
  Gateway: gatewayInput,
  HTTPRoute: httpRouteInput,
  GRPCRoute: grpcRouteInput,
  TLSRoute: tlsRouteInput,
  TCPRoute: tcpRouteInput,
  UDPRoute: udpRouteInput,
  ListenerSet: listenerSetInput,
  BackendTLSPolicy: backendTLSPolicyInput,
  ReferenceGrant: referenceGrantInput,
  Namespace: namespaceInput,
  Service: serviceInput,
  EndpointSlice: endpointSliceInput,
  Secret: secretInput,
  ConfigMap: configMapInput,
};
