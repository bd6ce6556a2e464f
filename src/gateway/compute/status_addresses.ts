/**
 * The addresses that the status of a Gateway names: where clients reach it.
 *
 * These are the ones that it listens on, unless a Service stands before the data plane: then they are
 * those of the Service's load balancer, or its cluster IP where it is for the cluster alone.
 */

import { formatIp, parseIp } from "../../base/ip_address.ts";

import type { LoadBalancerAddress } from "../../kube/decode/service.ts";
import type { ObjectKey } from "../../kube/object.ts";
import { serviceSlices } from "../kinds/service.ts";
import type { ComputeView } from "./compute_view.ts";

/** The most that the API takes (GatewayStatus, `addresses`). */
const addressesMax = 16;

/** The addresses in the status of the Gateway `key`; maybe none. */
export function statusAddresses(
  view: ComputeView,
  key: ObjectKey,
): readonly LoadBalancerAddress[] {
  const { publishService } = view;
  if (publishService !== undefined) return publishedAddresses(view, publishService);
  const { addresses = [] } = view.addressesOf(key) ?? {};
  return addresses.map((value) => ({ type: "IPAddress", value }));
}

/** The addresses at which `service` is reached; maybe none. */
export function publishedAddresses(
  view: ComputeView,
  service: ObjectKey,
): readonly LoadBalancerAddress[] {
  if (view.read(serviceSlices.type, service) === "ClusterIP") {
    const address = parseIp(view.read(serviceSlices.clusterIP, service) ?? "");
    return address ? [{ type: "IPAddress", value: formatIp(address) }] : [];
  }
  return (view.read(serviceSlices.loadBalancers, service) ?? []).slice(0, addressesMax);
}
