/**
 * Names and labels of an installation. Two installations in one cluster never share an object: what has
 * no namespace of its own carries the namespace of the workload in its name.
 */

import type { InstallOptions, ManifestObject } from "./install_options.ts";

/** The name of what stands in the workload's own namespace. */
export const workloadName = "weir";

/** The name of roles and bindings outside of it. Unique for an installation. */
export function grantName({ namespace }: Pick<InstallOptions, "namespace">): string {
  return `weir:${namespace}`;
}

/** What pods are selected by: it never changes, as a selector cannot. */
export function selectorLabels(
  { namespace }: Pick<InstallOptions, "namespace">,
): Readonly<Record<string, string>> {
  return { "app.kubernetes.io/name": "weir", "app.kubernetes.io/instance": namespace };
}

/** https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/ */
export function commonLabels(
  options: Pick<InstallOptions, "namespace" | "version">,
): Readonly<Record<string, string>> {
  return {
    ...selectorLabels(options),
    "app.kubernetes.io/component": "gateway-controller",
    "app.kubernetes.io/managed-by": "weir-install",
    "app.kubernetes.io/part-of": "weir",
    "app.kubernetes.io/version": options.version,
  };
}

/** The metadata of an object; without `namespace` it has none. */
export function metadataOf(
  options: InstallOptions,
  name: string,
  namespace?: string,
): ManifestObject["metadata"] {
  return {
    name,
    ...namespace === undefined ? {} : { namespace },
    labels: commonLabels(options),
  };
}
