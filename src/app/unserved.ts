/**
 * Objects that nothing would serve because what they name is not there: mostly a misspelt name.
 *
 * The API gives such an object no status, since another controller may be meant, so nobody would hear
 * of it. `weir check` and `weir translate` see everything that there is and can tell. What names a
 * class of another controller is left alone as long as there is a class of ours. Pure.
 */

import type { UnservedPart } from "../api/translate.ts";
import { didYouMean } from "../base/nearest.ts";
import { asList, asString, isRecord } from "../kube/json_value.ts";
import { keyOf, type KubeObject, objectKey } from "../kube/object.ts";
import type { LocalCluster } from "../localkube/store_contract.ts";

/** The settings that decide what is served. */
export interface ServedSettings {
  readonly controllerName: string;
  /** `NAMESPACE/NAME` of each; empty: all. */
  readonly gateways: readonly string[];
}

/** What `cluster` holds in vain: names of settings first, then Gateways and routes by their names. */
export function findUnserved(
  cluster: Pick<LocalCluster, "list">,
  settings: ServedSettings,
): readonly UnservedPart[] {
  const controllers = new Map(
    cluster.list("GatewayClass").items.map((item) => [keyOf(item), controllerOf(item)] as const),
  );
  const gateways = cluster.list("Gateway").items;
  const known = new Set<string>(gateways.map(keyOf));
  const misnamed = settings.gateways.filter((name) => !known.has(name)).map((name) => ({
    object: "",
    part: "",
    message: `--gateways: there is no Gateway "${name}"${didYouMean(name, known)}`,
  }));
  return [
    ...misnamed,
    ...gateways.flatMap((gateway) => unservedGateway(gateway, controllers, settings)),
    ...cluster.list("HTTPRoute").items.flatMap((route) => unservedParents(route, known)),
  ];
}

function unservedGateway(
  gateway: KubeObject,
  controllers: ReadonlyMap<string, string | undefined>,
  { controllerName }: ServedSettings,
): readonly UnservedPart[] {
  const name = asString(specOf(gateway).gatewayClassName) ?? "";
  const object = `Gateway ${keyOf(gateway)}`;
  if (!controllers.has(name)) {
    const hint = didYouMean(name, controllers.keys());
    const message = `Cannot serve the Gateway: there is no GatewayClass "${name}"${hint}`;
    return [{ object, part: "", message }];
  }
  const hasOurs = [...controllers.values()].includes(controllerName);
  if (hasOurs) return [];
  const message = `Cannot serve the Gateway: the controller of GatewayClass "${name}" is ` +
    `"${controllers.get(name) ?? ""}", wanted "${controllerName}"`;
  return [{ object, part: "", message }];
}

function unservedParents(route: KubeObject, known: ReadonlySet<string>): readonly UnservedPart[] {
  const object = `HTTPRoute ${keyOf(route)}`;
  const references = asList(specOf(route).parentRefs).filter(isRecord);
  if (references.length === 0) {
    return [{ object, part: "", message: "Cannot attach the route: it names no parent" }];
  }
  const missing = references.filter(({ kind }) => kind === undefined || kind === "Gateway")
    .map(({ namespace, name }) =>
      objectKey(asString(namespace) ?? route.metadata.namespace, asString(name) ?? "")
    ).filter((key) => !known.has(key));
  return [...new Set(missing)].map((key) => ({
    object,
    part: `parent ${key}`,
    message: `Cannot attach the route: there is no Gateway "${key}"${didYouMean(key, known)}`,
  }));
}

function controllerOf(gatewayClass: KubeObject): string | undefined {
  return asString(specOf(gatewayClass).controllerName);
}

function specOf({ spec }: KubeObject): Readonly<Record<string, unknown>> {
  return isRecord(spec) ? spec : {};
}
