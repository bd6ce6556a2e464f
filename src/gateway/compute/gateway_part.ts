/** What a data plane is given of one Gateway, and the names of what else it needs for it. */

import { equal } from "../../base/equal.ts";
import type {
  CertificateName,
  ClusterName,
  GatewayConfig,
  HttpRouteEntry,
  Listener,
  StreamRouteEntry,
} from "../../dataplane/model.ts";
import { compareHttpRouteEntries } from "../../dataplane/precedence.ts";
import type { GatewayFrame, ListenerFrame } from "../gateway_frame.ts";

/** See the file's header. */
export interface GatewayPart {
  readonly config: GatewayConfig;
  /** For each listener, in order: the clusters that its routes lead to. */
  readonly clusters: readonly (readonly ClusterName[])[];
  /** For each listener, in order; those shown to backends at last. */
  readonly certificates: readonly (readonly CertificateName[])[];
}

/** What the routes of all kinds make of one listener. */
export interface ListenerContent {
  readonly routes: readonly HttpRouteEntry[];
  readonly streams: readonly StreamRouteEntry[];
  readonly clusters: readonly ClusterName[];
}

/** A listener that no route uses. */
export const noContent: ListenerContent = { routes: [], streams: [], clusters: [] };

/** The part of a Gateway with this frame and these routes. */
export function computeGatewayPart(
  frame: GatewayFrame,
  contentOf: (listener: ListenerFrame) => ListenerContent,
): GatewayPart {
  const contents = frame.listeners.map(contentOf);
  const { clientCertificate } = frame;
  const certificates = frame.listeners.map(({ certificates }) => certificates ?? []);
  return {
    config: {
      ...frame,
      listeners: frame.listeners.map((listener, index) => {
        const { routes, streams } = contents[index] ?? noContent;
        return { ...listener, routes, streams };
      }),
    },
    clusters: contents.map(({ clusters }) => clusters),
    certificates: clientCertificate === undefined
      ? certificates
      : [...certificates, [clientCertificate]],
  };
}

/** Entries of HTTPRoutes and GRPCRoutes at one listener in one list; the first alone as it is. */
export function mergeHttpEntries(
  http: readonly HttpRouteEntry[],
  grpc: readonly HttpRouteEntry[],
): readonly HttpRouteEntry[] {
  if (grpc.length === 0) return http;
  if (http.length === 0) return grpc;
  return [...http, ...grpc].sort(compareHttpRouteEntries);
}

/**
 * `next` with the listeners of `previous` that are equal, or `previous` when all is. In lists of
 * routes, which may be long, entries are compared by reference: they are kept while they are equal,
 * whereas the list is a new one wherever kinds of routes are merged.
 */
export function keepGatewayPart(
  previous: GatewayPart | undefined,
  next: GatewayPart | undefined,
): GatewayPart | undefined {
  if (!previous || !next) return next;
  let isSame = previous.config.listeners.length === next.config.listeners.length;
  const listeners = next.config.listeners.map((listener, index): Listener => {
    const before = previous.config.listeners[index];
    const hasSameRoutes = before && isSameList(before.routes, listener.routes) &&
      isSameList(before.streams, listener.streams);
    if (hasSameRoutes && equal(before, listener)) return before;
    isSame = false;
    return listener;
  });
  // Equal routes lead to equal clusters.
  if (isSame && equal({ ...previous.config, listeners }, { ...next.config, listeners })) {
    return previous;
  }
  return { ...next, config: { ...next.config, listeners } };
}

/** No callback: of ten thousand entries that was half of what one change costs. */
function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
