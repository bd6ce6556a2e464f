/** `weir translate`: what is computed from manifests or a cluster, in the shapes of the API. */

import type { TranslatedStatus, TranslateResult } from "../api/translate.ts";
import { systemClock } from "../base/clock.ts";
import type { TranslateRequest } from "../cli/context.ts";
import { diagnose } from "../gateway/diagnostics/diagnose.ts";
import { statusKinds } from "../gateway/outputs.ts";
import type { DesiredStatus } from "../kube/desired_status.ts";
import { apiVersionOf, kinds } from "../kube/kinds.ts";
import { parseObjectKey } from "../kube/object.ts";
import { renderStatus } from "../kube/render_status.ts";
import { type ComputedWorld, computeWorld, openWorld } from "./compute_world.ts";
import { showDiagnostic } from "./diagnostics_view.ts";
import type { OnceWorld } from "./once_world.ts";
import type { ReadCluster } from "./read_cluster_once.ts";
import { renderDataPlane } from "./render_data_plane.ts";
import { findUnserved } from "./unserved.ts";

/**
 * Computes what would be served from the inputs of `request`.
 *
 * Rejects with an Error that names it when an input cannot be read at all; anything wrong inside the
 * inputs is among the problems of the result.
 */
export async function translateManifests(
  request: TranslateRequest,
  readCluster?: ReadCluster,
): Promise<TranslateResult> {
  const { world, settings } = await openWorld(request, request.settings, readCluster);
  return await translateWorld(world, settings, request.showsEnvoy);
}

/**
 * Loads `world` and computes what would be served from it; the world is used up. `showsEnvoy`: the
 * resources of Envoy too.
 */
export async function translateWorld(
  world: OnceWorld,
  settings: TranslateRequest["settings"],
  showsEnvoy: TranslateRequest["showsEnvoy"] = false,
): Promise<TranslateResult> {
  const computed = await computeWorld(world, settings);
  const { inputs, outputs } = computed;
  const diagnostics = diagnose(inputs, outputs, {
    nowMs: systemClock.now(),
    warningDays: settings.certificateWarningDays,
  }).map(showDiagnostic);
  const unserved = findUnserved(world.objects, settings);
  const result = { ...toResult(computed), unserved, diagnostics };
  if (!showsEnvoy) return result;
  const { renderEnvoy } = await import("./render_envoy.ts");
  return { ...result, envoy: await renderEnvoy(outputs.dataPlane) };
}

function toResult(
  { outputs, problems }: ComputedWorld,
): Omit<TranslateResult, "unserved" | "diagnostics"> {
  const { gateways, clusters } = renderDataPlane(outputs.dataPlane);
  const served = new Map(
    gateways.map((gateway) => [`${gateway.namespace}/${gateway.name}`, gateway]),
  );
  return {
    revision: outputs.revision,
    statuses: statusKinds.flatMap((kind) => [...outputs.statuses[kind].values()].map(toStatus)),
    gateways: [...outputs.gateways.entries()].map(([key, { namespace, name, addresses }]) => ({
      namespace,
      name,
      addresses,
      listeners: served.get(key)?.listeners.map((listener) => ({ ...listener })) ?? [],
    })),
    proxy: { gateways, clusters },
    problems,
  };
}

function toStatus(desired: DesiredStatus): TranslatedStatus {
  const { namespace, name } = parseObjectKey(desired.key);
  return {
    apiVersion: apiVersionOf(kinds[desired.kind]),
    kind: desired.kind,
    metadata: { ...(namespace === undefined ? {} : { namespace }), name },
    status: renderStatus(desired),
  };
}
