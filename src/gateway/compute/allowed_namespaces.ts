/** Which namespaces a Gateway or listener takes others from (RouteNamespaces, ListenerNamespaces). */

import type { LabelSelector } from "../../kube/decode/gateway.ts";
import { objectKey } from "../../kube/object.ts";
import type { InputReader } from "../input_reader.ts";
import { namespaceSlices } from "../kinds/namespace.ts";
import { describeSelectorFault, selectorMatches } from "./label_selector.ts";

/**
 * What to add to the words that refuse `namespace` when one of `allowed` selects by labels and weir
 * does not know those of the namespace: it may not read namespaces, or was told not to.
 */
export function unknownLabels(
  reader: InputReader,
  allowed: readonly { readonly from: string }[],
  namespace: string,
): string {
  const isUnknown = allowed.some(({ from }) => from === "Selector") &&
    reader.read(namespaceSlices.labels, objectKey(undefined, namespace)) === undefined;
  return isUnknown ? "; its labels are not known, so that no selector matches" : "";
}

/** Whether `namespace` is allowed by an object in `ownNamespace`. An unknown namespace is not selected. */
export function allowsNamespace(
  reader: InputReader,
  { from, selector }: { readonly from: string; readonly selector?: LabelSelector },
  ownNamespace: string,
  namespace: string,
): boolean {
  switch (from) {
    case "All":
      return true;
    case "Same":
      return ownNamespace === namespace;
    case "Selector": {
      const labels = reader.read(namespaceSlices.labels, objectKey(undefined, namespace));
      return labels !== undefined && selector !== undefined &&
        describeSelectorFault(selector) === undefined && selectorMatches(selector, labels);
    }
    default:
      return false;
  }
}
