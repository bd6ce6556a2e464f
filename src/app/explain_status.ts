/** `weir explain KIND NAME`: an explanation over the world that manifests make, or a cluster has. */

import { systemClock } from "../base/clock.ts";
import type { ExplainStatusRequest, ExplainStatusResult } from "../cli/context.ts";
import { findKind } from "../http/object_path.ts";
import type { ObjectName } from "../http/views.ts";
import { isKind, type Kind, kindNames, kinds } from "../kube/kinds.ts";
import { objectKey } from "../kube/object.ts";
import { askRunningStatus } from "./ask_running.ts";
import { computeWorld, openWorld } from "./compute_world.ts";
import { openRunningApi } from "./running_api.ts";
import { explainObject } from "./explain_object.ts";
import type { ReadCluster } from "./read_cluster_once.ts";
import type { World } from "./world.ts";

/**
 * Says why the status of the object that is asked about is what it is, or asks a running weir.
 *
 * Rejects with an Error that names it when there is no such kind or object, an input cannot be read,
 * or nobody answers.
 */
export async function explainStatus(
  request: ExplainStatusRequest,
  readCluster?: ReadCluster,
): Promise<ExplainStatusResult> {
  const { kind, name } = findObject(request);
  const running = await openRunningApi(request);
  if (running) {
    return { explanation: await askRunningStatus(running, kinds[kind].plural, name), problems: [] };
  }
  const { world, settings } = await openWorld(request, request.settings, readCluster);
  const { state, history, problems } = await computeWorld(world, settings);
  const options = {
    state,
    history,
    cluster: world.objects,
    unread: world.unread,
    settings,
    clock: systemClock,
  };
  const key = objectKey(name.namespace, name.name);
  const found = await explainObject({ ...options, epoch: "0" }, kind, key);
  if (found.ok) return { explanation: found.explanation, problems };
  const hint = found.reason === "NotFound" ? elsewhere(world, kind, name) : "";
  throw new Error(`Explain ${kind} "${key}": ${found.detail}${hint}`);
}

/** The first object of this name in another namespace, as the answer to a forgotten one. */
function elsewhere({ objects }: Pick<World, "objects">, kind: Kind, wanted: ObjectName): string {
  const other = objects.list(kind).items.find(({ metadata }) => metadata.name === wanted.name);
  if (other?.metadata.namespace === undefined) return "";
  return `, did you mean "${other.metadata.namespace}/${wanted.name}"?`;
}

/** @throws Error when there is no such kind, or its objects are named otherwise */
function findObject(
  { object, namespace }: Pick<ExplainStatusRequest, "object" | "namespace">,
): { readonly kind: Kind; readonly name: ObjectName } {
  const { kind, namespaced } = findKind(kindNames.map((known) => kinds[known]), object.kind);
  if (!isKind(kind)) throw new Error(`Find kind: "${kind}" is not known`);
  if (namespaced) {
    return { kind, name: { namespace: object.namespace ?? namespace, name: object.name } };
  }
  if (object.namespace === undefined) return { kind, name: { name: object.name } };
  throw new Error(`Find object: ${kind} has no namespaces, wanted ${kind} ${object.name}`);
}
