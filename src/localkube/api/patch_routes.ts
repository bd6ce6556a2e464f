/**
 * Patches: JSON patch, merge patch, strategic merge patch and server-side apply, by media type.
 */

import { isRecord } from "../../kube/json_value.ts";
import type { KubeObject } from "../../kube/object.ts";
import { mediaTypeOf, parseJson, parseYamlObject, toObjectInput } from "./api_body.ts";
import type { ResourceTarget } from "./api_path.ts";
import type { ApiRequest } from "./api_request.ts";
import { inVersion, isCustom } from "./api_resources.ts";
import { ApiRefusal, badRequest, unsupportedMediaType } from "./api_status.ts";
import { objectShape } from "./field_shapes.ts";
import { applyJsonPatch, applyMergePatch, type PatchResult } from "./json_patch.ts";
import type { WriteRequest, Written } from "./object_writer.ts";
import { applyStrategicMerge } from "./strategic_merge.ts";
import { isTrue } from "./watch_feed.ts";
import { existing, find, missing, named, placed, readWrite } from "./write_request.ts";
import type { WriteRouteOptions } from "./write_routes.ts";

const jsonPatch = "application/json-patch+json";
const mergePatch = "application/merge-patch+json";
const strategicPatch = "application/strategic-merge-patch+json";
const applyPatches: readonly string[] = ["application/apply-patch+yaml"];

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
  body: Uint8Array,
  onCreate: () => void,
): Written & { readonly isNew: boolean } {
  const media = mediaTypeOf(request.contentType);
  const write = readWrite(target, request);
  if (applyPatches.includes(media)) return applyObject(options, write, request, body, onCreate);
  if (request.query.get("force") !== null) {
    throw badRequest("force is forbidden: may not be specified for non-apply patch");
  }
  const old = existing(options.cluster, target);
  const result = patched(options, target, inVersion(old, target.resource), media, body);
  if (!result.ok) {
    const message = `the patch does not fit the object: ${result.fault}`;
    throw new ApiRefusal({ code: 422, reason: "Invalid", message, about: { kind: "", name: "" } });
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
  body: Uint8Array,
): PatchResult {
  if (media === jsonPatch) return applyJsonPatch(object, parseJson(body));
  if (media === mergePatch) {
    const patch = parseJson(body);
    if (!isRecord(patch)) return { ok: false, fault: "the patch is not an object" };
    return { ok: true, value: applyMergePatch(object, patch) };
  }
  // As for custom resources: without the Go types nobody knows how their lists are merged.
  const isBuiltIn = !isCustom(resource);
  if (media === strategicPatch && isBuiltIn) {
    const shape = objectShape(schemas(resource.apiVersion, resource.kind));
    return applyStrategicMerge(object, parseJson(body), shape);
  }
  const wanted = [jsonPatch, mergePatch, ...(isBuiltIn ? [strategicPatch] : []), ...applyPatches];
  throw unsupportedMediaType(undefined, wanted);
}

function applyObject(
  { cluster, writer }: WriteRouteOptions,
  write: WriteRequest,
  { query }: ApiRequest,
  body: Uint8Array,
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
  const input = named(target, placed(target, toObjectInput(parseYamlObject(body))));
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
