/** What a certificate says of itself, for those who tell of it; a data plane does not need it. */

/** The first certificate of a chain. Public: it is shown to every client. */
export interface CertificateLeaf {
  /** Lower case, in the order of the certificate. */
  readonly dnsNames: readonly string[];
  /** RFC 3339. */
  readonly notBefore: string;
  /** RFC 3339. */
  readonly notAfter: string;
}
