/**
 * The named formats of Kubernetes' CEL library: `format.NAME().validate(text)`.
 */

import {
  checkLabel,
  checkLabelValue,
  checkQualifiedName,
  checkServiceName,
  checkSubdomain,
} from "../name_formats.ts";
import { isDate, isDateTime, stringFormats } from "./string_formats.ts";

/** Faults of a text; the empty list says that it is right. */
type NameCheck = (text: string) => readonly string[];

/** The check with a trailing dash removed, as for the prefix of a generated name. */
function asPrefix(check: NameCheck): NameCheck {
  return (text) => check(text.endsWith("-") ? `${text.slice(0, -1)}a` : text);
}

function holds(test: (text: string) => boolean, fault: string): NameCheck {
  return (text) => test(text) ? [] : [fault];
}

/** The formats by name. */
export const namedFormats: Readonly<Record<string, NameCheck>> = {
  dns1123Label: checkLabel,
  dns1123Subdomain: checkSubdomain,
  dns1035Label: checkServiceName,
  qualifiedName: checkQualifiedName,
  labelValue: checkLabelValue,
  dns1123LabelPrefix: asPrefix(checkLabel),
  dns1123SubdomainPrefix: asPrefix(checkSubdomain),
  dns1035LabelPrefix: asPrefix(checkServiceName),
  uri: holds(stringFormats.uri, "invalid URI"),
  uuid: holds(stringFormats.uuid, "does not match the UUID format"),
  byte: holds(stringFormats.byte, "invalid base64"),
  date: holds(isDate, "invalid date"),
  datetime: holds(isDateTime, "invalid datetime"),
};
