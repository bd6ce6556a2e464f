/**
 * The resources that the API serves, from the table of kinds. Pure.
 *
 * Every served version of a kind is a resource of its own with the same objects. Nothing converts
 * them but the name of the version, as in a cluster whose definitions have no conversion; except for
 * Events, which are in two groups with other names of fields in each (event_versions.ts).
 */

import {
  apiVersionOf,
  type KindInfo,
  type StoredKind,
  storedKindNames,
  storedKinds,
} from "../../kube/kinds.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { ObjectInput } from "../store_contract.ts";
import { eventsVersion, fromEventsVersion, toEventsVersion } from "./event_versions.ts";

/** A kind in one of its versions. */
export interface ApiResource {
  readonly kind: StoredKind;
  readonly info: KindInfo;
  readonly group: string;
  readonly version: string;
  /** `group/version`. */
  readonly apiVersion: string;
}

/** Whether the kind has a CustomResourceDefinition in a cluster, and no Go types. */
export function isCustom({ group }: ApiResource): boolean {
  return group === "gateway.networking.k8s.io";
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

const readVerbs: readonly string[] = ["get", "list", "watch"];
const allVerbs: readonly string[] = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "update",
  "watch",
];

/** Whether objects of the kind cannot be written here: nothing would run a Pod. */
export function isReadOnly({ kind }: ApiResource): boolean {
  return kind === "Pod";
}

/** What may be done with a resource. */
export function verbsOf(resource: ApiResource): readonly string[] {
  return isReadOnly(resource) ? readVerbs : allVerbs;
}

/** What may be done with its `status`. */
export function statusVerbsOf(resource: ApiResource): readonly string[] {
  return isReadOnly(resource) ? ["get"] : ["get", "patch", "update"];
}

/** Every resource, groups in the order of the table of kinds, versions newest first. */
export const apiResources: readonly ApiResource[] = storedKindNames.flatMap((kind) => {
  const info: KindInfo = storedKinds[kind];
  const own = info.versions.map((version) => ({
    kind,
    info,
    group: info.group,
    version,
    apiVersion: apiVersionOf(info, version),
  }));
  if (kind !== "Event") return own;
  const [group = "", version = ""] = eventsVersion.split("/");
  return [...own, { kind, info, group, version, apiVersion: eventsVersion }];
});

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
  for (const { group, version } of apiResources) {
    const versions = groups.get(group) ?? [];
    groups.set(group, versions);
    if (!versions.includes(version)) versions.push(version);
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
  if (apiVersion === eventsVersion) return toEventsVersion(object);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

/** `input`, which is of `resource`, as it is stored. */
export function asStored(input: ObjectInput, { apiVersion }: ApiResource): ObjectInput {
  return apiVersion === eventsVersion ? fromEventsVersion(input) : input;
}

/** The resource whose fields are those of {@linkcode asStored}: of these a writer owns some. */
export function storedResource(resource: ApiResource): ApiResource {
  const { apiVersion, info } = resource;
  return apiVersion === eventsVersion ? findResource("v1", info.plural) ?? resource : resource;
}
