/**
 * Refusals in the words of the Kubernetes API server: code, reason and message of each.
 *
 * Clients and people match on these texts, so they follow `k8s.io/apimachinery` (package
 * `api/errors`) and the storage layer of the API server to the letter. Nothing here decides; it
 * only words.
 */

import { type KindInfo, type StoredKind, storedKinds } from "../kube/kinds.ts";
import type { StatusCause, StatusError } from "./store_contract.ts";

/** `httproutes.gateway.networking.k8s.io`, or the plural alone for the core group. */
function qualifiedResource(kind: StoredKind): string {
  return qualified(storedKinds[kind].plural, storedKinds[kind]);
}

/** `HTTPRoute.gateway.networking.k8s.io`, or the kind alone for the core group. */
function qualifiedKind(kind: StoredKind): string {
  return qualified(kind, storedKinds[kind]);
}

function qualified(name: string, info: KindInfo): string {
  return info.group === "" ? name : `${name}.${info.group}`;
}

/** 400: the request cannot be understood. */
export function badRequest(message: string): StatusError {
  return { code: 400, reason: "BadRequest", message };
}

/** 404: no object of that name. */
export function notFound(kind: StoredKind, name: string): StatusError {
  const message = `${qualifiedResource(kind)} "${name}" not found`;
  return { code: 404, reason: "NotFound", message };
}

/** 404: the kind has no such subresource. */
export function noSuchResource(): StatusError {
  const message = "the server could not find the requested resource";
  return { code: 404, reason: "NotFound", message };
}

/** 409: an object of that name exists. */
export function alreadyExists(kind: StoredKind, name: string): StatusError {
  const message = `${qualifiedResource(kind)} "${name}" already exists`;
  return { code: 409, reason: "AlreadyExists", message };
}

/** 409: the writer did not see the newest state. */
export function staleWrite(kind: StoredKind, name: string): StatusError {
  return conflict(
    kind,
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );
}

/** 422: the kind is replaced only by who names the version; the server puts the plural for the kind. */
export function versionRequired(kind: StoredKind, name: string): StatusError {
  const field = "metadata.resourceVersion";
  const message = "Invalid value: 0: must be specified for an update";
  return {
    code: 422,
    reason: "Invalid",
    message: `${qualifiedResource(kind)} "${name}" is invalid: ${field}: ${message}`,
    causes: [{ reason: "FieldValueInvalid", field, message }],
  };
}

/** 409: the writer means an object that was replaced by another one of the same name. */
export function otherIdentity(
  kind: StoredKind,
  name: string,
  wanted: string,
  stored: string,
): StatusError {
  return conflict(
    kind,
    name,
    `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${stored}`,
  );
}

function conflict(kind: StoredKind, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualifiedResource(kind)} "${name}": ${why}`;
  return { code: 409, reason: "Conflict", message };
}

/** 410: the history no longer reaches back to the version that was asked for. */
export function expired(asked: number, oldest: number): StatusError {
  const message = `too old resource version: ${asked} (${oldest})`;
  return { code: 410, reason: "Expired", message };
}

/** 504: the version that was asked for has not happened yet. */
export function fromTheFuture(asked: number, current: number): StatusError {
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  const cause = {
    reason: "ResourceVersionTooLarge",
    field: "",
    message: "Too large resource version",
  };
  return { code: 504, reason: "Timeout", message, causes: [cause] };
}

/** 413: the object is larger than `bytesMax`. */
export function tooLarge(bytesMax: number): StatusError {
  const message = `Request entity too large: limit is ${bytesMax}`;
  return { code: 413, reason: "RequestEntityTooLarge", message };
}

/** 403: as many objects of the kind exist as may exist; worded as a quota on object counts. */
export function quotaExceeded(kind: StoredKind, name: string, countMax: number): StatusError {
  const counted = `count/${qualifiedResource(kind)}`;
  const message = `${qualifiedResource(kind)} "${name}" is forbidden: exceeded quota: weir, ` +
    `requested: ${counted}=1, used: ${counted}=${countMax}, limited: ${counted}=${countMax}`;
  return { code: 403, reason: "Forbidden", message };
}

/** 422: the object breaks rules of its kind; all of them are told at once. */
export function invalid(
  kind: StoredKind,
  name: string,
  causes: readonly StatusCause[],
): StatusError {
  const message = `${qualifiedKind(kind)} "${name}" is invalid: ${aggregate(causes)}`;
  return { code: 422, reason: "Invalid", message, causes, about: { kind, name } };
}

/** One fault as it is, several as `[a, b]`; a repeated text is told once, as the API does. */
function aggregate(causes: readonly StatusCause[]): string {
  const texts = [...new Set(causes.map(describeCause))];
  return texts.length === 1 ? texts.join() : `[${texts.join(", ")}]`;
}

/** `field: message`, as one line of the API server's list of faults. */
function describeCause(cause: StatusCause): string {
  return cause.field === "" ? cause.message : `${cause.field}: ${cause.message}`;
}
