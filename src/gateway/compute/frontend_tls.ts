/**
 * How a Gateway wants certificates of clients to be checked (GEP-91; Gateway API, FrontendTLSConfig).
 *
 * A setting for a port wins over the default. It holds for all HTTPS listeners of the port, those of
 * ListenerSets too. Certificates that cannot be used leave the others; when none is left, the listener
 * is not accepted, because letting everybody in is not what was asked for.
 */

import type { ClientValidation } from "../../dataplane/model.ts";
import type { ObjectReference } from "../../kube/decode/object_reference.ts";
import type { CaBundle } from "../../kube/ca_bundle.ts";
import { type ObjectKey, objectKey, parseObjectKey } from "../../kube/object.ts";
import { gatewaySlices } from "../kinds/gateway.ts";
import { gatewayGroup } from "../parent_keys.ts";
import { readCaBundle } from "./ca_bundles.ts";
import type { ComputeView } from "./compute_view.ts";
import { type Finding, joinFindings } from "./finding.ts";
import { isReferenceAllowed } from "./reference_grants.ts";

/** What becomes of a listener by it; nothing when no validation is asked for. */
export interface FrontendTls {
  readonly validation?: ClientValidation;
  /** Why the listener is not accepted. */
  readonly fault?: Finding;
  /** Why not all references resolve. */
  readonly unresolved?: Finding;
}

const insecureFallback = "GatewayFrontendClientCertificateValidationInsecureFallback";

/** The validation that the Gateway `gateway` asks for at `port`. */
export function resolveFrontendTls(
  view: ComputeView,
  gateway: ObjectKey,
  port: number,
): FrontendTls {
  const wanted = validationOf(view, gateway, port);
  if (!wanted) return {};
  const isOptional = wanted.mode === "AllowInsecureFallback";
  const feature = isOptional ? insecureFallback : "GatewayFrontendClientCertificateValidation";
  if (!view.dataPlane.features.has(feature)) {
    const message = `Validation of client certificates, mode "${wanted.mode}", is not served by ` +
      `data plane "${view.dataPlane.name}"`;
    return { fault: { reason: "UnsupportedValue", message } };
  }
  const certificates = new Set<string>();
  const faults: Finding[] = [];
  for (const reference of wanted.caCertificateRefs) {
    const found = resolveCa(view, gateway, reference);
    if ("reason" in found) faults.push(found);
    else certificates.add(found.certificates);
  }
  const unresolved = joinFindings(faults);
  if (certificates.size === 0) {
    const message = "No CA certificate for the validation of clients can be used";
    const fault = { reason: "NoValidCACertificate", message };
    return unresolved ? { fault, unresolved } : { fault };
  }
  const validation = { caCertificates: [...certificates].sort(), isOptional };
  return unresolved ? { validation, unresolved } : { validation };
}

/**
 * Whether a port of the Gateway lets clients without a valid certificate in (a condition says so). A
 * data plane that does not know the mode lets nobody in: the listeners are not accepted.
 */
export function allowsInsecureFallback(view: ComputeView, gateway: ObjectKey): boolean {
  if (!view.dataPlane.features.has(insecureFallback)) return false;
  const frontend = view.read(gatewaySlices.tls, gateway)?.frontend;
  if (!frontend) return false;
  return [frontend.default, ...frontend.perPort.map(({ tls }) => tls)].some(({ validation }) =>
    validation?.mode === "AllowInsecureFallback"
  );
}

function validationOf(view: ComputeView, gateway: ObjectKey, port: number) {
  const frontend = view.read(gatewaySlices.tls, gateway)?.frontend;
  if (!frontend) return undefined;
  const own = frontend.perPort.find((entry) => entry.port === port);
  return (own?.tls ?? frontend.default).validation;
}

function resolveCa(
  view: ComputeView,
  gateway: ObjectKey,
  reference: ObjectReference,
): CaBundle | Finding {
  const { group, kind, name } = reference;
  if (group !== "" || kind !== "ConfigMap") {
    const type = group === "" ? kind : `${kind}.${group}`;
    return {
      reason: "InvalidCACertificateKind",
      message: `Cannot use "${name}": its kind is "${type}", wanted "ConfigMap"`,
    };
  }
  const { namespace: ownNamespace = "" } = parseObjectKey(gateway);
  const namespace = reference.namespace ?? ownNamespace;
  const key = objectKey(namespace, name);
  const from = { group: gatewayGroup, kind: "Gateway", namespace: ownNamespace };
  if (!isReferenceAllowed(view, from, { group, kind, namespace, name })) {
    const message =
      `Cannot use ConfigMap "${key}": no ReferenceGrant in namespace "${namespace}" allows it`;
    return { reason: "RefNotPermitted", message };
  }
  return readCaBundle(view, kind, key);
}
