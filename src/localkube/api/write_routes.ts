/**
 * The requests that change something: create, update, patch, delete. From parameters and bodies to
 * what {@linkcode ObjectWriter} writes.
 */

import { isRecord, type JsonRecord } from "../../kube/json_value.ts";
import { isKind, kinds } from "../../kube/kinds.ts";
import { keyOf, type KubeObject, objectKey } from "../../kube/object.ts";
import type { MemoryCluster } from "../store.ts";
import { notFound, otherIdentity, staleWrite } from "../status_errors.ts";
import type { ObjectInput } from "../store_contract.ts";
import { mediaTypeOf, parseJson, parseObject, parseYamlObject, toObjectInput } from "./api_body.ts";
import type { ResourceTarget } from "./api_path.ts";
import { inVersion } from "./api_resources.ts";
import type { ApiRequest } from "./api_request.ts";
import { ApiRefusal, badRequest, methodNotAllowed, unsupportedMediaType } from "./api_status.ts";
import { objectShape } from "./field_shapes.ts";
import { applyJsonPatch, applyMergePatch, type PatchResult } from "./json_patch.ts";
import { readSelection } from "./list_query.ts";
import type { ObjectWriter, SchemaSource, WriteRequest, Written } from "./object_writer.ts";
import { applyStrategicMerge } from "./strategic_merge.ts";
import { isTrue } from "./watch_feed.ts";

/** What the requests are served with. */
export interface WriteRouteOptions {
  readonly cluster: MemoryCluster;
  readonly writer: ObjectWriter;
  readonly schemas: SchemaSource;
  /** A new identifier at each call, of which names are made. */
  readonly newUid: () => string;
}

const jsonPatch = "application/json-patch+json";
const mergePatch = "application/merge-patch+json";
const strategicPatch = "application/strategic-merge-patch+json";
const applyPatches: readonly string[] = ["application/apply-patch+yaml"];

/** `POST` of an object. @throws {ApiRefusal} */
export function createObject(
  options: WriteRouteOptions,
  target: ResourceTarget,
  request: ApiRequest,
  text: string,
): Written {
  if (target.name !== undefined) throw methodNotAllowed();
  const write = readWrite(target, request);
  const input = placed(target, toObjectInput(parseObject(text, request.contentType)));
  const { name, generateName } = input.metadata;
  const isNamed = name !== undefined && name !== null && name !== "";
  if (isNamed || typeof generateName !== "string" || generateName === "") {
    return options.writer.create(write, input);
  }
  const suffix = options.newUid().replaceAll("-", "").slice(-8, -3);
  const made = `${generateName.slice(0, 58)}${suffix}`;
  return options.writer.create(write, { ...input, metadata: { ...input.metadata, name: made } });
}

/** `PUT` of an object or its status. @throws {ApiRefusal} */
export function updateObject(
  options: WriteRouteOptions,
  target: ResourceTarget,
  request: ApiRequest,
  text: string,
): Written {
  const write = readWrite(target, request);
  const input = named(
    target,
    placed(target, toObjectInput(parseObject(text, request.contentType))),
  );
  const old = existing(options.cluster, target);
  return options.writer.update(write, old, input);
}

/**
 * `PATCH` of any kind.
 *
 * @param onCreate called before an apply makes a new object; throws when that is not allowed
 * @throws {ApiRefusal}
 */
export function patchObject(
  options: WriteRouteOptions,
  target: ResourceTarget,
  request: ApiRequest,
  text: string,
  onCreate: () => void,
): Written & { readonly isNew: boolean } {
  const media = mediaTypeOf(request.contentType);
  const write = readWrite(target, request);
  if (applyPatches.includes(media)) return applyObject(options, write, request, text, onCreate);
  if (request.query.get("force") !== null) {
    throw badRequest("force is forbidden: may not be specified for non-apply patch");
  }
  const old = existing(options.cluster, target);
  const result = patched(options, target, inVersion(old, target.resource), media, text);
  if (!result.ok) {
    const message = `the patch does not fit the object: ${result.fault}`;
    throw new ApiRefusal({ code: 422, reason: "Invalid", message });
  }
  if (!isRecord(result.value)) throw badRequest("the patched value is not an object");
  const input = named(target, placed(target, toObjectInput(result.value)));
  return { ...options.writer.update(write, old, input), isNew: false };
}

function patched(
  { schemas }: WriteRouteOptions,
  { resource }: ResourceTarget,
  object: KubeObject,
  media: string,
  text: string,
): PatchResult {
  if (media === jsonPatch) return applyJsonPatch(object, parseJson(text));
  if (media === mergePatch) {
    const patch = parseJson(text);
    if (!isRecord(patch)) return { ok: false, fault: "the patch is not an object" };
    return { ok: true, value: applyMergePatch(object, patch) };
  }
  // As for custom resources: without the Go types nobody knows how their lists are merged.
  const isBuiltIn = resource.group !== "gateway.networking.k8s.io";
  if (media === strategicPatch && isBuiltIn) {
    const shape = objectShape(schemas(resource.apiVersion, resource.kind));
    return applyStrategicMerge(object, parseJson(text), shape);
  }
  const wanted = [jsonPatch, mergePatch, ...(isBuiltIn ? [strategicPatch] : []), ...applyPatches];
  throw unsupportedMediaType(media, wanted);
}

function applyObject(
  { cluster, writer }: WriteRouteOptions,
  write: WriteRequest,
  { query }: ApiRequest,
  text: string,
  onCreate: () => void,
): Written & { readonly isNew: boolean } {
  const { target } = write;
  if (!query.get("fieldManager")) {
    const message = "Required value: is required for apply patch";
    throw new ApiRefusal({
      code: 422,
      reason: "Invalid",
      message: `PatchOptions.meta.k8s.io "" is invalid: fieldManager: ${message}`,
      causes: [{ reason: "FieldValueRequired", field: "fieldManager", message }],
    });
  }
  const input = named(target, placed(target, toObjectInput(parseYamlObject(text))));
  const { managedFields, uid } = input.metadata;
  if (Array.isArray(managedFields) && managedFields.length > 0) {
    throw badRequest("metadata.managedFields must be nil");
  }
  const old = find(cluster, target);
  if (!old && target.subresource !== undefined) throw missing(target);
  if (!old && typeof uid === "string" && uid !== "") {
    const message = `uid mismatch: the provided object specified uid ${uid}, and no existing ` +
      "object was found";
    throw new ApiRefusal({ code: 409, reason: "Conflict", message });
  }
  if (!old) onCreate();
  const written = writer.apply(write, old, input, isTrue(query, "force"));
  return { ...written, isNew: old === undefined };
}

/** Conditions under which an object is deleted, and whether it really is. */
interface DeleteOptions {
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  readonly isDryRun: boolean;
}

/** `DELETE` of one object; the last state of it. @throws {ApiRefusal} */
export function deleteObject(
  { cluster }: WriteRouteOptions,
  target: ResourceTarget,
  request: ApiRequest,
  text: string,
): KubeObject {
  if (target.subresource !== undefined) throw methodNotAllowed();
  const conditions = readDeleteOptions(request, text);
  const old = existing(cluster, target);
  const { kind } = target.resource;
  const { name, uid, resourceVersion } = old.metadata;
  if (conditions.uid !== undefined && conditions.uid !== uid) {
    throw new ApiRefusal(otherIdentity(kind, name, conditions.uid, uid));
  }
  if (
    conditions.resourceVersion !== undefined && conditions.resourceVersion !== resourceVersion
  ) throw new ApiRefusal(staleWrite(kind, name));
  if (!conditions.isDryRun) remove(cluster, target, old);
  return old;
}

/** `DELETE` of a collection; what was deleted. @throws {ApiRefusal} */
export function deleteCollection(
  { cluster }: WriteRouteOptions,
  target: ResourceTarget,
  request: ApiRequest,
  text: string,
): readonly KubeObject[] {
  const { kind } = target.resource;
  if (kind === "Namespace") throw methodNotAllowed();
  const { isDryRun } = readDeleteOptions(request, text);
  const { matches } = readSelection(kind, request.query);
  const selected = cluster.list(kind, target.namespace).items.filter(matches);
  if (!isDryRun) { for (const object of selected) remove(cluster, target, object); }
  return selected;
}

/** A Namespace takes with it all that is in it, as its controller would do in a cluster. */
function remove(cluster: MemoryCluster, { resource }: ResourceTarget, object: KubeObject): void {
  if (resource.kind === "Namespace") {
    for (const kind of Object.keys(kinds).filter(isKind)) {
      if (!kinds[kind].namespaced) continue;
      const { items } = cluster.list(kind, object.metadata.name);
      for (const item of items) cluster.delete(kind, keyOf(item));
    }
  }
  // Gone already when it existed only for what was in it.
  cluster.delete(resource.kind, keyOf(object));
}

function readDeleteOptions({ query, contentType }: ApiRequest, text: string): DeleteOptions {
  const body: JsonRecord = text.trim() === "" ? {} : parseObject(text, contentType);
  const { preconditions } = body;
  const conditions = isRecord(preconditions) ? preconditions : {};
  const { uid, resourceVersion } = conditions;
  return {
    uid: typeof uid === "string" ? uid : undefined,
    resourceVersion: typeof resourceVersion === "string" ? resourceVersion : undefined,
    isDryRun: readDryRun([
      ...query.getAll("dryRun"),
      ...(Array.isArray(body.dryRun) ? body.dryRun : []),
    ]),
  };
}

function readDryRun(values: readonly unknown[]): boolean {
  for (const value of values) {
    if (value !== "All" && value !== "") {
      throw badRequest(`dryRun: Unsupported value: ${JSON.stringify(value)}: supported: "All"`);
    }
  }
  return values.includes("All");
}

function readWrite(target: ResourceTarget, { query, userAgent }: ApiRequest): WriteRequest {
  const validation = query.get("fieldValidation") || "Warn";
  if (validation !== "Strict" && validation !== "Warn" && validation !== "Ignore") {
    const shown = JSON.stringify(validation.slice(0, 100));
    throw badRequest(`fieldValidation: Unsupported value: ${shown}`);
  }
  const fieldManager = query.get("fieldManager") ?? "";
  // deno-lint-ignore no-control-regex -- What the API calls printable excludes these.
  if (fieldManager.length > 128 || /[\u0000-\u001f\u007f-\u009f]/.test(fieldManager)) {
    throw badRequest("fieldManager: Invalid value: should be at most 128 printable characters");
  }
  const [agent = ""] = userAgent.split("/");
  return {
    target,
    fieldManager: fieldManager || agent.slice(0, 128) || "unknown",
    isDryRun: readDryRun(query.getAll("dryRun")),
    fieldValidation: validation,
  };
}

/** The object in the version and namespace of the path. @throws {ApiRefusal} 400 */
function placed({ resource, namespace }: ResourceTarget, input: ObjectInput): ObjectInput {
  const { apiVersion, kind } = resource;
  if (input.apiVersion !== apiVersion || input.kind !== kind) {
    const sent = `${input.apiVersion}, Kind=${input.kind}`.slice(0, 200);
    throw badRequest(
      `the API version in the data (${sent}) does not match the expected API version ` +
        `(${apiVersion}, Kind=${kind})`,
    );
  }
  if (!resource.info.namespaced) return input;
  const sent = input.metadata.namespace;
  const isAbsent = sent === undefined || sent === null || sent === "";
  if (namespace === undefined || (!isAbsent && sent !== namespace)) {
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
  return { ...input, metadata: { ...input.metadata, namespace } };
}

/** The object under the name of the path. @throws {ApiRefusal} 400 */
function named({ name }: ResourceTarget, input: ObjectInput): ObjectInput {
  if (name === undefined) throw methodNotAllowed();
  const sent = input.metadata.name;
  if (sent !== undefined && sent !== null && sent !== "" && sent !== name) {
    const shown = String(sent).slice(0, 253);
    throw badRequest(
      `the name of the object (${shown}) does not match the name on the URL (${name})`,
    );
  }
  return { ...input, metadata: { ...input.metadata, name } };
}

function find(
  cluster: MemoryCluster,
  { resource, namespace, name = "" }: ResourceTarget,
): KubeObject | undefined {
  return cluster.get(resource.kind, objectKey(namespace, name));
}

/** The object at `target`. @throws {ApiRefusal} 404, 405 for a collection */
export function existing(cluster: MemoryCluster, target: ResourceTarget): KubeObject {
  if (target.name === undefined) throw methodNotAllowed();
  const object = find(cluster, target);
  if (!object) throw missing(target);
  return object;
}

function missing({ resource, name = "" }: ResourceTarget): ApiRefusal {
  return new ApiRefusal(notFound(resource.kind, name));
}
