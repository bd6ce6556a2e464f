/**
 * Objects that are weir's own making: what is wanted of one, and what a cluster tells of it. Pure.
 */

import { ClusterError } from "./cluster_error.ts";
import { asList, asNumber, asString, equalJson, isRecord, type JsonRecord } from "./json_value.ts";

/** Which collection a child is in. */
export interface ChildCollection {
  /** `group/version`, or the version alone for the core group. */
  readonly apiVersion: string;
  readonly kind: string;
  /** As in request paths. */
  readonly plural: string;
  /** Absent for a kind of the cluster. */
  readonly namespace?: string;
}

/** Whose child it is: the object that its deletion follows. */
export interface ChildOwner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** All that is wanted of a child; its type and its place come from the collection. */
export interface WantedChild {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The other top fields, such as `spec`. */
  readonly fields: JsonRecord;
}

/** A child as it was looked at. */
export interface ChildIdentity {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** The controller of an object that is not ours. */
export interface ForeignOwner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** What is applied. */
export interface ChildIntent extends JsonRecord {
  readonly metadata: { readonly name: string; readonly [field: string]: unknown };
}

/** A child as read. */
export interface ReadChild {
  readonly child: ChildIdentity;
  readonly object: JsonRecord;
  readonly metadata: JsonRecord;
}

/** All that we say of a child. */
export function childIntent(
  { apiVersion, kind, namespace }: ChildCollection,
  { name, labels, annotations, fields }: WantedChild,
  owner: ChildOwner,
): ChildIntent {
  return {
    ...fields,
    apiVersion,
    kind,
    metadata: {
      name,
      ...namespace === undefined ? {} : { namespace },
      ...labels === undefined ? {} : { labels },
      ...annotations === undefined ? {} : { annotations },
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
  };
}

/** @throws ClusterError of kind `garbled` when `answer` has no identity */
export function readChild(answer: unknown): ReadChild {
  const object = isRecord(answer) ? answer : {};
  const metadata = isRecord(object.metadata) ? object.metadata : {};
  const { name, uid, resourceVersion } = metadata;
  const isIdentified = typeof name === "string" && typeof uid === "string" &&
    typeof resourceVersion === "string";
  if (!isIdentified) throw new ClusterError("garbled", "The answer is no object");
  return { child: { name, uid, resourceVersion }, object, metadata };
}

function text(value: unknown): string {
  return asString(value) ?? "";
}

/** The path of the collection. */
export function childPath({ apiVersion, plural, namespace }: ChildCollection): string {
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return namespace === undefined
    ? `${root}/${plural}`
    : `${root}/namespaces/${namespace}/${plural}`;
}

/** The controller in the ownerReferences of an object. */
export function controllerOf(metadata: JsonRecord): ForeignOwner | undefined {
  const controller = asList(metadata.ownerReferences).filter(isRecord)
    .find((reference) => reference.controller === true);
  if (controller === undefined) return undefined;
  const { kind, name, uid } = controller;
  return { kind: text(kind), name: text(name), uid: text(uid) };
}

/**
 * Whether what others did between `before` and `after` left alone what we said: nothing at all, or,
 * for a kind with generations, nothing but its status.
 */
export function isUntouched(before: ReadChild, after: ReadChild): boolean {
  if (before.child.uid !== after.child.uid) return false;
  if (before.child.resourceVersion === after.child.resourceVersion) return true;
  const generation = asNumber(before.metadata.generation);
  return generation !== undefined && generation === asNumber(after.metadata.generation) &&
    ["labels", "annotations", "ownerReferences"].every((field) =>
      equalJson(before.metadata[field], after.metadata[field])
    );
}
