/**
 * What of a cluster one instance manages, said in the plainest way: the model that the door is held to.
 *
 * It looks at everything at once and keeps nothing, so it cannot forget to look again.
 */

import { isRecord } from "../../src/kube/json_value.ts";
import { keyOf, type KubeObject } from "../../src/kube/object.ts";
import { controllerName } from "./gateway_objects.ts";

const routeKinds: ReadonlySet<unknown> = new Set([
  "HTTPRoute",
  "GRPCRoute",
  "TLSRoute",
  "TCPRoute",
  "UDPRoute",
]);

/**
 * The objects that are ours as `Kind namespace/name`, sorted.
 *
 * @param gateways the only Gateways that the instance manages; undefined: all of its classes
 */
export function managedObjects(
  objects: readonly KubeObject[],
  gateways: ReadonlySet<string> | undefined,
): readonly string[] {
  const managed = new Set<string>();
  const add = (kind: string, isOurs: (object: KubeObject) => boolean): void => {
    for (const object of objects) {
      if (object.kind === kind && isOurs(object)) managed.add(nameOf(object));
    }
  };
  add("GatewayClass", ({ spec }) => fieldOf(spec, "controllerName") === controllerName);
  add("Gateway", (object) =>
    gateways?.has(keyOf(object)) !== false &&
    managed.has(`GatewayClass ${fieldOf(object.spec, "gatewayClassName")}`));
  add("ListenerSet", (object) => {
    const parent = parentName(fieldOf(object.spec, "parentRef"), object);
    return parent.startsWith("Gateway ") && managed.has(parent);
  });
  const routes = objects.filter(({ kind }) => routeKinds.has(kind));
  const ourRoutes = routes.filter((route) =>
    parentsOf(route, objects).some((parent) => managed.has(parent))
  );
  for (const route of ourRoutes) managed.add(nameOf(route));
  const isFree = ({ kind }: KubeObject): boolean =>
    !routeKinds.has(kind) && kind !== "GatewayClass" && kind !== "Gateway" &&
    kind !== "ListenerSet";
  for (const object of objects) if (isFree(object)) managed.add(nameOf(object));
  return [...managed].sort();
}

/**
 * The parents of `route` among `objects` as `Kind namespace/name`, each once: those that it names, and
 * default Gateways if it uses these (GEP-3793). Not all of them are ours.
 */
export function parentsOf(route: KubeObject, objects: readonly KubeObject[]): readonly string[] {
  const references = fieldOf(route.spec, "parentRefs");
  const named = Array.isArray(references)
    ? references.map((reference) => parentName(reference, route))
    : [];
  const usesDefaults = fieldOf(route.spec, "useDefaultGateways") === "All";
  const defaults = objects.filter(({ kind, spec }) =>
    usesDefaults && kind === "Gateway" && fieldOf(spec, "defaultScope") === "All"
  );
  return [...new Set([...named, ...defaults.map(nameOf)])];
}

function nameOf(object: KubeObject): string {
  return `${object.kind} ${keyOf(object)}`;
}

/** What `reference` of `object` names. */
function parentName(reference: unknown, { metadata }: KubeObject): string {
  const kind = fieldOf(reference, "kind") ?? "Gateway";
  const namespace = fieldOf(reference, "namespace") ?? metadata.namespace;
  return `${kind} ${namespace}/${fieldOf(reference, "name")}`;
}

function fieldOf(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}
