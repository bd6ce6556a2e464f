/**
 * Writes objects on behalf of clients of the API: ownership of fields, dry runs, strictness about
 * unknown fields. How an object came to be what it is to become (a body, a patch) is decided before.
 *
 * Every write is tried first without being stored, so that ownership is computed of the object as
 * admission makes it. All of it is one synchronous step.
 */

import { type Clock, toTimestamp } from "../../base/clock.ts";
import { equalJson, isRecord, type JsonRecord } from "../../kube/json_value.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { ObjectInput, WriteOptions, WriteResult } from "../store_contract.ts";
import type { MemoryCluster } from "../store.ts";
import { versionRequired } from "../status_errors.ts";
import { isSet } from "../write_check.ts";
import type { SchemaNode } from "../admission/schema_node.ts";
import { ApiRefusal, badRequest } from "./api_status.ts";
import type { ResourceTarget } from "./api_path.ts";
import { isCustom, replacesOnlyNamedVersion } from "./api_resources.ts";
import type { ImpliedOwners } from "./implied_owners.ts";
import { type FieldShape, objectShape } from "./field_shapes.ts";
import { isEmptySet } from "./field_set.ts";
import { findRepeated } from "./field_walk.ts";
import {
  adoptFields,
  decodeManagers,
  encodeManagers,
  type FieldManager,
  type FieldWriter,
  ownedPart,
  updateManagers,
} from "./managed_fields.ts";
import { applyFields } from "./server_side_apply.ts";
import { refuseUnknown, unknownFieldsOf } from "./unknown_fields.ts";

/** Finds the schema of a kind in a version. */
export type SchemaSource = (apiVersion: string, kind: string) => SchemaNode | undefined;

/** What a request says about its write. */
export interface WriteRequest {
  readonly target: ResourceTarget;
  readonly fieldManager: string;
  readonly isDryRun: boolean;
  readonly fieldValidation: "Strict" | "Warn" | "Ignore";
  /** A server-side apply takes no fields without a schema, whatever is asked for. */
  readonly isApply?: boolean;
}

/** What was written, or would have been. */
export interface Written {
  readonly object: KubeObject;
  readonly warnings: readonly string[];
}

/** See the file's header. */
export class ObjectWriter {
  readonly #cluster: MemoryCluster;
  readonly #clock: Clock;
  readonly #schemas: SchemaSource;
  readonly #owners: ImpliedOwners;

  constructor(
    cluster: MemoryCluster,
    clock: Clock,
    schemas: SchemaSource,
    owners: ImpliedOwners,
  ) {
    this.#cluster = cluster;
    this.#clock = clock;
    this.#schemas = schemas;
    this.#owners = owners;
  }

  /** @throws {ApiRefusal} */
  create(request: WriteRequest, input: ObjectInput): Written {
    const { creationTimestamp: _, managedFields: __, uid: ___, ...metadata } = input.metadata;
    const bare = { ...input, metadata };
    const { kind } = request.target.resource;
    const tried = this.#accepted(request, this.#cluster.create(kind, bare, { isDryRun: true }));
    const before = this.#compared(request, {});
    const after = this.#compared(request, tried.object);
    const managers = updateManagers([], this.#writer(request), before, after, this.#shape(request));
    return this.#store(request, bare, managers, "create");
  }

  /**
   * Replaces `old` by `input`, or the status alone when that is what the request is for.
   *
   * @throws {ApiRefusal}
   */
  update(request: WriteRequest, old: KubeObject, input: ObjectInput): Written {
    const { resource } = request.target;
    if (replacesOnlyNamedVersion(resource) && !isSet(input.metadata.resourceVersion)) {
      throw new ApiRefusal(versionRequired(resource.kind, old.metadata.name));
    }
    const known = this.#owners.managersOf(old, resource.info);
    const sent = input.metadata.managedFields;
    const base = isReset(sent) ? [] : decodeManagers(sent) ?? known;
    const tried = this.#try(request, old, input);
    const managers = isReset(sent) ? base : updateManagers(
      base,
      this.#writer(request),
      this.#compared(request, old),
      this.#compared(request, tried.object),
      this.#shape(request),
    );
    // Who owns what is implied is stored with the first change of it.
    const kept = managers === known ? decodeManagers(fieldsIn(old.metadata)) ?? [] : managers;
    return this.#store(request, input, kept, "update", old);
  }

  /** Server-side apply of `applied` on `old`, or on nothing. @throws {ApiRefusal} */
  apply(
    request: WriteRequest,
    old: KubeObject | undefined,
    applied: ObjectInput,
    isForced: boolean,
  ): Written {
    const shape = this.#shape(request);
    const part = this.#owned(request, applied);
    const repeated = findRepeated(part, shape);
    if (repeated !== undefined) {
      throw badRequest(`${repeated}: the list has two items with the same key`);
    }
    const { apiVersion, info } = request.target.resource;
    const live = old ? this.#owned(request, old) : {};
    const known = old ? this.#owners.managersOf(old, info) : [];
    const result = applyFields({
      live,
      applied: part,
      managers: old && known.length === 0 ? [adoptFields(live, shape, apiVersion)] : known,
      writer: this.#writer(request),
      shape,
      isForced,
    });
    if (!result.ok) throw new ApiRefusal(result.error);
    const value = isRecord(result.value) ? result.value : {};
    const input = composed(request, old, applied, value);
    return this.#store(
      { ...request, isApply: true },
      input,
      result.managers,
      old ? "update" : "create",
      old,
    );
  }

  #try(request: WriteRequest, old: KubeObject, input: ObjectInput): Written {
    const kept = { ...input.metadata, managedFields: fieldsIn(old.metadata) };
    return this.#accepted(
      request,
      this.#write(request, { ...input, metadata: kept }, "update", { isDryRun: true }),
    );
  }

  #store(
    request: WriteRequest,
    input: ObjectInput,
    managers: readonly FieldManager[],
    verb: "create" | "update",
    old?: KubeObject,
  ): Written {
    const managedFields = encodeManagers(managers.filter(({ fields }) => !isEmptySet(fields)));
    const isSame = old !== undefined && equalJson(managedFields, fieldsIn(old.metadata) ?? []);
    const kept = isSame ? fieldsIn(old.metadata) : managedFields;
    const metadata = { ...input.metadata, managedFields: kept };
    const { isDryRun } = request;
    return this.#accepted(
      request,
      this.#write(request, { ...input, metadata }, verb, { isDryRun: true }),
      isDryRun
        ? undefined
        : () => this.#write(request, { ...input, metadata }, verb, { isDryRun: false }),
    );
  }

  #write(
    { target }: WriteRequest,
    input: ObjectInput,
    verb: "create" | "update",
    options: WriteOptions,
  ): WriteResult {
    const { kind } = target.resource;
    if (target.subresource === "status") return this.#cluster.updateStatus(kind, input, options);
    return verb === "create"
      ? this.#cluster.create(kind, input, options)
      : this.#cluster.update(kind, input, options);
  }

  /** The result of a try, and then of `commit`, when nothing in it speaks against it. */
  #accepted(
    request: WriteRequest,
    result: WriteResult,
    commit?: () => WriteResult,
  ): Written {
    const { fieldValidation } = request;
    const warnings = result.warnings ?? [];
    const unknown = unknownFieldsOf(warnings);
    const write = request.isApply ? "apply" : fieldValidation === "Strict" ? "strict" : "other";
    if (unknown.length > 0) refuseUnknown(request.target, unknown, write);
    if (!result.ok) throw new ApiRefusal(result.error);
    const final = commit ? commit() : result;
    if (!final.ok) throw new ApiRefusal(final.error);
    const told = fieldValidation === "Ignore"
      ? warnings.filter((warning) => !unknown.includes(warning))
      : warnings;
    return { object: final.object, warnings: told };
  }

  #writer({ target, fieldManager }: WriteRequest): FieldWriter {
    return {
      manager: fieldManager,
      apiVersion: target.resource.apiVersion,
      subresource: target.subresource ?? "",
      time: toTimestamp(this.#clock.now()),
    };
  }

  #shape({ target }: WriteRequest): FieldShape {
    const { apiVersion, kind } = target.resource;
    return objectShape(this.#schemas(apiVersion, kind));
  }

  /**
   * The owned part, to be compared with another one. Structures at the top of a built-in kind are
   * always there for the API server, so nobody makes or takes them away.
   */
  #compared(request: WriteRequest, object: JsonRecord): JsonRecord {
    const { apiVersion, kind } = request.target.resource;
    const { subresource } = request.target;
    const part: Record<string, unknown> = subresource === "status" ? {} : { metadata: {} };
    const isBuiltIn = !isCustom(request.target.resource);
    const root = isBuiltIn ? this.#schemas(apiVersion, kind) : undefined;
    for (const [name, node] of root?.properties ?? []) {
      const isAsked = subresource === "status" ? name === "status" : name !== "status";
      if (isAsked && node.properties) part[name] = {};
    }
    return { ...part, ...this.#owned(request, object) };
  }

  #owned({ target }: WriteRequest, object: JsonRecord): JsonRecord {
    return ownedPart(object, target.subresource ?? "", target.resource.info.hasStatus);
  }
}

/** The whole object to store, from the part that apply computed. */
function composed(
  { target }: WriteRequest,
  old: KubeObject | undefined,
  applied: ObjectInput,
  part: JsonRecord,
): ObjectInput {
  const { apiVersion, kind } = applied;
  const { name, namespace, uid, resourceVersion } = applied.metadata;
  const own = isRecord(part.metadata) ? part.metadata : {};
  const metadata = {
    ...own,
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined || !old ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  if (target.subresource !== "status" || !old) return { ...part, apiVersion, kind, metadata };
  const { status: _, ...rest } = old;
  return { ...rest, ...part, apiVersion, kind, metadata };
}

function fieldsIn(metadata: object): unknown {
  return "managedFields" in metadata ? metadata.managedFields : undefined;
}

/** A list of one empty entry: how a client drops all that is known of owners. */
function isReset(value: unknown): boolean {
  return Array.isArray(value) && value.length === 1 && isRecord(value[0]) &&
    Object.keys(value[0]).length === 0;
}
