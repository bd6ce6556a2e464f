/**
 * How connections to backends use TLS (Gateway API, BackendTLSPolicy).
 *
 * For a port of a Service the policy that names the port wins over one for the whole Service; of two
 * for the same the older wins, by name if they are of one age. A policy that wins and cannot be
 * followed leaves the port without connections: sending in the clear what was to be secured is worse.
 */

import type { BackendTls, SubjectAltName } from "../../dataplane/model.ts";
import type { CaBundle } from "../../kube/ca_bundle.ts";
import type { BackendTLSPolicy } from "../../kube/decode/backend_tls_policy.ts";
import { type ObjectKey, objectKey, parseObjectKey } from "../../kube/object.ts";
import { backendTLSPolicySlices } from "../kinds/backend_tls_policy.ts";
import { readCaBundle } from "./ca_bundles.ts";
import type { ComputeView, PolicyTerms } from "./compute_view.ts";
import { type Finding, joinFindings } from "./finding.ts";

type Validation = BackendTLSPolicy["spec"]["validation"];

/** The terms of the policy `key`, which exists. */
export function computePolicyTerms(view: ComputeView, key: ObjectKey): PolicyTerms {
  const validation = view.read(backendTLSPolicySlices.validation, key);
  if (!validation) return {};
  const fault = findPolicyFault(view, key, validation);
  const trust = resolveTrust(view, key, validation);
  const { unresolved } = trust;
  if (fault || trust.fault || !trust.trust) {
    const found = fault ?? trust.fault;
    return { ...(found && { fault: found }), ...(unresolved && { unresolved }) };
  }
  const tls: BackendTls = {
    hostname: validation.hostname,
    subjectAltNames: validation.subjectAltNames.flatMap(subjectAltNameOf),
    trust: trust.trust,
  };
  return unresolved ? { tls, unresolved } : { tls };
}

function findPolicyFault(
  view: ComputeView,
  key: ObjectKey,
  { subjectAltNames, wellKnownCACertificates }: Validation,
): Finding | undefined {
  const { features, name } = view.dataPlane;
  const invalid = (message: string): Finding => ({ reason: "Invalid", message });
  if (!features.has("BackendTLSPolicy")) {
    return invalid(`BackendTLSPolicy is not served by data plane "${name}"`);
  }
  if (subjectAltNames.length > 0 && !features.has("BackendTLSPolicySANValidation")) {
    return invalid(`Field "subjectAltNames" is not served by data plane "${name}"`);
  }
  const unknown = subjectAltNames.find((entry) => subjectAltNameOf(entry).length === 0);
  if (unknown) return invalid(`A subjectAltName of type "${unknown.type}" is not usable`);
  if (wellKnownCACertificates !== undefined && wellKnownCACertificates !== "System") {
    return invalid(
      `wellKnownCACertificates "${wellKnownCACertificates}" is unknown, wanted "System"`,
    );
  }
  const [option] = Object.keys(view.read(backendTLSPolicySlices.options, key) ?? {}).sort();
  return option === undefined ? undefined : invalid(`Option "${option}" is unknown`);
}

function subjectAltNameOf(
  { type, hostname, uri }: Validation["subjectAltNames"][number],
): readonly SubjectAltName[] {
  if (type === "Hostname" && hostname !== undefined) return [{ type, value: hostname }];
  return type === "URI" && uri !== undefined ? [{ type, value: uri }] : [];
}

interface Trust {
  readonly trust?: BackendTls["trust"];
  readonly fault?: Finding;
  readonly unresolved?: Finding;
}

function resolveTrust(
  view: ComputeView,
  key: ObjectKey,
  { caCertificateRefs, wellKnownCACertificates }: Validation,
): Trust {
  if (caCertificateRefs.length === 0) {
    if (wellKnownCACertificates === "System") return { trust: "system" };
    return { fault: { reason: "NoValidCACertificate", message: "No CA certificate is named" } };
  }
  const { namespace = "" } = parseObjectKey(key);
  const bundles = new Set<string>();
  const faults: Finding[] = [];
  for (const reference of caCertificateRefs) {
    const found = resolveCa(view, namespace, reference);
    if ("reason" in found) faults.push(found);
    else bundles.add(found.certificates);
  }
  const unresolved = joinFindings(faults);
  if (bundles.size > 0) {
    const trust = [...bundles].sort();
    return unresolved ? { trust, unresolved } : { trust };
  }
  const message = "No CA certificate can be used";
  const fault = { reason: "NoValidCACertificate", message };
  return unresolved ? { fault, unresolved } : { fault };
}

function resolveCa(
  view: ComputeView,
  namespace: string,
  { group, kind, name }: Validation["caCertificateRefs"][number],
): CaBundle | Finding {
  if (group !== "" || (kind !== "ConfigMap" && kind !== "Secret")) {
    const type = group === "" ? kind : `${kind}.${group}`;
    return {
      reason: "InvalidKind",
      message: `Cannot use "${name}": its kind is "${type}", wanted "ConfigMap" or "Secret"`,
    };
  }
  return readCaBundle(view, kind, objectKey(namespace, name));
}

/** The policy that holds for a section of a Service, or for all of it; its key. */
export function findWinner(
  view: ComputeView,
  service: ObjectKey,
  section: string | undefined,
): ObjectKey | undefined {
  const { name } = parseObjectKey(service);
  let winner: { readonly key: ObjectKey; readonly created: string } | undefined;
  // Sorted by key, so that of equal ages the first stays.
  for (const key of view.policiesOfService(service)) {
    const targets = view.read(backendTLSPolicySlices.targetRefs, key) ?? [];
    const isAbout = targets.some((target) =>
      target.group === "" && target.kind === "Service" && target.name === name &&
      (target.sectionName || undefined) === section
    );
    if (!isAbout) continue;
    const created = view.read(backendTLSPolicySlices.creationTimestamp, key) ?? "";
    if (!winner || created < winner.created) winner = { key, created };
  }
  return winner?.key;
}

/** How connections to `port` of `service` use TLS; a finding: they cannot, and are not made. */
export function computeBackendTls(
  view: ComputeView,
  service: ObjectKey,
  port: number,
): BackendTls | Finding | undefined {
  if (view.policiesOfService(service).length === 0) return undefined;
  const section = view.get("Service", service)?.spec.ports.find((found) =>
    found.port === port && found.protocol === "TCP"
  )?.name;
  const winner = (section ? findWinner(view, service, section) : undefined) ??
    findWinner(view, service, undefined);
  if (winner === undefined) return undefined;
  const { tls, fault } = view.policyTerms(winner);
  return fault ?? tls;
}
