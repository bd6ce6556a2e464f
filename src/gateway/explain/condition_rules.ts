/**
 * What each type of condition is not computed from, by what it is about: the table behind
 * condition_scope.ts.
 *
 * Names are those of inputs (alone, or with a slice), of slices and of queries; `QUERY > NAME` is what one query
 * reads. A name that no rule has is never left out. `tests/simulation/gateway_explain_test.ts` finds a rule that leaves out too much.
 */

import { routeKinds } from "../route_kinds.ts";

/** What has no part in a condition. */
export interface ConditionRule {
  /** Wherever it is read. */
  readonly without: ReadonlySet<string>;
  /** What the status reads itself, not through a query. */
  readonly notDirectly: ReadonlySet<string>;
  /** Of what the status reads itself, nothing else has a part; absent: see the others. */
  readonly onlyDirectly?: ReadonlySet<string>;
}

/** Rules by type of condition, or by type and reason where the reason decides. */
export type ConditionRules = Readonly<Record<string, ConditionRule>>;

/** No condition depends on how many routes there are. */
const counting = ["attached routes", ...routeKinds.map((kind) => `${kind}s of parent`)];
/** Whether other routes or listeners come first: a condition of its own. */
const shadows = ["isolators", "shadows"];
const routeRules = routeKinds.map((kind) => `${kind} rules`);
const routeBindings = routeKinds.map((kind) => `${kind} bindings`);
const serving = ["Gateway frame", "acknowledgements", "acknowledged routes"];
const grants = ["ReferenceGrant", "grants"];
const backends = [
  ...["Service", "Service port", "EndpointSlice", "slices of Service"],
  ...["backend TLS", "policy terms", "BackendTLSPolicy", "policies of Service"],
];
/** Certificates of listeners and of those who may come. */
const credentials = ["Secret", "ConfigMap", ...grants];
/** The age of a route orders what it serves; who takes it does not ask. */
const ages = routeKinds.map((kind) => `${kind} bindings > ${kind} metadata.creationTimestamp`);
const neighbours = ["port losses", "port losers", "Gateways at", "addresses"];

/** Why a Gateway as a whole is not accepted; no listener or route asks for it. */
export const gatewayFaults: readonly string[] = [
  ...["GatewayClass", "Gateway spec.gatewayClassName"],
  ...["Gateway spec.infrastructure", "Gateway spec.addresses"],
  "own listeners > Gateway spec.allowedListeners",
];

function rule(without: readonly string[], notDirectly: readonly string[] = []): ConditionRule {
  return {
    without: new Set([...without, ...counting, ...shadows]),
    notDirectly: new Set(notDirectly),
  };
}

function only(...onlyDirectly: readonly string[]): ConditionRule {
  return { ...rule([]), onlyDirectly: new Set(onlyDirectly) };
}

/** They decide which parents there are, not what becomes of one. */
const defaults = ["spec.useDefaultGateways", "default Gateways"];
const routeTaken = [
  ...defaults,
  ...[...serving, ...backends, ...credentials, ...gatewayFaults],
  ...["Gateway spec.tls", "Gateway spec.defaultScope", ...ages],
];
const routeAccepted = rule(routeTaken, routeRules);

/** For the entry of a parent of a route. */
export const parentRules: ConditionRules = {
  Accepted: routeAccepted,
  PartiallyInvalid: rule(routeTaken),
  ResolvedRefs: rule(
    [...serving, "Gateway", "GatewayClass", "Namespace", "ListenerSet"],
    routeBindings,
  ),
  "weir.dev/Programmed": rule([], routeRules),
  "weir.dev/Programmed NotAccepted": routeAccepted,
  "weir.dev/Shadowed": {
    without: new Set([...counting, "acknowledgements", "acknowledged routes"]),
    notDirectly: new Set(routeRules),
  },
};

/** What a Gateway's status reads of its own for the certificate that it shows to backends. */
const clientCertificate = ["Gateway spec.tls", "Secret", ...grants];
const listenerJudged = [...serving, ...backends, ...gatewayFaults, "Gateway spec.defaultScope"];
const listenerAccepted = rule([...listenerJudged, "Secret"], [
  ...[...clientCertificate, "addresses"],
]);

/** For a listener. */
export const listenerRules: ConditionRules = {
  Accepted: listenerAccepted,
  Conflicted: listenerAccepted,
  Programmed: rule([], clientCertificate),
  ResolvedRefs: rule([...listenerJudged, ...neighbours], clientCertificate),
  OverlappingTLSConfig: rule([...listenerJudged, ...neighbours], clientCertificate),
  "weir.dev/listening": rule([], clientCertificate),
};

/** For an object itself, by its kind. */
export const objectRules: Readonly<Record<string, ConditionRules>> = {
  GatewayClass: { Accepted: rule(["Gateway API"]), SupportedVersion: rule(["GatewayClass"]) },
  Gateway: {
    Accepted: rule([...serving, ...backends, "Secret"], ["addresses", ...grants]),
    Programmed: rule([], clientCertificate),
    ResolvedRefs: rule([
      ...[...serving, ...backends, ...neighbours, ...gatewayFaults],
      "Gateway spec.defaultScope",
    ]),
    InsecureFrontendValidationMode: only("Gateway spec.tls"),
    DefaultGateway: only("Gateway spec.defaultScope"),
  },
  ListenerSet: {
    Accepted: rule([...serving, ...backends]),
    Programmed: rule([]),
  },
};

/** For the entry of an ancestor of a policy. */
export const ancestorRules: ConditionRules = {
  Accepted: rule([]),
  ResolvedRefs: only("policy terms"),
};
