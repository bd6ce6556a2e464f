/**
 * The table of decoders: one per kind, from the API's JSON to what the engine reads of it.
 *
 * Objects of a real API server and of the local cluster decode alike, defaulted or not.
 */

import type { Kind } from "../kinds.ts";
import type { KubeObject } from "../object.ts";
import { type BackendTLSPolicy, decodeBackendTLSPolicy } from "./backend_tls_policy.ts";
import { type ConfigMap, decodeConfigMap } from "./config_map.ts";
import type { Decoded } from "./decoded.ts";
import { decodeEndpointSlice, type EndpointSlice } from "./endpoint_slice.ts";
import { decodeGateway, type Gateway } from "./gateway.ts";
import { decodeGatewayClass, type GatewayClass } from "./gateway_class.ts";
import { decodeGRPCRoute, type GRPCRoute } from "./grpc_route.ts";
import { decodeHTTPRoute, type HTTPRoute } from "./http_route.ts";
import { decodeListenerSet, type ListenerSet } from "./listener_set.ts";
import { decodeNamespace, type Namespace } from "./namespace.ts";
import { decodeReferenceGrant, type ReferenceGrant } from "./reference_grant.ts";
import { decodeSecret, type Secret } from "./secret.ts";
import { decodeService, type Service } from "./service.ts";
import {
  decodeTCPRoute,
  decodeTLSRoute,
  decodeUDPRoute,
  type TCPRoute,
  type TLSRoute,
  type UDPRoute,
} from "./stream_route.ts";

/** The typed object of each kind. */
export interface ObjectOf {
  GatewayClass: GatewayClass;
  Gateway: Gateway;
  HTTPRoute: HTTPRoute;
  GRPCRoute: GRPCRoute;
  TLSRoute: TLSRoute;
  TCPRoute: TCPRoute;
  UDPRoute: UDPRoute;
  ListenerSet: ListenerSet;
  BackendTLSPolicy: BackendTLSPolicy;
  ReferenceGrant: ReferenceGrant;
  Namespace: Namespace;
  Service: Service;
  EndpointSlice: EndpointSlice;
  Secret: Secret;
  ConfigMap: ConfigMap;
}

const decoders: { readonly [K in Kind]: (object: unknown) => Decoded<ObjectOf[K]> } = {
  GatewayClass: decodeGatewayClass,
  Gateway: decodeGateway,
  HTTPRoute: decodeHTTPRoute,
  GRPCRoute: decodeGRPCRoute,
  TLSRoute: decodeTLSRoute,
  TCPRoute: decodeTCPRoute,
  UDPRoute: decodeUDPRoute,
  ListenerSet: decodeListenerSet,
  BackendTLSPolicy: decodeBackendTLSPolicy,
  ReferenceGrant: decodeReferenceGrant,
  Namespace: decodeNamespace,
  Service: decodeService,
  EndpointSlice: decodeEndpointSlice,
  Secret: decodeSecret,
  ConfigMap: decodeConfigMap,
};

/** Decodes an object of `kind`, or says which field is not what the API promises. */
export function decodeObject<K extends Kind>(kind: K, object: KubeObject): Decoded<ObjectOf[K]> {
  return decoders[kind](object);
}
