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
import type { ClusterObjects } from "./world.ts";

/** The settings that decide what is served. */
export interface ServedSettings {
  readonly controllerName: string;
  /** `NAMESPACE/NAME` of each; empty: all. */
  readonly gateways: readonly string[];
}

/**
 * What `cluster` holds in vain: names of settings first, then Gateways, ListenerSets, routes and
 * policies by their names.
 */
export function findUnserved(
  cluster: Pick<ClusterObjects, "list">,
  settings: ServedSettings,
): readonly UnservedPart[] {
  const controllers = new Map(
    cluster.list("GatewayClass").items.map((item) => [keyOf(item), controllerOf(item)] as const),
  );
  const gateways = cluster.list("Gateway").items;
  const sets = cluster.list("ListenerSet").items;
  const known: KnownNames = {
    Gateway: new Set(gateways.map(keyOf)),
    ListenerSet: new Set(sets.map(keyOf)),
    Service: new Set(cluster.list("Service").items.map(keyOf)),
  };
  const misnamed = settings.gateways.filter((name) => !known.Gateway.has(name)).map((name) => ({
    object: "",
    part: "",
    message: `--gateways: there is no Gateway "${name}"${didYouMean(name, known.Gateway)}`,
  }));
  return [
    ...misnamed,
    ...gateways.flatMap((gateway) => unservedGateway(gateway, controllers, settings)),
    ...sets.flatMap((set) => unservedSet(set, known)),
    ...routeKinds.flatMap((kind) =>
      cluster.list(kind).items.flatMap((route) => unservedParents(route, known))
    ),
    ...cluster.list("BackendTLSPolicy").items.flatMap((policy) => unservedTargets(policy, known)),
  ];
}

const gatewayGroup = "gateway.networking.k8s.io";
const routeKinds = ["HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"] as const;

/** The objects that others name, by kind: `NAMESPACE/NAME` of each. */
type KnownNames = Readonly<Record<"Gateway" | "ListenerSet" | "Service", ReadonlySet<string>>>;

/** A name that nothing has. */
interface MissingName {
  readonly kind: keyof KnownNames;
  readonly key: string;
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

function unservedSet(set: KubeObject, known: KnownNames): readonly UnservedPart[] {
  const { parentRef } = specOf(set);
  const references = isRecord(parentRef) ? [parentRef] : [];
  return missingNames(references, set, known)
    .filter(({ kind }) => kind === "Gateway")
    .map(({ key }) => ({
      object: `ListenerSet ${keyOf(set)}`,
      part: "",
      message: `Cannot join the listeners: there is no Gateway "${key}"` +
        didYouMean(key, known.Gateway),
    }));
}

function unservedParents(route: KubeObject, known: KnownNames): readonly UnservedPart[] {
  const object = `${route.kind} ${keyOf(route)}`;
  const references = asList(specOf(route).parentRefs).filter(isRecord);
  if (references.length === 0) {
    return [{ object, part: "", message: "Cannot attach the route: it names no parent" }];
  }
  return missingNames(references, route, known).map(({ kind, key }) => ({
    object,
    part: `parent ${kind === "Gateway" ? "" : `${kind} `}${key}`,
    message: `Cannot attach the route: there is no ${kind} "${key}"${didYouMean(key, known[kind])}`,
  }));
}

function unservedTargets(policy: KubeObject, known: KnownNames): readonly UnservedPart[] {
  const targets = asList(specOf(policy).targetRefs).filter(isRecord)
    .filter(({ group, kind }) => group === "" && kind === "Service")
    .map(({ name }) => objectKey(policy.metadata.namespace, asString(name) ?? ""));
  return [...new Set(targets)].filter((key) => !known.Service.has(key)).map((key) => ({
    object: `BackendTLSPolicy ${keyOf(policy)}`,
    part: `target ${key}`,
    message: `Cannot apply the policy: there is no Service "${key}"${
      didYouMean(key, known.Service)
    }`,
  }));
}

/** What `references` of `object` name as parents and is not there, each once. */
function missingNames(
  references: readonly Readonly<Record<string, unknown>>[],
  object: KubeObject,
  known: KnownNames,
): readonly MissingName[] {
  const missing = new Map<string, MissingName>();
  for (const { group, kind = "Gateway", namespace, name } of references) {
    if ((group ?? gatewayGroup) !== gatewayGroup) continue;
    if (kind !== "Gateway" && kind !== "ListenerSet") continue;
    const key = objectKey(asString(namespace) ?? object.metadata.namespace, asString(name) ?? "");
    if (!known[kind].has(key)) missing.set(`${kind} ${key}`, { kind, key });
  }
  return [...missing.values()];
}

function controllerOf(gatewayClass: KubeObject): string | undefined {
  return asString(specOf(gatewayClass).controllerName);
}

function specOf({ spec }: KubeObject): Readonly<Record<string, unknown>> {
  return isRecord(spec) ? spec : {};
}
