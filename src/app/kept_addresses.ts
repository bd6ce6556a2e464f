/**
 * The addresses that Gateways of a cluster have, for a command that computes what it holds.
 *
 * Which addresses the weir that serves the cluster gives is a setting of that process. What it has
 * given is in the statuses, and an address that a Gateway has it keeps: so these are added to those of
 * `--gateway-addresses`.
 */

import { addressRangeType } from "../config/address_range.ts";
import type { Config } from "../config/flags.ts";
import { decodeStatusAddresses } from "../kube/decode/gateway.ts";
import { asString, isRecord } from "../kube/json_value.ts";
import type { KubeObject } from "../kube/object.ts";
import type { ClusterObjects } from "./world.ts";

/** The settings with the addresses of Gateways of our classes in `objects`. */
export function keptAddresses(
  { gatewayAddresses, controllerName }: Pick<Config, "gatewayAddresses" | "controllerName">,
  objects: Pick<ClusterObjects, "list">,
): Pick<Config, "gatewayAddresses"> {
  const ours = new Set(
    objects.list("GatewayClass").items
      .filter((item) => specText(item, "controllerName") === controllerName)
      .map(({ metadata }) => metadata.name),
  );
  const addresses = objects.list("Gateway").items
    .filter((item) => ours.has(specText(item, "gatewayClassName")))
    .flatMap(decodeStatusAddresses);
  const ranges = [...new Set(addresses)].flatMap((text) => {
    const range = addressRangeType.parse(text);
    return range.ok ? [range.value] : [];
  });
  return { gatewayAddresses: [...gatewayAddresses, ...ranges] };
}

function specText({ spec }: KubeObject, field: string): string {
  return isRecord(spec) ? asString(spec[field]) ?? "" : "";
}
