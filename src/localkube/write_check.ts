/**
 * What is checked of a write before the stored object is looked at. Pure.
 *
 * Order: form, size (later steps may then recurse), metadata. Faults of the metadata and of the rest
 * are told together, so that a person fixes all of them in one go.
 */

import { findStoredKind, type StoredKind } from "../kube/kinds.ts";
import { type KubeObject, type ObjectKey, objectKey } from "../kube/object.ts";
import { isRecord } from "../kube/json_value.ts";
import { checkMeta, type ClientMeta } from "./object_meta.ts";
import { jsonSize } from "./object_size.ts";
import { badRequest, invalid, otherIdentity, staleWrite, tooLarge } from "./status_errors.ts";
import type { Admission, ObjectInput, StatusError } from "./store_contract.ts";
import { draftOf } from "./stored_object.ts";

/** A write that may go on: what admission is to see, and the metadata that will be stored. */
export interface CheckedWrite {
  readonly ok: true;
  readonly key: ObjectKey;
  readonly meta: ClientMeta;
  readonly draft: ObjectInput;
}

/** A write that ends here. */
export interface RefusedWrite {
  readonly ok: false;
  readonly error: StatusError;
}

/** Checks a whole object that is to be stored as `kind`. */
export function checkWrite(
  kind: StoredKind,
  input: ObjectInput,
  bytesMax: number,
  admission: Admission,
): CheckedWrite | RefusedWrite {
  const wrongForm = findWrongForm(kind, input, bytesMax);
  if (wrongForm) return { ok: false, error: wrongForm };
  const { meta, causes } = checkMeta(kind, input.metadata);
  const draft = draftOf(kind, input, meta);
  if (causes.length > 0) {
    const admitted = admission.admit(kind, draft, undefined);
    const all = admitted.ok ? causes : [...causes, ...admitted.causes];
    return { ok: false, error: invalid(kind, meta.name, all) };
  }
  return { ok: true, key: objectKey(meta.namespace, meta.name), meta, draft };
}

/** 400 when the object is not of `kind`, 413 when it is too large or too deep. */
export function findWrongForm(
  kind: StoredKind,
  input: ObjectInput,
  bytesMax: number,
): StatusError | undefined {
  if (findStoredKind(input.apiVersion, input.kind) !== kind || !isRecord(input.metadata)) {
    return badRequest(`the object provided is unrecognized (must be of type ${kind})`);
  }
  return jsonSize(input, bytesMax) > bytesMax ? tooLarge(bytesMax) : undefined;
}

/** Where the object stands that `input` names; for writes that need nothing else of its metadata. */
export function namedKey(input: ObjectInput): ObjectKey {
  const { namespace, name } = input.metadata;
  return objectKey(
    typeof namespace === "string" && namespace !== "" ? namespace : undefined,
    typeof name === "string" ? name : "",
  );
}

/** 409 when the writer names another version or another object than the stored one. */
export function findStale(
  kind: StoredKind,
  input: ObjectInput,
  old: KubeObject,
): StatusError | undefined {
  const { uid, resourceVersion } = input.metadata;
  const { name } = old.metadata;
  if (isSet(uid) && uid !== old.metadata.uid) {
    return otherIdentity(kind, name, String(uid), old.metadata.uid);
  }
  return isSet(resourceVersion) && resourceVersion !== old.metadata.resourceVersion
    ? staleWrite(kind, name)
    : undefined;
}

/** Whether a client gave a value; null and the empty string are Go's ways not to. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
