/**
 * Statuses as a person asks about them: what is fine, and what is not and why. Pure.
 *
 * Statuses arrive in the shape of the API and are read with care: what is not there is left out.
 */

import type { TranslatedStatus } from "../api/translate.ts";

/** One condition and the part of the object that it is about. */
export interface ConditionView {
  /** `listener web`, `parent demo/web`, `ancestor demo/web`; the empty string for the object itself. */
  readonly part: string;
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** One object or one part of it, with its conditions. */
export interface PartView {
  readonly part: string;
  readonly conditions: readonly ConditionView[];
  /** Routes of a listener; undefined for other parts. */
  readonly attachedRoutes: number | undefined;
}

/** Condition types that are bad news when True. */
const negativeTypes: ReadonlySet<string> = new Set([
  "Conflicted",
  "InsecureFrontendValidationMode",
  "OverlappingTLSConfig",
  "PartiallyInvalid",
]);

/** `Kind namespace/name`, or `Kind name` for a cluster-scoped object. */
export function objectTitle({ kind, metadata: { namespace, name } }: TranslatedStatus): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/**
 * The object itself when it has conditions, then its listeners, its parents or its ancestors, in
 * their order.
 */
export function partsOf({ metadata, status }: TranslatedStatus): readonly PartView[] {
  const parts: PartView[] = [];
  if (Array.isArray(status.conditions)) parts.push(readPart("", status));
  for (const listener of records(status.listeners)) {
    parts.push(readPart(`listener ${text(listener.name)}`, listener));
  }
  for (const parent of records(status.parents)) {
    parts.push(readPart(`parent ${parentTitle(parent.parentRef, metadata.namespace)}`, parent));
  }
  for (const ancestor of records(status.ancestors)) {
    const title = parentTitle(ancestor.ancestorRef, metadata.namespace);
    parts.push(readPart(`ancestor ${title}`, ancestor));
  }
  return parts;
}

/** The conditions of `status` that say that something is wrong. Unknown is not wrong. */
export function badConditions(status: TranslatedStatus): readonly ConditionView[] {
  return partsOf(status).flatMap(({ conditions }) => conditions.filter(isBad));
}

/** Whether a condition says that something is wrong. Types of other domains are not judged. */
export function isBad({ type, status }: Pick<ConditionView, "type" | "status">): boolean {
  if (type.includes("/")) return false;
  return status === (negativeTypes.has(type) ? "True" : "False");
}

function readPart(part: string, holder: Readonly<Record<string, unknown>>): PartView {
  const { attachedRoutes } = holder;
  return {
    part,
    attachedRoutes: typeof attachedRoutes === "number" ? attachedRoutes : undefined,
    conditions: records(holder.conditions).map((condition) => ({
      part,
      type: text(condition.type),
      status: text(condition.status),
      reason: text(condition.reason),
      message: text(condition.message),
    })),
  };
}

/** `namespace/name`, with `/section` or `:port` where the reference has them. */
export function parentTitle(parentRef: unknown, objectNamespace: string | undefined): string {
  if (!isRecord(parentRef)) return "";
  const kind = text(parentRef.kind);
  const namespace = text(parentRef.namespace) || (objectNamespace ?? "");
  const section = text(parentRef.sectionName);
  const port = typeof parentRef.port === "number" ? `:${parentRef.port}` : "";
  return (kind === "" || kind === "Gateway" ? "" : `${kind} `) +
    `${namespace}/${text(parentRef.name)}${section === "" ? "" : `/${section}`}${port}`;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function records(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
