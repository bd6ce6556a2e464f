/**
 * An Event of events.k8s.io/v1 as the API takes it. Pure.
 *
 * What is written once stays: later only the series of an Event may change. The API refuses a note of
 * more than 1,024 octets, names that are not DNS names, and a reporting controller that is not a
 * qualified name, so all of these are made to fit.
 */

import type { JsonRecord } from "./json_value.ts";
import { apiVersionOf, type Kind, type KindInfo, kinds } from "./kinds.ts";
import { toMicroTime } from "./micro_time.ts";

/** What is told of an object. */
export interface EventToWrite {
  readonly regarding: {
    readonly kind: Kind;
    /** Absent for a cluster-scoped object. */
    readonly namespace?: string;
    readonly name: string;
    readonly uid?: string;
  };
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly action: string;
  /** Never a value of a Secret. */
  readonly note: string;
}

/** Who tells, and as what. */
export interface EventOrigin {
  readonly controllerName: string;
  /** At most 128 characters. */
  readonly identity: string;
}

/** Octets of a note. */
export const noteOctetsMax = 1024;
const nameMax = 253;
const qualifiedNameMax = 63;

/** Where an Event about `regarding` is: with the object; of one without a namespace in `default`. */
export function eventNamespace({ namespace }: EventToWrite["regarding"]): string {
  return namespace ?? "default";
}

/** The path of the Events of a namespace. */
export function eventsPath(namespace: string): string {
  return `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;
}

/**
 * A name that no other Event has.
 *
 * @param random in [0, 1)
 */
export function eventName(regarding: string, epochMs: number, random: number): string {
  const mark = Math.floor(epochMs).toString(16) +
    Math.floor(random * 2 ** 32).toString(16).padStart(8, "0");
  return `${regarding.slice(0, nameMax - mark.length - 1).replace(/[-.]+$/, "")}.${mark}`;
}

/** The Event; it happened at `epochMs` for the first time. */
export function renderEvent(
  { regarding, type, reason, action, note }: EventToWrite,
  { controllerName, identity }: EventOrigin,
  { name, epochMs }: { readonly name: string; readonly epochMs: number },
): JsonRecord {
  const info: KindInfo = kinds[regarding.kind];
  const namespace = eventNamespace(regarding);
  return {
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name, namespace },
    eventTime: toMicroTime(epochMs),
    reportingController: reportingController(controllerName),
    reportingInstance: identity,
    regarding: { apiVersion: apiVersionOf(info), ...regarding },
    type,
    reason,
    action,
    note: cutOctets(note, noteOctetsMax),
  };
}

/** The change of an Event that has happened `count` times, lately at `epochMs`: a merge patch. */
export function renderSeries(count: number, epochMs: number): JsonRecord {
  return { series: { count, lastObservedTime: toMicroTime(epochMs) } };
}

/** A controller's name as a qualified name: a domain and one part of at most 63 characters. */
export function reportingController(controllerName: string): string {
  const slash = controllerName.indexOf("/");
  const name = controllerName.slice(slash + 1).replaceAll(/[^A-Za-z0-9._-]/g, "-")
    .slice(0, qualifiedNameMax).replaceAll(/^[._-]+|[._-]+$/g, "");
  return `${controllerName.slice(0, slash)}/${name === "" ? "controller" : name}`;
}

/** As much of the start of `text` as fits, whole characters only, with a sign that more was there. */
export function cutOctets(text: string, octetsMax: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= octetsMax) return text;
  const sign = "…";
  let end = octetsMax - new TextEncoder().encode(sign).length;
  // Not in the middle of a character: its other bytes begin with the bits 10.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return new TextDecoder().decode(bytes.subarray(0, end)) + sign;
}
