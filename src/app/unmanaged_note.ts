/** Why an object that is there has no status of ours, in a sentence. Pure. */

import { asString, isRecord } from "../kube/json_value.ts";
import { keyOf, type KubeObject, objectKey } from "../kube/object.ts";
import type { ServedSettings } from "./unserved.ts";
import type { ClusterObjects } from "./world.ts";

/** The note on `object`, which the engine has no status for. */
export function unmanagedNote(
  object: KubeObject,
  cluster: Pick<ClusterObjects, "get">,
  settings: ServedSettings,
): string {
  return `It has no status of this controller: ${reasonOf(object, cluster, settings)}`;
}

function reasonOf(
  object: KubeObject,
  cluster: Pick<ClusterObjects, "get">,
  { controllerName, gateways }: ServedSettings,
): string {
  const { kind } = object;
  if (kind === "GatewayClass") return otherController(object, controllerName);
  if (kind === "Gateway") {
    const className = specText(object, "gatewayClassName");
    const gatewayClass = cluster.get("GatewayClass", objectKey(undefined, className));
    if (!gatewayClass) return `there is no GatewayClass "${className}"`;
    if (specText(gatewayClass, "controllerName") !== controllerName) {
      return `of its GatewayClass "${className}" ${otherController(gatewayClass, controllerName)}`;
    }
    if (gateways.length > 0 && !gateways.includes(keyOf(object))) {
      return `--gateways leaves it out`;
    }
    return "it was not computed yet";
  }
  return "it leads to no Gateway that is managed here";
}

function otherController(gatewayClass: KubeObject, controllerName: string): string {
  const other = specText(gatewayClass, "controllerName");
  return other === controllerName
    ? "it was not computed yet"
    : `the controllerName is "${other}", wanted "${controllerName}"`;
}

function specText({ spec }: KubeObject, field: string): string {
  return isRecord(spec) ? asString(spec[field]) ?? "" : "";
}
