/**
 * What a piece of data from a manifest is: an object of a kind that weir serves, something that weir
 * has no use for, or a fault.
 *
 * A folder of manifests usually holds more than weir reads; Deployments and the like are ignored and
 * are no fault. A kind that weir ought to know (a misspelt one, another version of it, anything of
 * the Gateway API) is a fault, because its author expects an effect. Metadata that the server owns is
 * dropped, so that the output of `kubectl get -o yaml` can be fed back.
 */

import { didYouMean } from "../../base/nearest.ts";
import { asString, isRecord, type JsonRecord } from "../../kube/json_value.ts";
import {
  apiVersionOf,
  findKind,
  type Kind,
  type KindInfo,
  kindNames,
  kinds,
} from "../../kube/kinds.ts";
import { type ObjectKey, objectKey } from "../../kube/object.ts";
import { timelessCreation } from "../namespace_users.ts";
import { wrongType } from "../object_meta.ts";
import type { ObjectInput } from "../store_contract.ts";

/** Where a piece of data stands inside its document. */
export type DataPath = readonly (string | number)[];

/** What a piece of data is. */
export type Identified =
  | {
    readonly type: "object";
    readonly path: DataPath;
    readonly kind: Kind;
    readonly key: ObjectKey;
    readonly object: ObjectInput;
  }
  | { readonly type: "ignored"; readonly path: DataPath; readonly object: string }
  | {
    readonly type: "fault";
    readonly path: DataPath;
    readonly object: string;
    readonly field: string;
    readonly message: string;
  };

/** Groups of which every kind ought to be known. */
const ownGroups: ReadonlySet<string> = new Set(["gateway.networking.k8s.io", "weir.dev"]);

/** The namespace of an object that names none, as for kubectl without a context. */
const defaultNamespace = "default";

/** Lists inside lists; deeper ones are a fault. */
const listDepthMax = 4;

/**
 * Pieces in one document; more are a fault of the document. As many as the store takes of a kind: a
 * file of some kilobytes can name billions, with lists of aliases of lists.
 */
const piecesMax = 100_000;

/** The objects in `value`: itself, or the items of a list. Nothing for an empty document. Pure. */
export function identify(value: unknown): readonly Identified[] {
  if (value === null) return [];
  const found: Identified[] = [];
  identifyAt(value, [], {}, listDepthMax, found);
  if (found.length <= piecesMax) return found;
  return [fault([], "", "", `it holds more than ${piecesMax} objects, wanted several documents`)];
}

interface TypeDefault {
  readonly apiVersion?: string;
  readonly kind?: string;
}

function identifyAt(
  value: unknown,
  path: DataPath,
  inherited: TypeDefault,
  listDepthLeft: number,
  found: Identified[],
): void {
  if (found.length > piecesMax) return;
  const type = typeOf(value, inherited);
  if (!isRecord(value) || !type) found.push(faultOfType(value, path, inherited));
  else if (isList(type.kind, value)) identifyItems(value, type, path, listDepthLeft, found);
  else found.push(identifyOne(value, type, path));
}

/** `apiVersion` and `kind`, when both are known. */
function typeOf(value: unknown, inherited: TypeDefault): Required<TypeDefault> | undefined {
  if (!isRecord(value)) return undefined;
  const apiVersion = asString(value.apiVersion) || inherited.apiVersion;
  const kind = asString(value.kind) || inherited.kind;
  return apiVersion && kind ? { apiVersion, kind } : undefined;
}

function faultOfType(value: unknown, path: DataPath, inherited: TypeDefault): Identified {
  if (!isRecord(value)) return fault(path, "", "", "the document is not an object");
  const apiVersion = asString(value.apiVersion) || inherited.apiVersion;
  const kind = asString(value.kind) || inherited.kind;
  const field = apiVersion ? "kind" : "apiVersion";
  const what = apiVersion || kind ? field : "apiVersion and kind";
  return fault(path, describe(kind, value), field, `Required value: ${what}`);
}

function identifyItems(
  list: JsonRecord,
  { apiVersion, kind }: Required<TypeDefault>,
  path: DataPath,
  listDepthLeft: number,
  found: Identified[],
): void {
  const { items } = list;
  if (listDepthLeft === 0) {
    found.push(fault(path, kind, "items", "lists are nested too deeply"));
  } else if (!Array.isArray(items)) {
    if (items === undefined || items === null) return;
    found.push(fault(path, kind, "items", wrongType("items", items, "array").message));
  } else {
    const itemType = kind === "List" ? {} : { apiVersion, kind: kind.slice(0, -"List".length) };
    for (const [index, item] of items.entries()) {
      identifyAt(item, [...path, "items", index], itemType, listDepthLeft - 1, found);
    }
  }
}

function identifyOne(
  value: JsonRecord,
  { apiVersion, kind }: Required<TypeDefault>,
  path: DataPath,
): Identified {
  const known = findKind(apiVersion, kind);
  if (known) return identifyObject(known, apiVersion, value, path);
  const message = explainUnknown(apiVersion, kind);
  const object = describe(kind, value);
  return message === undefined
    ? { type: "ignored", path, object }
    : fault(path, object, "kind", message);
}

function isList(kind: string, value: JsonRecord): boolean {
  return kind === "List" || (kind.endsWith("List") && (Array.isArray(value.items)));
}

function identifyObject(
  kind: Kind,
  apiVersion: string,
  value: JsonRecord,
  path: DataPath,
): Identified {
  const sent = value.metadata;
  if (!isRecord(sent)) {
    return fault(path, kind, "metadata", "Required value: metadata with a name");
  }
  const name = asString(sent.name);
  if (name === undefined && isOfOtherType(sent.name)) {
    const { field, message } = wrongType("metadata.name", sent.name, "string");
    return fault(path, kind, field, message);
  }
  if (name === undefined || name === "") {
    const hint = asString(sent.generateName) ? "; generateName has no meaning in a file" : "";
    return fault(path, kind, "metadata.name", `Required value: name is required${hint}`);
  }
  const { namespaced } = kinds[kind];
  const namespace = namespaced ? asString(sent.namespace) || defaultNamespace : undefined;
  const { namespace: _, ...metadata } = withoutServerFields(sent);
  const object: ObjectInput = {
    ...value,
    apiVersion,
    kind,
    metadata: {
      ...metadata,
      // A namespace of the wrong type is left for the store to refuse.
      ...(namespaced
        ? { namespace: isOfOtherType(sent.namespace) ? sent.namespace : namespace }
        : {}),
      creationTimestamp: sent.creationTimestamp ?? timelessCreation,
    },
  };
  return { type: "object", path, kind, key: objectKey(namespace, name), object };
}

function isOfOtherType(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== "string";
}

/** Metadata as its author wrote it. Finalizers go: no controller is here that would take them off. */
function withoutServerFields(metadata: JsonRecord): JsonRecord {
  const {
    uid: _uid,
    resourceVersion: _resourceVersion,
    generation: _generation,
    managedFields: _managedFields,
    selfLink: _selfLink,
    deletionTimestamp: _deletionTimestamp,
    deletionGracePeriodSeconds: _deletionGracePeriodSeconds,
    finalizers: _finalizers,
    ...rest
  } = metadata;
  return rest;
}

/** Why weir ought to know the kind but does not; undefined for a kind that it has no use for. */
function explainUnknown(apiVersion: string, kind: string): string | undefined {
  const slash = apiVersion.lastIndexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  const known = kindNames.filter((name) => kinds[name].group === group);
  const exact = known.find((name) => name === kind);
  const noMatch = `no matches for kind "${kind}" in version "${apiVersion}"`;
  if (exact) {
    const info: KindInfo = kinds[exact];
    return `${noMatch}, wanted one of: ${
      info.versions.map((v) => apiVersionOf(info, v)).join(", ")
    }`;
  }
  const isMisspelt = known.some((name) => name.toLowerCase() === kind.toLowerCase());
  if (!isMisspelt && !ownGroups.has(group)) return undefined;
  return `${noMatch}${didYouMean(kind, known)}`;
}

/** `Kind namespace/name` as far as it is known. */
function describe(kind: string | undefined, value: JsonRecord): string {
  const metadata = isRecord(value.metadata) ? value.metadata : {};
  const name = asString(metadata.name);
  const namespace = asString(metadata.namespace);
  const key = name && namespace ? `${namespace}/${name}` : name;
  return [kind, key].filter((part) => part).join(" ");
}

function fault(path: DataPath, object: string, field: string, message: string): Identified {
  return { type: "fault", path, object, field, message };
}
