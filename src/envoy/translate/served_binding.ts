/**
 * One address and port as Envoy serves it: the listeners that have what they need, and who owns which
 * hostname. Pure.
 */

import { type Binding, type GatewayRefusal, refuse } from "../../dataplane/bindings.ts";
import type { HostIndex } from "../../dataplane/host.ts";
import type {
  Certificate,
  CertificateName,
  GatewayConfig,
  Listener,
  Protocol,
} from "../../dataplane/model.ts";
import { domainOf, indexOwners } from "./virtual_hosts.ts";

/** A listener with the certificates that there are. */
export interface ServedListener {
  readonly gateway: GatewayConfig;
  readonly listener: Listener;
  /** Empty where TLS does not end. */
  readonly certificates: readonly CertificateName[];
  /** What its backends are shown; absent without one. */
  readonly clientCertificate: CertificateName | undefined;
  /** The secret with what certificates of its clients are held against; only named if there is one. */
  readonly validationSecret: string;
}

/** See the file's header. */
export interface ServedBinding {
  readonly binding: Binding;
  /** Sorted by hostname. */
  readonly listeners: readonly ServedListener[];
  readonly owners: HostIndex<Listener>;
}

/** Connections that begin with TLS are told apart by the name that they ask for. */
export function sharesPort(a: Protocol, b: Protocol): boolean {
  return a === b || (isTls(a) && isTls(b));
}

function isTls(protocol: Protocol): boolean {
  return protocol === "HTTPS" || protocol === "TLS";
}

/** `binding` without the listeners that lack all their certificates, which are refused. */
export function serveBinding(
  binding: Binding,
  certificates: ReadonlyMap<CertificateName, Certificate>,
): { readonly served: ServedBinding; readonly refusals: readonly GatewayRefusal[] } {
  const listeners: ServedListener[] = [];
  const refusals: GatewayRefusal[] = [];
  for (const { gateway, listener } of binding.listeners) {
    const found = (listener.certificates ?? []).filter((name) => certificates.has(name));
    if (listener.certificates !== undefined && found.length === 0) {
      const message = "none of the certificates of the listener is there";
      refusals.push({ gateway, refusal: refuse(listener, "InvalidCertificateRef", message) });
      continue;
    }
    const clientCertificate =
      gateway.clientCertificate && certificates.has(gateway.clientCertificate)
        ? gateway.clientCertificate
        : undefined;
    const validationSecret = `client-validation/${gateway.key}/${listener.name}`;
    listeners.push({ gateway, listener, certificates: found, clientCertificate, validationSecret });
  }
  listeners.sort((a, b) => domainOf(a.listener.hostname) < domainOf(b.listener.hostname) ? -1 : 1);
  const owners = indexOwners(listeners.map(({ listener }) => listener));
  return { served: { binding, listeners, owners }, refusals };
}

/** The route configuration of a listener: HTTP listeners of a port share one. */
export function routesName({ binding }: ServedBinding, { listener }: ServedListener): string {
  return listener.protocol === "HTTPS"
    ? `${binding.key}/${domainOf(listener.hostname)}`
    : binding.key;
}
