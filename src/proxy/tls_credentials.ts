/**
 * Certificates made ready for handshakes, and which of a listener's certificates answers a name.
 *
 * Each certificate is parsed once for each identity. A connection keeps what it was opened with;
 * a changed certificate is seen by the next handshake. Keys never leave this file but to the runtime.
 */

import { createPrivateKey, X509Certificate } from "node:crypto";
import tls from "node:tls";
import type { Certificate } from "../dataplane/model.ts";

/** A certificate that can be presented. */
export interface Credential {
  readonly context: tls.SecureContext;
  /** Whether the certificate is for this host name. */
  covers(serverName: string): boolean;
}

/** Credentials by certificate, and why one cannot be used. */
export class CredentialStore {
  readonly #credentials = new WeakMap<Certificate, Credential | { readonly error: string }>();

  /** The credential of `certificate`, or what is wrong with it. */
  get(certificate: Certificate): Credential | { readonly error: string } {
    let credential = this.#credentials.get(certificate);
    if (credential === undefined) {
      credential = createCredential(certificate);
      this.#credentials.set(certificate, credential);
    }
    return credential;
  }
}

/** The first credential that covers the name, else the first. */
export function chooseCredential(
  credentials: readonly Credential[],
  serverName: string,
): Credential | undefined {
  if (credentials.length > 1) {
    const covering = credentials.find((credential) => credential.covers(serverName));
    if (covering !== undefined) return covering;
  }
  return credentials[0];
}

/**
 * The runtime's own checks are not enough here: it takes any text for a secure context, and its
 * `checkHost` knows no wildcards.
 */
function createCredential(certificate: Certificate): Credential | { readonly error: string } {
  const options = { cert: certificate.certificateChain, key: certificate.privateKey };
  try {
    const leaf = new X509Certificate(options.cert);
    if (!leaf.checkPrivateKey(createPrivateKey(options.key))) {
      return { error: "the private key does not belong to the certificate" };
    }
    const names = dnsNames(leaf.subjectAltName ?? "");
    return {
      context: tls.createSecureContext(options),
      covers: (serverName) => names.some((name) => coversName(name, serverName)),
    };
  } catch {
    // The library's message may quote its input, which is a key: it must not get into a status.
    return { error: "the certificate or its private key cannot be read" };
  }
}

function dnsNames(subjectAltName: string): string[] {
  return subjectAltName.split(", ").filter((name) => name.startsWith("DNS:"))
    .map((name) => name.slice("DNS:".length).toLowerCase());
}

/** A wildcard in a certificate stands for exactly one label (RFC 6125, section 6.4.3). */
function coversName(name: string, serverName: string): boolean {
  if (!name.startsWith("*.")) return name === serverName;
  const dot = serverName.indexOf(".");
  return dot > 0 && serverName.slice(dot) === name.slice(1);
}
