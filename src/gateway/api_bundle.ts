/**
 * Which release of the Gateway API is installed: what its CRDs say of themselves.
 *
 * Everything of the releases below is known. Of another one fields may be unknown here or mean
 * something else; weir goes on with what it knows and says so (GatewayClass, SupportedVersion).
 */

/** The releases that the installed CRDs name; empty text for a CRD that names none. */
export interface ApiBundle {
  /** Sorted, each once: `v1.6.3`. More than one: the CRDs are not of one release. */
  readonly versions: readonly string[];
}

/** The minor versions of v1 that are known whole. */
const knownMinors = { first: 0, last: 6 } as const;

/** Whether all of `bundle` is of releases that are known. */
export function isKnownBundle({ versions }: ApiBundle): boolean {
  return versions.length > 0 && versions.every(isKnownVersion);
}

function isKnownVersion(version: string): boolean {
  const minor = /^v1\.(\d{1,3})\.\d{1,3}(?:-[\w.]+)?$/.exec(version)?.[1];
  return minor !== undefined && Number(minor) >= knownMinors.first &&
    Number(minor) <= knownMinors.last;
}
