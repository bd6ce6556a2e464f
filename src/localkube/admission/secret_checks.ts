/**
 * What the API server fills in and checks of a Secret and a ConfigMap beyond their schemas.
 *
 * No message repeats a value of a Secret. API types: `core/v1` Secret and ConfigMap.
 */

import { equalJson } from "../../kube/json_value.ts";
import { type Fields, objectAt, textAt } from "./core_fields.ts";
import type { FaultList } from "./fault_list.ts";
import { forbidden, invalid, omittedValue, required, tooLong } from "./field_error.ts";

/** All values of one Secret or ConfigMap together, in bytes; the API server's limit. */
const valueBytesMax = 1024 * 1024;

/** The keys that a type of Secret must have. */
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
};

const serviceAccountName = "kubernetes.io/service-account.name";
const base64Pattern = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Merges `stringData` into `data`, which it wins over; what is stored has only `data`. */
export function prepareSecret(fields: Fields): Fields {
  const { stringData: _, ...prepared } = fields;
  if (fields.stringData === undefined) return prepared;
  const data: Record<string, unknown> = { ...objectAt(fields, "data") };
  for (const [key, value] of Object.entries(objectAt(fields, "stringData"))) {
    data[key] = new TextEncoder().encode(String(value)).toBase64();
  }
  return { ...prepared, data };
}

/** Adds what is wrong with a Secret. */
export function checkSecret(fields: Fields, old: Fields | undefined, faults: FaultList): void {
  const data = objectAt(fields, "data");
  let bytes = 0;
  for (const [key, value] of Object.entries(data)) {
    checkKey(key, `data[${key}]`, faults);
    bytes += checkBase64(String(value), `data[${key}]`, faults);
  }
  if (bytes > valueBytesMax) faults.add(tooLong("data", valueBytesMax));
  checkType(fields, data, faults);
  if (old === undefined) return;
  if (fields.type !== old.type) {
    faults.add(invalid("type", fields.type, "field is immutable"));
  }
  checkImmutable(fields, old, ["data"], faults);
}

/** Adds what is wrong with a ConfigMap. */
export function checkConfigMap(fields: Fields, old: Fields | undefined, faults: FaultList): void {
  const data = objectAt(fields, "data");
  const binaryData = objectAt(fields, "binaryData");
  let bytes = 0;
  for (const [key, value] of Object.entries(data)) {
    checkKey(key, `data[${key}]`, faults);
    if (Object.hasOwn(binaryData, key)) {
      faults.add(invalid(`data[${key}]`, key, "duplicate of key present in binaryData"));
    }
    bytes += new TextEncoder().encode(String(value)).length;
  }
  for (const [key, value] of Object.entries(binaryData)) {
    checkKey(key, `binaryData[${key}]`, faults);
    bytes += checkBase64(String(value), `binaryData[${key}]`, faults);
  }
  if (bytes > valueBytesMax) faults.add(tooLong("", valueBytesMax));
  if (old !== undefined) checkImmutable(fields, old, ["data", "binaryData"], faults);
}

function checkType(fields: Fields, data: Fields, faults: FaultList): void {
  const type = textAt(fields, "type");
  for (const key of requiredKeys[type] ?? []) {
    if (!Object.hasOwn(data, key)) faults.add(required(`data[${key}]`));
  }
  if (type === "kubernetes.io/basic-auth" && !("username" in data) && !("password" in data)) {
    faults.add(required("data[username]"));
    faults.add(required("data[password]"));
  }
  if (type !== "kubernetes.io/service-account-token") return;
  const annotations = objectAt(objectAt(fields, "metadata"), "annotations");
  if (textAt(annotations, serviceAccountName) === "") {
    faults.add(required(`metadata.annotations[${serviceAccountName}]`));
  }
}

function checkKey(key: string, path: string, faults: FaultList): void {
  const add = (detail: string) => faults.add(invalid(path, key, detail));
  if (key.length > 253) add("must be no more than 253 bytes");
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) {
    add(
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.' " +
        "(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
    );
  }
  if (key === ".") add("must not be '.'");
  else if (key.startsWith("..")) add("must not start with '..'");
}

/** The number of bytes that `value` decodes to; adds a fault when it is not base64. */
function checkBase64(value: string, path: string, faults: FaultList): number {
  // Go's decoder skips line breaks, so that a folded value in YAML works.
  const text = value.replace(/[\r\n]/g, "");
  if (!base64Pattern.test(text)) {
    const at = text.search(/[^A-Za-z0-9+/]/);
    const position = at < 0 ? text.length : at;
    faults.add(invalid(path, omittedValue, `illegal base64 data at input byte ${position}`));
  }
  return Math.floor(text.length / 4) * 3;
}

function checkImmutable(
  fields: Fields,
  old: Fields,
  names: readonly string[],
  faults: FaultList,
): void {
  if (old.immutable !== true) return;
  const detail = "field is immutable when `immutable` is set";
  if (fields.immutable !== true) faults.add(forbidden("immutable", detail));
  for (const name of names) {
    if (!equalJson(fields[name], old[name])) faults.add(forbidden(name, detail));
  }
}
