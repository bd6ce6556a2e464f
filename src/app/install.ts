/** From the flags of `weir install` to the manifests. Pure. */

import type { InstallManifest, InstallRequest } from "../cli/context.ts";
import { enabledFeatures } from "../config/features.ts";
import { installManifests } from "../install/manifests.ts";
import { leasePlaceOf } from "./leader_names.ts";
import { permissionScope } from "./permission_scope.ts";

/** The manifests for `request`; `version` is weir's own. */
export function printedManifests(
  { settings, arguments: args, apiPort }: InstallRequest,
  version: string,
): readonly InstallManifest[] {
  const { namespace, service } = settings;
  const servesTraffic = settings.dataPlane === "embedded";
  return installManifests({
    namespace,
    createsNamespace: settings.createNamespace,
    image: settings.image,
    version,
    replicas: settings.replicas,
    controllerName: settings.controllerName,
    ...settings.gatewayClass === undefined ? { className: settings.className } : {},
    arguments: args,
    apiPort,
    trafficPorts: servesTraffic ? settings.ports : [],
    ...service === "none" ? {} : { serviceType: service },
    ...settings.metricsFrom === undefined ? {} : { metricsFrom: settings.metricsFrom },
    drainTimeoutMs: settings.drainTimeoutMs,
    scope: {
      ...permissionScope(settings),
      ...enabledFeatures(settings.features).has("leader-election")
        ? { lease: leasePlaceOf(settings, namespace) }
        : {},
    },
  });
}
