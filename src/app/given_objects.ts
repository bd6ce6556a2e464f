/** Objects of a cluster that are not read from it, because the operator said what to take for them. */

import type { Config } from "../config/flags.ts";
import { type Kind, kinds } from "../kube/kinds.ts";
import type { KubeObject } from "../kube/object.ts";

/** The settings that say so. */
export type GivenSettings = Pick<
  Config,
  "controllerName" | "namespaces" | "gatewayClass" | "without"
>;

/** What stands for kinds that are not read. */
export function givenObjects(
  { controllerName, namespaces, gatewayClass, without }: GivenSettings,
): ReadonlyMap<Kind, readonly KubeObject[]> {
  const given = new Map<Kind, readonly KubeObject[]>(without.map((kind) => [kind, []]));
  // A Role cannot give the right to read them.
  if (namespaces.length > 0) given.set("Namespace", []);
  if (gatewayClass !== undefined) {
    given.set("GatewayClass", [assertedClass(gatewayClass, controllerName)]);
  }
  return given;
}

/** The class that the operator vouches for. */
function assertedClass(name: string, controllerName: string): KubeObject {
  return {
    apiVersion: `${kinds.GatewayClass.group}/${kinds.GatewayClass.versions[0]}`,
    kind: "GatewayClass",
    metadata: {
      name,
      uid: "",
      resourceVersion: "",
      creationTimestamp: "1970-01-01T00:00:00Z",
      generation: 1,
    },
    spec: { controllerName },
  };
}
