/**
 * The resources that the API serves, from the table of kinds. Pure.
 *
 * Every served version of a kind is a resource of its own with the same objects: nothing converts
 * them but the name of the version, as in a cluster whose definitions have no conversion.
 */

import { apiVersionOf, isKind, type Kind, type KindInfo, kinds } from "../../kube/kinds.ts";
import type { KubeObject } from "../../kube/object.ts";

/** A kind in one of its versions. */
export interface ApiResource {
  readonly kind: Kind;
  readonly info: KindInfo;
  readonly group: string;
  readonly version: string;
  /** `group/version`. */
  readonly apiVersion: string;
}

/** Groups whose objects are replaced only by who names the version that is replaced. */
const conditionalGroups: readonly string[] = [
  "gateway.networking.k8s.io",
  "coordination.k8s.io",
];

/**
 * Whether a PUT must have `metadata.resourceVersion`: custom resources and a few built-in kinds
 * (`AllowUnconditionalUpdate` of the API server's strategies).
 */
export function replacesOnlyNamedVersion({ group }: ApiResource): boolean {
  return conditionalGroups.includes(group);
}

/** What may be done with every resource. */
export const resourceVerbs: readonly string[] = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];

/** What may be done with `status`. */
export const statusVerbs: readonly string[] = ["get", "patch", "update"];

/** Every resource, groups in the order of the table of kinds, versions newest first. */
export const apiResources: readonly ApiResource[] = Object.keys(kinds).filter(isKind).flatMap(
  (kind) => {
    const info: KindInfo = kinds[kind];
    return info.versions.map((version) => ({
      kind,
      info,
      group: info.group,
      version,
      apiVersion: apiVersionOf(info, version),
    }));
  },
);

const byPath = new Map(
  apiResources.map((resource) => [`${resource.apiVersion}/${resource.info.plural}`, resource]),
);

/** The resource at `apis/APIVERSION/PLURAL`. */
export function findResource(apiVersion: string, plural: string): ApiResource | undefined {
  return byPath.get(`${apiVersion}/${plural}`);
}

/** The versions of each group, each once, the preferred one first; the core group first. */
export function apiGroups(): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>([["", []]]);
  for (const { group, info } of apiResources) {
    const versions = groups.get(group) ?? [];
    groups.set(group, versions);
    for (const version of info.versions) if (!versions.includes(version)) versions.push(version);
  }
  for (const versions of groups.values()) versions.sort(compareVersions);
  return groups;
}

/** Stable versions first, then newer before older: `v1`, `v1beta1`, `v1alpha3`, `v1alpha2`. */
function compareVersions(a: string, b: string): number {
  return stability(b) - stability(a);
}

function stability(version: string): number {
  const [, major = "0", stage = "", minor = "0"] = /^v(\d+)(alpha|beta)?(\d+)?$/.exec(version) ??
    [];
  const level = stage === "" ? 2 : stage === "beta" ? 1 : 0;
  return level * 1e6 + Number(major) * 1e3 + Number(minor);
}

/** `object` as the version of `resource` shows it. */
export function inVersion(object: KubeObject, { apiVersion }: ApiResource): KubeObject {
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
