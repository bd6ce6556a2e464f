/**
 * How the API double takes writes: create, replace, merge patch, server-side apply and deletion, with
 * owners of fields, and each refusal in the words of the real server.
 *
 * What a real server does and one would not guess is done here as well: it does not compare the uid of
 * an apply to a status, and compares that of an apply to the object as it does any other field. No
 * admission: neither defaults nor limits.
 */

import { SchemaCatalog } from "../../src/localkube/admission/schema_catalog.ts";
import { Re2Patterns } from "../../src/localkube/admission/re2_patterns.ts";
import { objectShape } from "../../src/localkube/api/field_shapes.ts";
import { applyMergePatch } from "../../src/localkube/api/json_patch.ts";
import {
  adoptFields,
  decodeManagers,
  encodeManagers,
  type FieldManager,
  type FieldWriter,
  ownedPart,
  updateManagers,
} from "../../src/localkube/api/managed_fields.ts";
import { applyFields } from "../../src/localkube/api/server_side_apply.ts";
import { asList, equalJson, isRecord, type JsonRecord } from "../../src/kube/json_value.ts";
import { type Kind, type KindInfo, kinds } from "../../src/kube/kinds.ts";
import { type KubeObject, type ObjectKey, objectKey } from "../../src/kube/object.ts";
import { answer, type DoubleReply, type DoubleRequest, refusal } from "./double_reply.ts";

/** What a request is about. */
export interface WriteTarget {
  readonly kind: Kind;
  readonly namespace?: string;
  /** Absent for a creation. */
  readonly name?: string;
  readonly subresource?: string;
}

/** The objects that are written to. */
export interface WrittenStore {
  get(kind: Kind, key: ObjectKey): KubeObject | undefined;
  /** Stores `object` under a new version and tells the watches; returns it as stored. */
  store(kind: Kind, object: KubeObject): KubeObject;
  remove(kind: Kind, key: ObjectKey): void;
  newUid(): string;
  isTerminating(namespace: string): boolean;
}

const catalog = new SchemaCatalog("experimental", new Re2Patterns());
const now = "2026-01-01T00:00:00Z";

/** See the file's header. */
export class DoubleWrites {
  readonly #store: WrittenStore;

  constructor(store: WrittenStore) {
    this.#store = store;
  }

  /** Answers a request that changes something. */
  handle(request: DoubleRequest, target: WriteTarget): DoubleReply {
    const body: unknown = JSON.parse(request.body ?? "{}");
    if (!isRecord(body)) return refusal(400, "BadRequest");
    const { kind, namespace, name = nameIn(body) } = target;
    const live = this.#store.get(kind, objectKey(namespace, name));
    const call = { request, target, body, name, live };
    const isApply = request.contentType === "application/apply-patch+yaml";
    switch (request.method) {
      case "POST":
        return this.#create(call);
      case "DELETE":
        return this.#delete(call);
      case "PATCH":
        if (isApply) return this.#apply(call);
        return live ? this.#update(call, merged(live, body)) : missing(call);
      case "PUT":
        return live ? this.#update(call, body) : missing(call);
      default:
        return refusal(405, "MethodNotAllowed");
    }
  }

  #create(call: Call): DoubleReply {
    const { target: { kind, namespace }, live, body, name } = call;
    if (live) {
      const words = `${kinds[kind].plural} "${name}" already exists`;
      const isLeaving = live.metadata.deletionTimestamp !== undefined;
      const message = isLeaving ? `object is being deleted: ${words}` : words;
      return refusal(409, "AlreadyExists", { message });
    }
    if (namespace !== undefined && this.#store.isTerminating(namespace)) return terminating(call);
    const managers = updateManagers([], writerOf(call), {}, partOf(call, body), shapeOf(call));
    return this.#save(call, body, managers);
  }

  #update(call: Call, wanted: JsonRecord): DoubleReply {
    const { live, target } = call;
    if (!live) return missing(call);
    const { uid, resourceVersion } = metadataOf(wanted);
    if (resourceVersion !== undefined && resourceVersion !== live.metadata.resourceVersion) {
      return modified(call);
    }
    if (uid !== undefined && uid !== live.metadata.uid) {
      return conflict(
        call,
        `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${live.metadata.uid}`,
      );
    }
    const next = nextOf(live, wanted, target);
    const managers = updateManagers(
      managersOf(live) ?? [],
      writerOf(call),
      partOf(call, live),
      partOf(call, next),
      shapeOf(call),
    );
    return this.#save(call, next, managers);
  }

  #apply(call: Call): DoubleReply {
    const { request: { query }, target, live, body } = call;
    if (!query.get("fieldManager")) return refusal(422, "Invalid", { message: "fieldManager" });
    const { uid, resourceVersion } = metadataOf(body);
    const isStatus = target.subresource === "status";
    if (!live) {
      if (isStatus) return missing(call);
      if (uid !== undefined) return conflict(call, "uid mismatch: no existing object was found");
      if (target.namespace !== undefined && this.#store.isTerminating(target.namespace)) {
        return terminating(call);
      }
    } else if (!isStatus && uid !== undefined && uid !== live.metadata.uid) {
      const cause = { reason: "FieldValueInvalid", message: "field is immutable" };
      return refusal(422, "Invalid", { causes: [{ ...cause, field: "metadata.uid" }] });
    }
    if (resourceVersion !== undefined && resourceVersion !== live?.metadata.resourceVersion) {
      return modified(call);
    }
    const shape = shapeOf(call);
    const part = live ? partOf(call, live) : {};
    const { apiVersion } = writerOf(call);
    const result = applyFields({
      live: part,
      applied: partOf(call, body),
      managers: live ? managersOf(live) ?? [adoptFields(part, shape, apiVersion)] : [],
      writer: writerOf(call),
      shape,
      isForced: query.get("force") === "true",
    });
    if (!result.ok) return refusal(409, "Conflict", result.error);
    const value = isRecord(result.value) ? result.value : {};
    const next = live && isStatus ? { ...live, status: value.status } : {
      ...live?.status === undefined ? {} : { status: live.status },
      ...value,
      metadata: { ...isRecord(value.metadata) ? value.metadata : {} },
    };
    return this.#save(call, next, result.managers);
  }

  #delete({ target: { kind, namespace }, live, body, name, ...call }: Call): DoubleReply {
    if (!live) return missing({ target: { kind }, name });
    const { uid, resourceVersion } = isRecord(body.preconditions) ? body.preconditions : {};
    const { metadata } = live;
    const mismatch = (what: string, wanted: unknown, found: string): DoubleReply =>
      conflict(
        { target: { kind }, name },
        `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found})`,
      );
    if (uid !== undefined && uid !== metadata.uid) return mismatch("UID", uid, metadata.uid);
    if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
      return mismatch("ResourceVersion", resourceVersion, metadata.resourceVersion);
    }
    if (call.request.query.get("dryRun") === "All") return answer(live);
    if (asList(metadataOf(live).finalizers).length === 0) {
      this.#store.remove(kind, objectKey(namespace, name));
      return answer(live);
    }
    if (metadata.deletionTimestamp !== undefined) return answer(live);
    return answer(
      this.#store.store(kind, { ...live, metadata: { ...metadata, deletionTimestamp: now } }),
    );
  }

  /** Stores what came of a write; what changes nothing is not stored. */
  #save(call: Call, next: JsonRecord, managers: readonly FieldManager[]): DoubleReply {
    const { live, name, target: { kind, namespace } } = call;
    const info: KindInfo = kinds[kind];
    const managedFields = encodeManagers(managers);
    const isSameSpec = live !== undefined && equalJson(next.spec, live.spec);
    const generation = live ? (live.metadata.generation ?? 0) + (isSameSpec ? 0 : 1) : 1;
    const object: KubeObject = {
      ...next,
      apiVersion: writerOf(call).apiVersion,
      kind,
      metadata: {
        ...metadataOf(next),
        name,
        ...namespace === undefined ? {} : { namespace },
        uid: live?.metadata.uid ?? this.#store.newUid(),
        resourceVersion: live?.metadata.resourceVersion ?? "",
        creationTimestamp: live?.metadata.creationTimestamp ?? now,
        ...info.hasGeneration ? { generation } : {},
        ...live?.metadata.deletionTimestamp === undefined
          ? {}
          : { deletionTimestamp: live.metadata.deletionTimestamp },
        ...managedFields.length === 0 ? {} : { managedFields },
      },
    };
    if (live && equalJson(object, live)) return answer(live);
    const isGone = live?.metadata.deletionTimestamp !== undefined &&
      asList(metadataOf(object).finalizers).length === 0;
    const stored = this.#store.store(kind, object);
    if (isGone) this.#store.remove(kind, objectKey(namespace, name));
    return answer(stored);
  }
}

interface Call {
  readonly request: DoubleRequest;
  readonly target: WriteTarget;
  readonly body: JsonRecord;
  readonly name: string;
  readonly live: KubeObject | undefined;
}

function nameIn({ metadata }: JsonRecord): string {
  return isRecord(metadata) ? String(metadata.name ?? "") : "";
}

function metadataOf(object: JsonRecord): JsonRecord {
  return isRecord(object.metadata) ? object.metadata : {};
}

function managersOf(object: KubeObject): readonly FieldManager[] | undefined {
  return decodeManagers(metadataOf(object).managedFields);
}

function merged(live: KubeObject, patch: JsonRecord): JsonRecord {
  const value = applyMergePatch(live, patch);
  return isRecord(value) ? value : {};
}

/** `live` as an update of the object or of its status alone leaves it. */
function nextOf(live: KubeObject, wanted: JsonRecord, { kind, subresource }: WriteTarget) {
  if (subresource === "status") return { ...live, status: wanted.status };
  const info: KindInfo = kinds[kind];
  return info.hasStatus ? { ...wanted, status: live.status } : wanted;
}

function writerOf({ request, target: { subresource }, body, live }: Call): FieldWriter {
  return {
    manager: request.query.get("fieldManager") ?? "unknown",
    apiVersion: live?.apiVersion ?? String(body.apiVersion),
    subresource: subresource ?? "",
    time: now,
  };
}

function partOf({ target: { kind, subresource } }: Call, object: JsonRecord): JsonRecord {
  return ownedPart(object, subresource ?? "", kinds[kind].hasStatus);
}

function shapeOf(call: Call) {
  return objectShape(catalog.find(writerOf(call).apiVersion, call.target.kind)?.root);
}

function missing({ target: { kind }, name }: Pick<Call, "target" | "name">): DoubleReply {
  return refusal(404, "NotFound", { message: `${kinds[kind].plural} "${name}" not found` });
}

function conflict(
  { target: { kind }, name }: Pick<Call, "target" | "name">,
  why: string,
): DoubleReply {
  const message = `Operation cannot be fulfilled on ${kinds[kind].plural} "${name}": ${why}`;
  return refusal(409, "Conflict", { message });
}

function modified(call: Call): DoubleReply {
  return conflict(
    call,
    "the object has been modified; please apply your changes to the latest version and try again",
  );
}

function terminating({ name }: Call): DoubleReply {
  return refusal(403, "Forbidden", {
    message: `"${name}" is forbidden: the namespace is being terminated`,
    causes: [{ reason: "NamespaceTerminating", field: "metadata.namespace" }],
  });
}
