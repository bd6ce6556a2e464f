/**
 * What `weir translate` prints: statuses and configuration computed from manifests.
 *
 * Statuses have exactly the shape of the API, without times. No part has a place for the value of a
 * Secret.
 */

/** Where something in a manifest is wrong, for a person. */
export interface InputProblem {
  /** `FILE:LINE`, the file relative to the folder that was given; `-` for standard input. */
  readonly source: string;
  /** `Kind namespace/name` as far as known, else the empty string. */
  readonly object: string;
  /** A field path in the API server's form, else the empty string. */
  readonly field: string;
  readonly message: string;
}

/** The status that one object would get. */
export interface TranslatedStatus {
  readonly apiVersion: string;
  readonly kind: string;
  /** No namespace for a cluster-scoped object. */
  readonly metadata: { readonly namespace?: string; readonly name: string };
  readonly status: Readonly<Record<string, unknown>>;
}

/** One Gateway as it would be served. */
export interface TranslatedGateway {
  readonly namespace: string;
  readonly name: string;
  readonly addresses: readonly string[];
  readonly listeners: readonly Readonly<Record<string, unknown>>[];
}

/** Something that is valid and probably not meant; codes: see the table of diagnostics. */
export interface TranslatedDiagnostic {
  readonly code: string;
  /** `Kind namespace/name`. */
  readonly object: string;
  /** The part of the object, or the empty string. */
  readonly part: string;
  readonly message: string;
}

/** An object, or a part of it, that nothing serves because what it names is not there. */
export interface UnservedPart {
  /** `Kind namespace/name`; the empty string for a setting. */
  readonly object: string;
  /** `parent namespace/name` of a route; else the empty string. */
  readonly part: string;
  readonly message: string;
}

/**
 * What an Envoy would be given, by type of resource and in the order of names: Envoy's messages as
 * canonical proto-JSON. Without private keys.
 */
export interface TranslatedEnvoy {
  readonly listeners: readonly EnvoyMessage[];
  readonly routes: readonly EnvoyMessage[];
  readonly clusters: readonly EnvoyMessage[];
  readonly endpoints: readonly EnvoyMessage[];
  readonly secrets: readonly EnvoyMessage[];
  /** Listeners that it would not be given, and why. */
  readonly refusals: readonly { readonly object: string; readonly message: string }[];
}

/** One message. */
export type EnvoyMessage = Readonly<Record<string, unknown>>;

/** The whole answer. */
export interface TranslateResult {
  /** Of the inputs that it was computed from; the same for the same inputs. */
  readonly revision: number;
  readonly statuses: readonly TranslatedStatus[];
  readonly gateways: readonly TranslatedGateway[];
  /** The data plane's configuration besides the listeners: clusters, certificates by name. */
  readonly proxy: Readonly<Record<string, unknown>>;
  /** What is valid and gets no status, for want of a GatewayClass or Gateway. */
  readonly unserved: readonly UnservedPart[];
  readonly problems: readonly InputProblem[];
  /** Sorted; for people. Some depend on the time, so `-o json` does not print them. */
  readonly diagnostics: readonly TranslatedDiagnostic[];
  /** Where it was asked for. */
  readonly envoy?: TranslatedEnvoy;
}
