/**
 * Reads the files of descriptions that `scripts/make_schemas.ts` and its sibling for Kubernetes wrote.
 *
 * Whoever imports this module has the whole text in memory; import it when it is needed.
 */

import gatewayApiText from "../schema/gateway_api_descriptions.json" with { type: "text" };
import kubernetesText from "../schema/kubernetes_descriptions.json" with { type: "text" };

/** The index of a text (-1: none), and the fields below by name. */
export type DescriptionEntry =
  | number
  | readonly [number, Readonly<Record<string, DescriptionEntry>>];

/** The descriptions of all kinds; each distinct text once. */
export interface DescriptionFile {
  readonly texts: readonly string[];
  readonly kinds: Readonly<Record<string, DescriptionEntry>>;
}

/** What both files say. */
export interface Descriptions {
  /** By kind. */
  readonly gatewayApi: DescriptionFile;
  /** By `apiVersion/kind`. */
  readonly kubernetes: DescriptionFile;
}

/** The files. Their form is trusted, as they are part of the program. */
export function decodeDescriptions(): Descriptions {
  return {
    gatewayApi: JSON.parse(gatewayApiText) as DescriptionFile,
    kubernetes: JSON.parse(kubernetesText) as DescriptionFile,
  };
}
