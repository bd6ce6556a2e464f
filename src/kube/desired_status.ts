/**
 * The status that the engine wants an object to have, before it is merged with what is stored.
 *
 * It is a pure value: no times, nothing of other controllers. The merge adds both.
 */

import type { Kind } from "./kinds.ts";
import type { ObjectKey } from "./object.ts";

/** One condition without its time. `Unknown` with `Pending` never replaces a stored True or False. */
export interface DesiredCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

/** A listener's entry in the status of a Gateway or ListenerSet. */
export interface DesiredListener {
  readonly name: string;
  readonly supportedKinds: readonly { readonly group: string; readonly kind: string }[];
  readonly attachedRoutes: number;
  readonly conditions: readonly DesiredCondition[];
}

/** Status of a GatewayClass, Gateway or ListenerSet: conditions of its own and other fields. */
export interface ConditionsStatus {
  readonly shape: "conditions";
  readonly conditions: readonly DesiredCondition[];
  /** Present for kinds with listeners, in the order of the spec. */
  readonly listeners?: readonly DesiredListener[];
  /** Further fields of `status` that are ours whole, such as `addresses` or `supportedFeatures`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * A reference to a parent exactly as it stands in the route's spec; the API gives ancestors of
 * policies the same type.
 */
export interface DesiredParentRef {
  readonly group?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
  readonly sectionName?: string;
  readonly port?: number;
}

/** Status of a route: one entry for each parent that is ours, sorted. */
export interface ParentsStatus {
  readonly shape: "parents";
  readonly controllerName: string;
  readonly parents: readonly {
    readonly parentRef: DesiredParentRef;
    readonly conditions: readonly DesiredCondition[];
  }[];
}

/**
 * Status of a policy: one entry for each ancestor that is ours, sorted. An ancestor is what the
 * policy takes effect on, usually the Gateway (Gateway API, PolicyStatus).
 */
export interface AncestorsStatus {
  readonly shape: "ancestors";
  readonly controllerName: string;
  readonly ancestors: readonly {
    readonly ancestorRef: DesiredParentRef;
    readonly conditions: readonly DesiredCondition[];
  }[];
}

/** A parent's or an ancestor's entry, whichever it is. */
export interface DesiredEntry {
  readonly reference: DesiredParentRef;
  readonly conditions: readonly DesiredCondition[];
}

/** What one object's status should say, computed from one generation of it. */
export interface DesiredStatus {
  readonly kind: Kind;
  readonly key: ObjectKey;
  /** The object that it was computed from; another object of the same name is left alone. */
  readonly uid: string;
  /** `observedGeneration` of every condition. */
  readonly generation: number;
  /** The revision of the inputs that it was computed from. */
  readonly revision: number;
  /** A data plane has yet to answer; a writer may wait a little so that one write says all. */
  readonly pending: boolean;
  readonly body: ConditionsStatus | ParentsStatus | AncestorsStatus;
}

/** The condition types that weir owns: it may remove one that it no longer wants. */
export const ownedConditionTypes: ReadonlySet<string> = new Set([
  "Accepted",
  "Programmed",
  "ResolvedRefs",
  "PartiallyInvalid",
  "Conflicted",
  "OverlappingTLSConfig",
  "InsecureFrontendValidationMode",
  "DefaultGateway",
  "SupportedVersion",
  "weir.dev/Programmed",
  "weir.dev/Shadowed",
  "weir.dev/listening",
]);
