/**
 * The requests that create, replace and delete. From parameters and bodies to what
 * {@linkcode ObjectWriter} writes.
 */

import { isRecord, type JsonRecord } from "../../kube/json_value.ts";
import { storedKindNames, storedKinds } from "../../kube/kinds.ts";
import { keyOf, type KubeObject } from "../../kube/object.ts";
import type { MemoryCluster } from "../store.ts";
import { otherIdentity, staleWrite } from "../status_errors.ts";
import { parseObject, toObjectInput } from "./api_body.ts";
import type { ResourceTarget } from "./api_path.ts";
import type { ApiRequest } from "./api_request.ts";
import { ApiRefusal, methodNotAllowed } from "./api_status.ts";
import { readSelection } from "./list_query.ts";
import type { ObjectWriter, SchemaSource, Written } from "./object_writer.ts";
import { existing, named, placed, readDryRun, readWrite } from "./write_request.ts";

/** What the requests are served with. */
export interface WriteRouteOptions {
  readonly cluster: MemoryCluster;
  readonly writer: ObjectWriter;
  readonly schemas: SchemaSource;
  /** A new identifier at each call, of which names are made. */
  readonly newUid: () => string;
}

/** `POST` of an object. @throws {ApiRefusal} */
export function createObject(
  options: WriteRouteOptions,
  target: ResourceTarget,
  request: ApiRequest,
  body: Uint8Array,
): Written {
  if (target.name !== undefined) throw methodNotAllowed();
  const write = readWrite(target, request);
  const input = placed(target, toObjectInput(parseObject(body, request.contentType)));
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
  body: Uint8Array,
): Written {
  const write = readWrite(target, request);
  const input = named(
    target,
    placed(target, toObjectInput(parseObject(body, request.contentType))),
  );
  const old = existing(options.cluster, target);
  return options.writer.update(write, old, input);
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
  body: Uint8Array,
): KubeObject {
  if (target.subresource !== undefined) throw methodNotAllowed();
  const conditions = readDeleteOptions(request, body);
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
  body: Uint8Array,
): readonly KubeObject[] {
  const { kind } = target.resource;
  if (kind === "Namespace") throw methodNotAllowed();
  const { isDryRun } = readDeleteOptions(request, body);
  const { matches } = readSelection(kind, request.query);
  const selected = cluster.list(kind, target.namespace).items.filter(matches);
  if (!isDryRun) { for (const object of selected) remove(cluster, target, object); }
  return selected;
}

/** A Namespace takes with it all that is in it, as its controller would do in a cluster. */
function remove(cluster: MemoryCluster, { resource }: ResourceTarget, object: KubeObject): void {
  if (resource.kind === "Namespace") {
    for (const kind of storedKindNames) {
      if (!storedKinds[kind].namespaced) continue;
      const { items } = cluster.list(kind, object.metadata.name);
      for (const item of items) cluster.delete(kind, keyOf(item));
    }
  }
  // Gone already when it existed only for what was in it.
  cluster.delete(resource.kind, keyOf(object));
}

function readDeleteOptions({ query, contentType }: ApiRequest, body: Uint8Array): DeleteOptions {
  const options: JsonRecord = body.length === 0 ? {} : parseObject(body, contentType);
  const { preconditions } = options;
  const conditions = isRecord(preconditions) ? preconditions : {};
  const { uid, resourceVersion } = conditions;
  return {
    uid: typeof uid === "string" ? uid : undefined,
    resourceVersion: typeof resourceVersion === "string" ? resourceVersion : undefined,
    isDryRun: readDryRun([
      ...query.getAll("dryRun"),
      ...(Array.isArray(options.dryRun) ? options.dryRun : []),
    ]),
  };
}
