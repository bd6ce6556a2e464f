/**
 * Which TLS Secrets the HTTPS listeners of some Gateways name, and for which hosts. Pure.
 */

import type { KubeObject } from "../kube/object.ts";

/** A Secret that a listener names, and the host names its certificate should hold. */
export interface WantedCertificate {
  readonly namespace: string;
  readonly name: string;
  /** Sorted, without duplicates, never empty. */
  readonly dnsNames: readonly string[];
}

/** Names that a listener without a hostname can be reached by on a person's own machine. */
const loopbackNames = ["localhost", "*.localhost", "127.0.0.1", "::1"];

/**
 * One entry per Secret, sorted by namespace and name; hosts of all listeners that share a Secret are
 * merged. Gateways come from admission, so their shape is that of the API; anything else in them is
 * passed over. (Gateway API `GatewayTLSConfig.certificateRefs`.)
 */
export function wantedCertificates(gateways: readonly KubeObject[]): readonly WantedCertificate[] {
  const wanted = new Map<string, { namespace: string; name: string; dnsNames: Set<string> }>();
  for (const gateway of gateways) {
    const { namespace = "default" } = gateway.metadata;
    for (const listener of recordsIn(recordOf(gateway.spec)["listeners"])) {
      for (const reference of recordsIn(recordOf(listener["tls"])["certificateRefs"])) {
        if ((reference["kind"] ?? "Secret") !== "Secret" || (reference["group"] ?? "") !== "") {
          continue;
        }
        const entry = {
          namespace: String(reference["namespace"] ?? namespace),
          name: String(reference["name"]),
        };
        const key = `${entry.namespace}/${entry.name}`;
        const known = wanted.get(key) ?? { ...entry, dnsNames: new Set<string>() };
        wanted.set(key, known);
        for (const name of hostsOf(listener)) known.dnsNames.add(name);
      }
    }
  }
  return [...wanted.keys()].sort().flatMap((key) => {
    const entry = wanted.get(key);
    return entry ? [{ ...entry, dnsNames: [...entry.dnsNames].sort() }] : [];
  });
}

function hostsOf(listener: Readonly<Record<string, unknown>>): readonly string[] {
  const hostname = listener["hostname"];
  return typeof hostname === "string" && hostname !== "" ? [hostname] : loopbackNames;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function recordsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
