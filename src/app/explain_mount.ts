/** Explanations of a running process: the view of the HTTP API over the engine's outputs. */

import type { Clock } from "../base/clock.ts";
import type { Config } from "../config/flags.ts";
import { RegexCache } from "../dataplane/regex.ts";
import type { ExplainView, KindNames } from "../http/views.ts";
import { isKind, kindNames, kinds } from "../kube/kinds.ts";
import { objectKey } from "../kube/object.ts";
import { escapedSlashes } from "./escaped_slashes.ts";
import { explainObject } from "./explain_object.ts";
import { toExplanation } from "./explain_view.ts";
import type { GatewayMount } from "./gateway_mount.ts";
import type { UnreadNote } from "./unread_note.ts";
import type { ClusterObjects } from "./world.ts";

/** What explanations are made from. */
export interface ExplainViewOptions {
  readonly gateway: Pick<GatewayMount, "engine" | "acknowledgements" | "history">;
  readonly cluster: Pick<ClusterObjects, "get">;
  readonly unread: UnreadNote;
  readonly config: Pick<Config, "pathWithEscapedSlashes" | "controllerName" | "gateways">;
  readonly clock: Clock;
  /** Random per start of the process. */
  readonly epoch: string;
}

/** Makes the view. */
export function createExplainView(
  { gateway, cluster, unread, config, clock, epoch }: ExplainViewOptions,
): ExplainView {
  const { engine: { state }, acknowledgements, history } = gateway;
  const regexes = new RegexCache();
  return {
    kinds: kindNames.map((kind): KindNames => kinds[kind]),
    async status(kind, { namespace, name }) {
      if (!isKind(kind)) return { ok: false, reason: "NotFound", detail: "there is no such kind" };
      const options = { state, history, cluster, unread, settings: config, clock, epoch };
      return await explainObject(options, kind, objectKey(namespace, name));
    },
    request(question) {
      if (!state.hasPublished) return undefined;
      return toExplanation({
        config: state.outputs.dataPlane,
        acknowledgements,
        epoch,
        escapedSlashes: escapedSlashes[config.pathWithEscapedSlashes],
        regexes,
      }, question);
    },
  };
}
