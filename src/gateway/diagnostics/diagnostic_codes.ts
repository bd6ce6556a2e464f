/**
 * The diagnostics: what is valid, has a status without a complaint, and still surprises people.
 *
 * Codes are stable words for programs. The conditions of the API say what does not work; these say
 * what works as written and is probably not meant.
 */

/** What one code means and what to do about it, in sentences without a final period. */
export interface DiagnosticMeaning {
  readonly meaning: string;
  readonly advice: string;
}

/** Every code, sorted; docs/diagnostics.md is printed from it. */
export const diagnosticMeanings = {
  BackendWithoutEndpoint: {
    meaning:
      "A Service port that a served route leads to has no ready endpoint; its share of the " +
      "traffic is answered 503",
    advice: "Look at the EndpointSlices of the Service, or at its annotation weir.dev/endpoints",
  },
  CertificateExpired: {
    meaning: "A certificate that is shown has expired; whoever checks it refuses it",
    advice: "Renew the certificate in the Secret",
  },
  CertificateExpiresSoon: {
    meaning:
      "A certificate that is shown expires within 30 days, or what --certificate-warning-days " +
      "says, and is in the last quarter of its life",
    advice: "Renew the certificate in the Secret, and look at why it was not renewed by itself",
  },
  CertificateNameMismatch: {
    meaning:
      "No certificate of a listener is for the listener's hostname; clients that check names " +
      "refuse it",
    advice: "Use a certificate with the hostname among its DNS names, or correct the hostname",
  },
  FilterOrder: {
    meaning:
      "Filters of one rule meet in a way that is easily misread: one has no effect, one undoes " +
      "another because of the order in which they are applied, or one waits for requests that the " +
      "rule does not match",
    advice: "Say it in one filter, or leave out the one that has no effect",
  },
  HostnameNotServed: {
    meaning: "A hostname of a route meets no listener of its parents, although others do",
    advice: "Add a listener for it, correct it, or leave it out",
  },
  ListenerUnused: {
    meaning: "A listener is accepted and no route is attached to it; its requests are answered 404",
    advice: "Attach a route, or leave the listener out; look at sectionName and allowedRoutes",
  },
  RouteShadowed: {
    meaning: "Every rule of a route is shadowed: requests that match go elsewhere, always",
    advice: "Look at the winner that is named; age decides between equal matches, then the name",
  },
  RuleShadowed: {
    meaning:
      "A rule is shadowed: another one with the same match comes first, or a listener with a " +
      "more specific hostname takes all requests for its hostnames",
    advice: "Change the match, or leave the rule out",
  },
  WeightSumZero: {
    meaning: "The weights of a rule's backends add up to zero; its requests are answered 500",
    advice: "Give a backend a weight, or leave the rule out",
  },
} as const satisfies Readonly<Record<string, DiagnosticMeaning>>;

/** One of the codes. */
export type DiagnosticCode = keyof typeof diagnosticMeanings;

/** Every code, sorted. */
export const diagnosticCodes: readonly DiagnosticCode[] = Object.keys(diagnosticMeanings)
  .filter(isDiagnosticCode);

function isDiagnosticCode(text: string): text is DiagnosticCode {
  return Object.hasOwn(diagnosticMeanings, text);
}

/** Something that is valid and probably not meant. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** `listener http`, `rule 2`; the empty string for the object as a whole. */
  readonly part: string;
  /** One sentence for a person; never a value of a Secret. */
  readonly message: string;
}
