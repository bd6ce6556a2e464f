/**
 * A certificate authority that lives as long as the process: for laptops and tests, never for
 * production.
 *
 * The authority's key never leaves this object. Libraries are loaded by the first use, because
 * issuing costs some 20 MB that a process without development certificates should not pay.
 */

import type { JsonGeneralName } from "@peculiar/x509";
import type { Clock } from "../base/clock.ts";

/** A leaf certificate with its chain and key, PEM. */
export interface IssuedCertificate {
  /** Leaf first, then the authority. */
  readonly certificateChain: string;
  /** PKCS #8. */
  readonly privateKey: string;
  /** When it should be replaced: two thirds of its life. Milliseconds since the epoch. */
  readonly renewAtMs: number;
}

const dayMs = 24 * 60 * 60 * 1000;
const lifetimeMs = 30 * dayMs;
/** Certificates are valid a little before they are made: clocks of clients differ. */
const backdateMs = 5 * 60 * 1000;

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

type X509 = typeof import("@peculiar/x509");

/** See the file's header for the promises. */
export class DevelopmentCa {
  readonly #clock: Clock;
  #authority: Promise<Authority> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The authority's certificate, PEM: what a client has to trust. */
  async certificate(): Promise<string> {
    const { certificate } = await this.#open();
    return certificate.toString("pem");
  }

  /**
   * Issues a server certificate for `dnsNames` (at least one; wildcards as `*.example.com`).
   *
   * @param forMs how long it is valid; at most as long as the authority, 300 days
   */
  async issue(dnsNames: readonly string[], forMs: number = lifetimeMs): Promise<IssuedCertificate> {
    const { x509, certificate, keys: authorityKeys } = await this.#open();
    const keys = await generateKeys();
    const now = this.#clock.now();
    const leaf = await x509.X509CertificateGenerator.create({
      serialNumber: newSerialNumber(),
      subject: `CN=${commonName(dnsNames)}`,
      issuer: certificate.subject,
      notBefore: new Date(now - backdateMs),
      notAfter: new Date(now + forMs),
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey,
      signingKey: authorityKeys.privateKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(dnsNames.map(toGeneralName)),
      ],
    });
    return {
      certificateChain: `${leaf.toString("pem")}\n${certificate.toString("pem")}\n`,
      privateKey: await exportPrivateKey(x509, keys.privateKey),
      renewAtMs: now + (forMs * 2) / 3,
    };
  }

  #open(): Promise<Authority> {
    return this.#authority ??= createAuthority(this.#clock.now());
  }
}

interface Authority {
  readonly x509: X509;
  readonly certificate: InstanceType<X509["X509Certificate"]>;
  readonly keys: CryptoKeyPair;
}

async function createAuthority(nowMs: number): Promise<Authority> {
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerialNumber(),
    name: "CN=weir development CA",
    notBefore: new Date(nowMs - backdateMs),
    notAfter: new Date(nowMs + 10 * lifetimeMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
    ],
  });
  return { x509, certificate, keys };
}

function generateKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}

async function exportPrivateKey(x509: X509, key: CryptoKey): Promise<string> {
  const pkcs8 = await crypto.subtle.exportKey("pkcs8", key);
  return `${x509.PemConverter.encode(pkcs8, "PRIVATE KEY")}\n`;
}

/** 16 random bytes as hex, positive as RFC 5280 asks. */
function newSerialNumber(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return bytes.toHex().replace(/^./, "4");
}

/** A common name holds at most 64 characters; clients look at the alternative names anyway. */
function commonName(dnsNames: readonly string[]): string {
  return dnsNames.find((name) => name.length <= 64) ?? "weir development certificate";
}

function toGeneralName(name: string): JsonGeneralName {
  return { type: isIpAddress(name) ? "ip" : "dns", value: name };
}

function isIpAddress(name: string): boolean {
  return /^[0-9.]+$/.test(name) || name.includes(":");
}
