/**
 * EndpointSlice (discovery.k8s.io/v1): the addresses of a Service that can be sent to.
 *
 * Kept are endpoints that are ready, and those that still serve while they terminate: proxies fall
 * back to these when a Service has no ready one at all. Others are dropped, so that what changes
 * about them is no change. An endpoint whose readiness is unknown counts as ready, and one whose
 * serving is unknown serves when it is ready, as the API asks. The API server writes `null` for empty
 * lists of this kind.
 */

import * as v from "valibot";
import { decodeBy, type Decoded, type Immutable } from "./decoded.ts";
import { namespacedMetadataSchema } from "./metadata.ts";

const serviceNameLabel = "kubernetes.io/service-name";

const endpointSliceSchema = v.object({
  metadata: v.object({
    ...namespacedMetadataSchema.entries,
    labels: v.optional(v.object({ [serviceNameLabel]: v.exactOptional(v.string()) }), {}),
  }),
  addressType: v.string(),
  ports: v.nullish(
    v.array(v.object({
      name: v.nullish(v.string(), ""),
      port: v.nullish(v.number()),
      protocol: v.nullish(v.string(), "TCP"),
    })),
    [],
  ),
  endpoints: v.nullish(
    v.array(v.object({
      addresses: v.array(v.string()),
      conditions: v.nullish(
        v.object({
          ready: v.nullish(v.boolean()),
          serving: v.nullish(v.boolean()),
          terminating: v.nullish(v.boolean()),
        }),
        {},
      ),
    })),
    [],
  ),
});

type EndpointSliceShape = Immutable<v.InferOutput<typeof endpointSliceSchema>>;

/** An EndpointSlice as the engine reads it. */
export interface EndpointSlice {
  readonly metadata: Omit<EndpointSliceShape["metadata"], "labels">;
  /** The Service that it belongs to; a slice without one is nobody's. */
  readonly serviceName?: string;
  readonly addressType: string;
  /** Ports with a number, by the name of the Service's port; `""` for an unnamed one. */
  readonly ports: readonly {
    readonly name: string;
    readonly port: number;
    readonly protocol: string;
  }[];
  /** Addresses of the ready endpoints, in the order of the slice. */
  readonly readyAddresses: readonly string[];
  /** Addresses of endpoints that are not ready, serve and terminate, in the order of the slice. */
  readonly drainingAddresses: readonly string[];
}

/** Decodes an EndpointSlice. */
export function decodeEndpointSlice(object: unknown): Decoded<EndpointSlice> {
  const decoded = decodeBy(endpointSliceSchema, object);
  if (!decoded.ok) return decoded;
  const { metadata: { labels, ...metadata }, addressType, ports, endpoints } = decoded.value;
  const serviceName = labels[serviceNameLabel];
  return {
    ok: true,
    value: {
      metadata,
      ...(serviceName === undefined ? {} : { serviceName }),
      addressType,
      ports: ports.flatMap(({ name, port, protocol }) =>
        typeof port === "number" ? [{ name, port, protocol }] : []
      ),
      readyAddresses: endpoints.flatMap(({ addresses, conditions }) =>
        isReady(conditions) ? addresses : []
      ),
      drainingAddresses: endpoints.flatMap(({ addresses, conditions }) =>
        !isReady(conditions) && conditions.serving === true && conditions.terminating === true
          ? addresses
          : []
      ),
    },
  };
}

function isReady(conditions: EndpointSliceShape["endpoints"][number]["conditions"]): boolean {
  return conditions.ready !== false;
}
