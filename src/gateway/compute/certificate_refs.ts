/** The references of a Gateway to Secrets that hold certificates. */

import type { GatewayListener } from "../../kube/decode/gateway.ts";
import type { SecretReference } from "../../kube/decode/object_reference.ts";
import { type ObjectKey, objectKey, parseObjectKey } from "../../kube/object.ts";
import type { InputReader } from "../input_reader.ts";
import { gatewaySlices } from "../kinds/gateway.ts";
import { secretSlices } from "../kinds/secret.ts";
import { gatewayGroup } from "../parent_keys.ts";
import type { Finding } from "./finding.ts";
import { isReferenceAllowed } from "./reference_grants.ts";

/** The certificates of a listener that are usable, and what is wrong with the others. */
export interface ResolvedCertificates {
  /** The Secrets, each once. */
  readonly secrets: readonly ObjectKey[];
  readonly faults: readonly Finding[];
}

const noCertificates: ResolvedCertificates = { secrets: [], faults: [] };

/** Resolves the certificates of an HTTPS listener; a listener of another protocol has none. */
export function resolveListenerCertificates(
  reader: InputReader,
  gateway: ObjectKey,
  listener: GatewayListener,
): ResolvedCertificates {
  if (listener.protocol !== "HTTPS") return noCertificates;
  const references = listener.tls?.certificateRefs ?? [];
  if (references.length === 0) {
    return { secrets: [], faults: [{ reason: invalid, message: "No certificate is named" }] };
  }
  const secrets: ObjectKey[] = [];
  const faults: Finding[] = [];
  for (const reference of references) {
    const fault = findSecretFault(reader, gateway, reference, invalid);
    if (fault) faults.push(fault);
    else secrets.push(objectKey(namespaceOf(gateway, reference), reference.name));
  }
  return { secrets: [...new Set(secrets)], faults };
}

/** What is wrong with the certificate that the Gateway shall show to backends. */
export function findClientCertificateFault(
  reader: InputReader,
  gateway: ObjectKey,
): Finding | undefined {
  const reference = reader.read(gatewaySlices.tls, gateway)?.backend?.clientCertificateRef;
  if (!reference) return undefined;
  return findSecretFault(reader, gateway, reference, "InvalidClientCertificateRef");
}

const invalid = "InvalidCertificateRef";

function findSecretFault(
  reader: InputReader,
  gateway: ObjectKey,
  reference: SecretReference,
  reason: string,
): Finding | undefined {
  const { group, kind, name } = reference;
  if (group !== "" || kind !== "Secret") {
    const type = group === "" ? kind : `${kind}.${group}`;
    return { reason, message: `Cannot use "${name}": its kind is "${type}", wanted "Secret"` };
  }
  const namespace = namespaceOf(gateway, reference);
  const key = objectKey(namespace, name);
  // Before anything is said about the Secret itself: without a grant not even whether it exists.
  const from = { group: gatewayGroup, kind: "Gateway", namespace: namespaceOf(gateway, {}) };
  if (!isReferenceAllowed(reader, from, { group, kind, namespace, name })) {
    return {
      reason: "RefNotPermitted",
      message:
        `Cannot use Secret "${key}": no ReferenceGrant in namespace "${namespace}" allows it`,
    };
  }
  const tls = reader.read(secretSlices.tls, key);
  if (!tls) return { reason, message: `Cannot use Secret "${key}": it does not exist` };
  if (!("invalid" in tls)) return undefined;
  return { reason, message: `Cannot use Secret "${key}": ${tls.invalid}` };
}

/** The namespace that `reference` of a Gateway names, or the Gateway's own. */
function namespaceOf(gateway: ObjectKey, reference: Pick<SecretReference, "namespace">): string {
  return reference.namespace ?? parseObjectKey(gateway).namespace ?? "";
}
