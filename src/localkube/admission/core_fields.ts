/**
 * Reading the fields of kinds whose schema has been checked, and faults that several kinds share.
 */

import { asList, asString, isRecord } from "../../kube/json_value.ts";
import { checkLabel, checkQualifiedName } from "../name_formats.ts";
import type { FaultList } from "./fault_list.ts";
import { invalid, notSupported, required } from "./field_error.ts";

/** A JSON object's fields. */
export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = {};

/** The object in field `name`; an absent one has no fields. */
export function objectAt(fields: Fields, name: string): Fields {
  const value = fields[name];
  return isRecord(value) ? value : none;
}

/** The objects in the list in field `name`. */
export function objectsAt(fields: Fields, name: string): readonly Fields[] {
  return asList(fields[name]).filter(isRecord);
}

/** The texts in the list in field `name`. */
export function textsAt(fields: Fields, name: string): readonly string[] {
  return asList(fields[name]).filter((item) => typeof item === "string");
}

/** The text in field `name`; an absent one is empty, as in the API's Go types. */
export function textAt(fields: Fields, name: string): string {
  return asString(fields[name]) ?? "";
}

/** Adds a fault unless `value` is a port number. */
export function checkPortNumber(value: unknown, path: string, faults: FaultList): void {
  const port = typeof value === "number" ? value : 0;
  if (port >= 1 && port <= 65535) return;
  faults.add(invalid(path, port, "must be between 1 and 65535, inclusive"));
}

/** Adds faults unless `name` can name a port of a container: an IANA service name (RFC 6335). */
export function checkContainerPortName(name: string, path: string, faults: FaultList): void {
  const add = (detail: string) => faults.add(invalid(path, name, detail));
  if (name.length > 15) add("must be no more than 15 bytes");
  if (!/^[-a-z0-9]+$/.test(name)) {
    add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(name)) add("must contain at least one letter (a-z)");
  if (name.includes("--")) add("must not contain consecutive hyphens");
  if (name.startsWith("-") || name.endsWith("-")) add("must not begin or end with a hyphen");
}

/** Adds faults unless `name` is an RFC 1123 label. */
export function checkLabelName(name: string, path: string, faults: FaultList): void {
  for (const detail of checkLabel(name)) faults.add(invalid(path, name, detail));
}

/** Adds a fault unless `value` is one of `supported`; the empty text is a missing value. */
export function checkOneOf(
  value: string,
  supported: readonly string[],
  path: string,
  faults: FaultList,
): void {
  if (value === "") faults.add(required(path));
  else if (!supported.includes(value)) faults.add(notSupported(path, value, supported));
}

/** The transport protocols of ports, in the API server's order. */
export const protocols: readonly string[] = ["SCTP", "TCP", "UDP"];

/** Adds faults unless `port.appProtocol` is absent or a name with an optional DNS prefix. */
export function checkAppProtocol(port: Fields, path: string, faults: FaultList): void {
  const value = port.appProtocol;
  if (typeof value !== "string") return;
  for (const detail of checkQualifiedName(value)) {
    faults.add(invalid(`${path}.appProtocol`, value, detail));
  }
}
