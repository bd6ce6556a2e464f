/**
 * The manifests of an installation, in the order in which they are applied. Pure: equal options, equal
 * manifests.
 */

import type { InstallOptions, Manifest } from "./install_options.ts";
import { commonLabels, metadataOf, workloadName } from "./naming.ts";
import { networkManifests } from "./network.ts";
import { roleManifests } from "./rbac.ts";
import { workloadManifests } from "./workload.ts";

/** All of them. */
export function installManifests(options: InstallOptions): readonly Manifest[] {
  return [
    ...options.createsNamespace ? [namespaceManifest(options)] : [],
    {
      comment: "Who weir is to the API server. Only pods that ask for it get its token.",
      object: {
        apiVersion: "v1",
        kind: "ServiceAccount",
        metadata: metadataOf(options, workloadName, options.namespace),
        automountServiceAccountToken: false,
      },
    },
    ...roleManifests(options),
    ...networkManifests(options),
    ...workloadManifests(options),
    ...classManifest(options),
  ];
}

function namespaceManifest(options: InstallOptions): Manifest {
  const metadata = metadataOf(options, options.namespace);
  return {
    comment: "Where weir runs. Nothing with more rights than weir needs can be started in it.",
    object: {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: {
        ...metadata,
        labels: {
          ...commonLabels(options),
          "pod-security.kubernetes.io/enforce": "restricted",
          "pod-security.kubernetes.io/enforce-version": "latest",
        },
      },
    },
  };
}

function classManifest(options: InstallOptions): Manifest[] {
  const { className, controllerName } = options;
  if (className === undefined) return [];
  return [{
    comment: "What Gateways name to be served by weir (spec.gatewayClassName).",
    object: {
      apiVersion: "gateway.networking.k8s.io/v1",
      kind: "GatewayClass",
      metadata: metadataOf(options, className),
      spec: { controllerName, description: "Served by weir" },
    },
  }];
}
