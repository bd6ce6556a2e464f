/**
 * Objects and desired statuses for the tests of merging and writing statuses.
 */

import type { DesiredCondition, DesiredStatus } from "../../src/kube/desired_status.ts";
import { type KubeObject, objectKey } from "../../src/kube/object.ts";

/** The controller name of the tests. */
export const ourController = "weir.dev/gateway-controller";

/** The wall time of {@linkcode now} and an earlier one. */
export const now = "2026-01-01T00:00:00Z";
export const earlier = "2025-06-01T00:00:00Z";

/** The CRD's default for a condition that nobody has written. */
export function placeholder(type: string): Record<string, unknown> {
  return {
    type,
    status: "Unknown",
    reason: "Pending",
    message: "Waiting for controller",
    lastTransitionTime: "1970-01-01T00:00:00Z",
  };
}

/** A desired condition, `True` with the type as its reason unless told otherwise. */
export function desiredCondition(
  type: string,
  other: Partial<DesiredCondition> = {},
): DesiredCondition {
  return { type, status: "True", reason: type, message: "", ...other };
}

/** A condition as stored. */
export function storedCondition(
  type: string,
  other: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    type,
    status: "True",
    reason: type,
    message: "",
    observedGeneration: 1,
    lastTransitionTime: earlier,
    ...other,
  };
}

/** A Gateway `infra/edge` of generation 1 with a stored status. */
export function gateway(status?: Readonly<Record<string, unknown>>): KubeObject {
  return object("Gateway", "infra", "edge", status);
}

/** An HTTPRoute `apps/web` of generation 1 with a stored status. */
export function httpRoute(status?: Readonly<Record<string, unknown>>): KubeObject {
  return object("HTTPRoute", "apps", "web", status);
}

/** `object` after its spec was changed until it was of `generation`. */
export function atGeneration(generation: number, object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, generation } };
}

function object(
  kind: string,
  namespace: string,
  name: string,
  status: Readonly<Record<string, unknown>> | undefined,
): KubeObject {
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind,
    metadata: {
      name,
      namespace,
      uid: `uid-${name}`,
      resourceVersion: "7",
      generation: 1,
      creationTimestamp: earlier,
    },
    spec: {},
    ...(status === undefined ? {} : { status }),
  };
}

/** The status that the engine wants for {@linkcode gateway}. */
export function gatewayStatus(
  conditions: readonly DesiredCondition[],
  other: Partial<Omit<DesiredStatus, "body">> & {
    readonly listeners?: Extract<DesiredStatus["body"], { shape: "conditions" }>["listeners"];
    readonly fields?: Readonly<Record<string, unknown>>;
  } = {},
): DesiredStatus {
  const { listeners, fields = {}, ...rest } = other;
  return {
    kind: "Gateway",
    key: objectKey("infra", "edge"),
    uid: "uid-edge",
    generation: 1,
    revision: 1,
    pending: false,
    ...rest,
    body: { shape: "conditions", conditions, fields, ...(listeners ? { listeners } : {}) },
  };
}

/** The status that the engine wants for {@linkcode httpRoute}, by name of the parent Gateway. */
export function routeStatus(
  parents: Readonly<Record<string, readonly DesiredCondition[]>>,
  other: Partial<Omit<DesiredStatus, "body">> = {},
): DesiredStatus {
  return {
    kind: "HTTPRoute",
    key: objectKey("apps", "web"),
    uid: "uid-web",
    generation: 1,
    revision: 1,
    pending: false,
    ...other,
    body: {
      shape: "parents",
      controllerName: ourController,
      parents: Object.entries(parents).map(([name, conditions]) => ({
        parentRef: { name },
        conditions,
      })),
    },
  };
}

/** A BackendTLSPolicy `apps/tls` of generation 1 with a stored status. */
export function policy(status?: Readonly<Record<string, unknown>>): KubeObject {
  return object("BackendTLSPolicy", "apps", "tls", status);
}

/** The status that the engine wants for {@linkcode policy}, by name of the ancestor Gateway. */
export function policyStatus(
  ancestors: Readonly<Record<string, readonly DesiredCondition[]>>,
  other: Partial<Omit<DesiredStatus, "body">> = {},
): DesiredStatus {
  return {
    kind: "BackendTLSPolicy",
    key: objectKey("apps", "tls"),
    uid: "uid-tls",
    generation: 1,
    revision: 1,
    pending: false,
    ...other,
    body: {
      shape: "ancestors",
      controllerName: ourController,
      ancestors: Object.entries(ancestors).map(([name, conditions]) => ({
        ancestorRef: { name },
        conditions,
      })),
    },
  };
}

/** An entry of `status.ancestors` as stored. */
export function storedAncestor(
  name: string,
  controllerName: string,
  conditions: readonly unknown[],
): Record<string, unknown> {
  return {
    ancestorRef: { group: "gateway.networking.k8s.io", kind: "Gateway", name },
    controllerName,
    conditions,
  };
}

/** An entry of `status.parents` as stored. */
export function storedParent(
  name: string,
  controllerName: string,
  conditions: readonly unknown[],
): Record<string, unknown> {
  return {
    parentRef: { group: "gateway.networking.k8s.io", kind: "Gateway", name },
    controllerName,
    conditions,
  };
}
