/**
 * The string formats of OpenAPI that the API server checks; every other format is a remark.
 */

import { isCidr, isIpv4, isIpv6 } from "./ip_address.ts";

/** Whether `text` is a calendar date, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const days = [31, isLeapYear(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day >= 1 && day <= (days[month - 1] ?? 0);
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Whether `text` is a date and time of RFC 3339. */
export function isDateTime(text: string): boolean {
  const parts = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/
    .exec(text);
  return parts !== null && isDate(parts[1] ?? "") &&
    Number(parts[2]) < 24 && Number(parts[3]) < 60 && Number(parts[4]) < 60;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const duration = /^(?:\d+(?:\.\d+)?\s*(?:ns|us|µs|ms|s|m|h|d|w))+$/;
const hostname = /^(?=.{1,255}$)[a-zA-Z0-9_](?:[a-zA-Z0-9_-]{0,62})(?:\.[a-zA-Z0-9_-]{1,63})*\.?$/;

/** Whether a text has a format. */
export type FormatCheck = (text: string) => boolean;

/** The checks by format. */
export const stringFormats = {
  "date": isDate,
  "date-time": isDateTime,
  "datetime": isDateTime,
  "ipv4": isIpv4,
  "ipv6": isIpv6,
  "cidr": isCidr,
  "byte": (text) => base64.test(text.replace(/[\r\n]/g, "")),
  "uuid": (text) => uuid.test(text),
  "duration": (text) => duration.test(text),
  "hostname": (text) => hostname.test(text),
  "uri": (text) => URL.canParse(text),
} as const satisfies Readonly<Record<string, FormatCheck>>;

/** The check of `format`; undefined when the format is only a remark. */
export function findFormat(format: string): FormatCheck | undefined {
  return isKnownFormat(format) ? stringFormats[format] : undefined;
}

function isKnownFormat(format: string): format is keyof typeof stringFormats {
  return Object.hasOwn(stringFormats, format);
}
