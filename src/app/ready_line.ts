/** The one line that says that the process serves; scripts wait for it. Pure. */

/** What the line tells. */
export interface ReadyFacts {
  /** Where the HTTP API answers. */
  readonly api: URL;
  /** Where the Kubernetes API answers; undefined when it is not served. */
  readonly kube: URL | undefined;
  /** The revision that is in service. */
  readonly revision: number;
}

/** `ready api=URL kube=URL|- revision=N` with a line break; URLs have no final slash. */
export function formatReadyLine({ api, kube, revision }: ReadyFacts): string {
  return `ready api=${api.origin} kube=${kube?.origin ?? "-"} revision=${revision}\n`;
}
