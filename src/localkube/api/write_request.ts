/**
 * What every request that changes something is made of: its parameters, and the object that its path
 * and its body agree on. Pure.
 */

import type { KubeObject } from "../../kube/object.ts";
import { objectKey } from "../../kube/object.ts";
import type { MemoryCluster } from "../store.ts";
import { notFound } from "../status_errors.ts";
import type { ObjectInput } from "../store_contract.ts";
import type { ResourceTarget } from "./api_path.ts";
import type { ApiRequest } from "./api_request.ts";
import { asStored, storedResource } from "./api_resources.ts";
import { ApiRefusal, badRequest, methodNotAllowed } from "./api_status.ts";
import type { WriteRequest } from "./object_writer.ts";

/** Whether nothing is stored. @throws {ApiRefusal} 400 for a value that is not `All` */
export function readDryRun(values: readonly unknown[]): boolean {
  for (const value of values) {
    if (value !== "All" && value !== "") {
      throw badRequest(`dryRun: Unsupported value: ${JSON.stringify(value)}: supported: "All"`);
    }
  }
  return values.includes("All");
}

/** What the parameters say about a write. @throws {ApiRefusal} 400 */
export function readWrite(target: ResourceTarget, { query, userAgent }: ApiRequest): WriteRequest {
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
    target: { ...target, resource: storedResource(target.resource) },
    fieldManager: fieldManager || agent.slice(0, 128) || "unknown",
    isDryRun: readDryRun(query.getAll("dryRun")),
    fieldValidation: validation,
  };
}

/** The object in the version and namespace of the path, in the form in which it is stored. @throws {ApiRefusal} 400 */
export function placed({ resource, namespace }: ResourceTarget, input: ObjectInput): ObjectInput {
  const { apiVersion, kind } = resource;
  if (input.apiVersion !== apiVersion || input.kind !== kind) {
    const sent = `${input.apiVersion}, Kind=${input.kind}`.slice(0, 200);
    throw badRequest(
      `the API version in the data (${sent}) does not match the expected API version ` +
        `(${apiVersion}, Kind=${kind})`,
    );
  }
  const stored = asStored(input, resource);
  if (!resource.info.namespaced) return stored;
  const sent = input.metadata.namespace;
  const isAbsent = sent === undefined || sent === null || sent === "";
  if (namespace === undefined || (!isAbsent && sent !== namespace)) {
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
  return { ...stored, metadata: { ...stored.metadata, namespace } };
}

/** The object under the name of the path. @throws {ApiRefusal} 400 */
export function named({ name }: ResourceTarget, input: ObjectInput): ObjectInput {
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

/** The object at `target`, if there is one. */
export function find(
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

/** The refusal of an object that is not there. */
export function missing({ resource, name = "" }: ResourceTarget): ApiRefusal {
  return new ApiRefusal(notFound(resource.kind, name));
}
