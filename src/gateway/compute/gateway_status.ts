/** The status of a Gateway. */

import type { DesiredCondition, DesiredStatus } from "../../kube/desired_status.ts";
import type { ObjectKey } from "../../kube/object.ts";
import { gatewaySlices } from "../kinds/gateway.ts";
import { gatewayParent, isDefaultScope } from "../parent_keys.ts";
import { resolveClientCertificate } from "./certificate_refs.ts";
import type { ComputeView, EffectiveListener } from "./compute_view.ts";
import { conditionOf, conditionUnless, type Finding, quoteAll, trueCondition } from "./finding.ts";
import { isSetAccepted } from "./gateway_listeners.ts";
import { allowsInsecureFallback } from "./frontend_tls.ts";
import { computeListenerStatus } from "./listener_status.ts";
import { type Programmed, refused } from "./programmed.ts";
import { publishedAddresses, statusAddresses } from "./status_addresses.ts";
import type { ServiceState } from "./service_state.ts";

/** The status of the Gateway `key`, which is ours. */
export function computeGatewayStatus(
  view: ComputeView,
  key: ObjectKey,
  service: ServiceState,
): DesiredStatus | undefined {
  const uid = view.read(gatewaySlices.uid, key);
  if (uid === undefined) return undefined;
  const { fault, listeners, sets } = view.listeners(key);
  const attached = view.attachedRoutes(gatewayParent(key));
  const accepted = acceptedCondition(describeUnserved(view, key), fault, listeners);
  const programmed = computeGatewayProgrammed(view, key, accepted, service);
  const entries = listeners.map((listener) =>
    computeListenerStatus(listener, service, attached.get(listener.id) ?? 0, view.programmed)
  );
  const addresses = accepted.status === "True" ? statusAddresses(view, key) : [];
  return {
    kind: "Gateway",
    key,
    uid,
    generation: view.read(gatewaySlices.generation, key) ?? 0,
    revision: view.revision,
    pending: programmed.state === "pending" || view.programmed.isPending(entries),
    body: {
      shape: "conditions",
      conditions: [
        accepted,
        view.programmed.of(programmed),
        resolvedRefsCondition(view, key, listeners),
        ...(allowsInsecureFallback(view, key) ? [insecureFrontend] : []),
        ...(isDefaultScope(view.read(gatewaySlices.defaultScope, key)) ? [defaultGateway] : []),
      ],
      listeners: entries,
      fields: {
        addresses,
        ...(sets.length > 0 && {
          attachedListenerSets: accepted.status === "True" ? sets.filter(isSetAccepted).length : 0,
        }),
      },
    },
  };
}

const insecureFrontend = trueCondition(
  "InsecureFrontendValidationMode",
  "ConfigurationChanged",
  `Clients without a valid certificate are let in: mode "AllowInsecureFallback"`,
);

const defaultGateway = trueCondition(
  "DefaultGateway",
  "DefaultGateway",
  `Routes with useDefaultGateways "All" are attached without naming the Gateway`,
);

/** What the spec asks for and nobody serves, and has no condition of its own; empty: nothing. */
function describeUnserved(view: ComputeView, key: ObjectKey): string {
  const notes: string[] = [];
  const scope = view.read(gatewaySlices.defaultScope, key);
  if (scope !== undefined && scope !== "" && scope !== "None" && !isDefaultScope(scope)) {
    notes.push(`; defaultScope "${scope}" is unknown and has no effect`);
  }
  const asksForClient = view.read(gatewaySlices.tls, key)?.backend?.clientCertificateRef;
  if (asksForClient && !view.dataPlane.features.has("GatewayBackendClientCertificate")) {
    notes.push(
      `; the client certificate of spec.tls.backend is not served by data plane ` +
        `"${view.dataPlane.name}" and has no effect`,
    );
  }
  return notes.join("");
}

function acceptedCondition(
  note: string,
  fault: Finding | undefined,
  listeners: readonly EffectiveListener[],
): DesiredCondition {
  if (fault) return conditionOf("Accepted", "False", fault);
  const invalid = listeners.filter((listener) => listener.fault || listener.conflict);
  if (invalid.length > 0) {
    const names = quoteAll(invalid.map(({ spec }) => spec.name));
    const isPartial = invalid.length < listeners.length;
    return conditionOf("Accepted", isPartial ? "True" : "False", {
      reason: "ListenersNotValid",
      message: isPartial
        ? `Listeners are not valid and left out: ${names}${note}`
        : `No listener is valid: ${names}`,
    });
  }
  const message = `The Gateway is valid${note}`;
  return trueCondition("Accepted", "Accepted", message);
}

const resolvedRefs = trueCondition("ResolvedRefs", "ResolvedRefs", "All references are resolved");

function resolvedRefsCondition(
  view: ComputeView,
  gateway: ObjectKey,
  listeners: readonly EffectiveListener[],
): DesiredCondition {
  const unresolved = listeners.filter((listener) => listener.unresolved);
  const client = resolveClientCertificate(view, gateway);
  const fault = (typeof client === "object" ? client : undefined) ??
    (unresolved.length === 0 ? undefined : {
      reason: "ListenersNotResolved",
      message: `Listeners have references that do not resolve: ${
        quoteAll(unresolved.map(({ spec }) => spec.name))
      }`,
    });
  return conditionUnless(fault, resolvedRefs);
}

/** How far the Gateway `key` as a whole is in service. */
export function computeParentProgrammed(
  view: ComputeView,
  key: ObjectKey,
  service: ServiceState,
): Programmed {
  const { fault, listeners } = view.listeners(key);
  return computeGatewayProgrammed(view, key, acceptedCondition("", fault, listeners), service);
}

function computeGatewayProgrammed(
  view: ComputeView,
  key: ObjectKey,
  accepted: DesiredCondition,
  service: ServiceState,
): Programmed {
  if (accepted.status !== "True") return refused("Invalid", "The Gateway is not accepted");
  const assignment = view.addressesOf(key);
  if (assignment && assignment.unusable.length > 0) {
    const addresses = quoteAll(assignment.unusable);
    return refused("AddressNotUsable", `Requested addresses cannot be used: ${addresses}`);
  }
  if (!assignment || assignment.addresses.length === 0) {
    return refused("AddressNotAssigned", "No address is assigned to the Gateway");
  }
  const { publishService } = view;
  if (publishService !== undefined && publishedAddresses(view, publishService).length === 0) {
    const message = `Service "${publishService}" has no address yet`;
    return refused("AddressNotAssigned", message);
  }
  if (!service.isServed) return refused("Invalid", "No listener can be served");
  if (!service.isGatewayAcknowledged) return { state: "pending" };
  const refusal = service.gatewayRefusals.find(({ origin }) => origin.kind === "Gateway");
  if (!refusal) return { state: "programmed" };
  const where = refusal.listener === undefined ? "" : `Listener "${refusal.listener}": `;
  return refused(refusal.reason, `${where}${refusal.message}`);
}
