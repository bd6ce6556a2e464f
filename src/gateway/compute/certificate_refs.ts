/** References of Gateways and ListenerSets to Secrets that hold certificates. */

import type { GatewayListener } from "../../kube/decode/gateway.ts";
import type { SecretReference } from "../../kube/decode/object_reference.ts";
import { type ObjectKey, objectKey, parseObjectKey } from "../../kube/object.ts";
import type { InputReader } from "../input_reader.ts";
import { gatewaySlices } from "../kinds/gateway.ts";
import { secretSlices } from "../kinds/secret.ts";
import { gatewayGroup } from "../parent_keys.ts";
import type { Finding } from "./finding.ts";
import { endsTls } from "./listener_tls.ts";
import { isReferenceAllowed } from "./reference_grants.ts";

/** The object whose listeners refer. Grants for a Gateway do not hold for its ListenerSets. */
export interface ListenerOwner {
  readonly kind: string;
  readonly namespace: string;
}

/** The certificates of a listener that are usable, and what is wrong with the others. */
export interface ResolvedCertificates {
  /** The Secrets, each once. */
  readonly secrets: readonly ObjectKey[];
  readonly faults: readonly Finding[];
}

const noCertificates: ResolvedCertificates = { secrets: [], faults: [] };

/** Resolves the certificates of a listener at which TLS ends; another listener has none. */
export function resolveListenerCertificates(
  reader: InputReader,
  owner: ListenerOwner,
  listener: GatewayListener,
): ResolvedCertificates {
  if (!endsTls(listener)) return noCertificates;
  const references = listener.tls?.certificateRefs ?? [];
  if (references.length === 0) {
    return { secrets: [], faults: [{ reason: invalid, message: "No certificate is named" }] };
  }
  const secrets: ObjectKey[] = [];
  const faults: Finding[] = [];
  for (const reference of references) {
    const fault = findSecretFault(reader, owner, reference, invalid);
    if (fault) faults.push(fault);
    else secrets.push(objectKey(reference.namespace ?? owner.namespace, reference.name));
  }
  return { secrets: [...new Set(secrets)], faults };
}

/** The certificate that a Gateway shall show to backends, or what is wrong with it. */
export function resolveClientCertificate(
  reader: InputReader,
  gateway: ObjectKey,
): ObjectKey | Finding | undefined {
  const reference = reader.read(gatewaySlices.tls, gateway)?.backend?.clientCertificateRef;
  if (!reference) return undefined;
  const { namespace = "" } = parseObjectKey(gateway);
  const owner = { kind: "Gateway", namespace };
  return findSecretFault(reader, owner, reference, "InvalidClientCertificateRef") ??
    objectKey(reference.namespace ?? namespace, reference.name);
}

const invalid = "InvalidCertificateRef";

function findSecretFault(
  reader: InputReader,
  owner: ListenerOwner,
  reference: SecretReference,
  reason: string,
): Finding | undefined {
  const { group, kind, name } = reference;
  if (group !== "" || kind !== "Secret") {
    const type = group === "" ? kind : `${kind}.${group}`;
    return { reason, message: `Cannot use "${name}": its kind is "${type}", wanted "Secret"` };
  }
  const namespace = reference.namespace ?? owner.namespace;
  const key = objectKey(namespace, name);
  // Before anything is said about the Secret itself: without a grant not even whether it exists.
  const from = { group: gatewayGroup, kind: owner.kind, namespace: owner.namespace };
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
