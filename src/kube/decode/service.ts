/**
 * Service (v1): ports and type, and the annotation that names endpoints where no cluster does.
 *
 * `targetPort` is not read: the EndpointSlice says which port a named Service port leads to.
 */

import * as v from "valibot";
import { formatIp, parseHostPort, parseIp } from "../../base/ip_address.ts";
import { asList, asString, isRecord } from "../json_value.ts";
import { decodeBy, type Decoded, type Immutable } from "./decoded.ts";
import { namespacedMetadataSchema } from "./metadata.ts";

/** The annotation that lists a Service's endpoints as `IP:PORT`, separated by commas. */
export const endpointsAnnotation = "weir.dev/endpoints";

/** More endpoints than this in one annotation are refused. */
const annotatedEndpointsMax = 1000;

/** The endpoints of the annotation, or what is wrong with it. */
export type AnnotatedEndpoints =
  | { readonly endpoints: readonly { readonly address: string; readonly port: number }[] }
  | { readonly invalid: string };

const serviceSchema = v.object({
  metadata: v.object({
    ...namespacedMetadataSchema.entries,
    annotations: v.optional(v.object({ [endpointsAnnotation]: v.exactOptional(v.string()) }), {}),
  }),
  spec: v.optional(
    v.object({
      type: v.optional(v.string(), "ClusterIP"),
      clusterIP: v.exactOptional(v.string()),
      externalName: v.exactOptional(v.string()),
      ports: v.optional(
        v.array(v.object({
          name: v.optional(v.string(), ""),
          port: v.number(),
          protocol: v.optional(v.string(), "TCP"),
          appProtocol: v.exactOptional(v.string()),
        })),
        [],
      ),
    }),
    {},
  ),
});

type ServiceShape = Immutable<v.InferOutput<typeof serviceSchema>>;

/** Where a load balancer is reached. */
export interface LoadBalancerAddress {
  readonly type: "IPAddress" | "Hostname";
  readonly value: string;
}

/** A Service as the engine reads it. */
export interface Service {
  readonly metadata: Omit<ServiceShape["metadata"], "annotations">;
  readonly spec: ServiceShape["spec"];
  /** Where load balancers take its traffic (LoadBalancerStatus), an address before a name; maybe none. */
  readonly loadBalancers: readonly LoadBalancerAddress[];
  /** Present when the annotation is. */
  readonly annotatedEndpoints?: AnnotatedEndpoints;
}

/** Decodes a Service. A bad annotation is kept as such, because a route's status has to name it. */
export function decodeService(object: unknown): Decoded<Service> {
  const decoded = decodeBy(serviceSchema, object);
  if (!decoded.ok) return decoded;
  const { metadata: { annotations, ...metadata }, spec } = decoded.value;
  const loadBalancers = loadBalancersOf(object);
  const text = annotations[endpointsAnnotation];
  if (text === undefined) return { ok: true, value: { metadata, spec, loadBalancers } };
  const annotatedEndpoints = parseEndpoints(text);
  return { ok: true, value: { metadata, spec, loadBalancers, annotatedEndpoints } };
}

/** What a status says is nobody's wish: what makes no sense in it is left out, and no fault. */
function loadBalancersOf(object: unknown): readonly LoadBalancerAddress[] {
  const status = isRecord(object) && isRecord(object.status) ? object.status : {};
  const loadBalancer = isRecord(status.loadBalancer) ? status.loadBalancer : {};
  return asList(loadBalancer.ingress).filter(isRecord).flatMap(
    ({ ip, hostname }): LoadBalancerAddress[] => {
      const address = parseIp(asString(ip) ?? "");
      if (address) return [{ type: "IPAddress", value: formatIp(address) }];
      const name = asString(hostname) ?? "";
      return name === "" ? [] : [{ type: "Hostname", value: name }];
    },
  );
}

function parseEndpoints(text: string): AnnotatedEndpoints {
  const parts = text.split(",", annotatedEndpointsMax + 1).map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length > annotatedEndpointsMax) {
    return { invalid: `more than ${annotatedEndpointsMax} endpoints` };
  }
  const endpoints = [];
  for (const part of parts) {
    const endpoint = parseHostPort(part);
    if (!endpoint) return { invalid: `"${part}" is not of the form IP:PORT` };
    endpoints.push(endpoint);
  }
  return { endpoints };
}
