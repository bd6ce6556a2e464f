/** The slices that the kinds of routes have in common. */

import type { ParentReference } from "../../kube/decode/parent_reference.ts";
import { grpcRouteSlices } from "../kinds/grpc_route.ts";
import { httpRouteSlices } from "../kinds/http_route.ts";
import type { IdentitySlices, KindSlice } from "../kinds/input_kind.ts";
import { tcpRouteSlices } from "../kinds/tcp_route.ts";
import { tlsRouteSlices } from "../kinds/tls_route.ts";
import { udpRouteSlices } from "../kinds/udp_route.ts";
import type { RouteKind } from "../route_kinds.ts";

/** See the file's header. */
export interface RouteSlices<K extends RouteKind> extends IdentitySlices<K> {
  readonly parentRefs: KindSlice<K, readonly ParentReference[]>;
  readonly useDefaultGateways: KindSlice<K, string | undefined>;
  /** Kinds without hostnames have no such slice. */
  readonly hostnames?: KindSlice<K, readonly string[]>;
}

/** By the kind of the route. */
export const routeSlices: { readonly [K in RouteKind]: RouteSlices<K> } = {
  HTTPRoute: httpRouteSlices,
  GRPCRoute: grpcRouteSlices,
  TLSRoute: tlsRouteSlices,
  TCPRoute: tcpRouteSlices,
  UDPRoute: udpRouteSlices,
};
