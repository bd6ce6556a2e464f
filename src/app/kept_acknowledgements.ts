/** The latest answer of the data plane for each Gateway that is in the configuration, for views. */

import type { Acknowledgement } from "../dataplane/data_plane.ts";
import { type GatewayKey, gatewayKey } from "../dataplane/model.ts";
import type { PushSource } from "../gateway/data_plane_push.ts";
import { objectKey, parseObjectKey } from "../kube/object.ts";
import type { Engine } from "./engine.ts";

/** The state as the push sees it, and what passed through it. */
export interface KeptAcknowledgements {
  readonly source: PushSource;
  readonly acknowledgements: ReadonlyMap<GatewayKey, Acknowledgement>;
}

/** Keeps answers on their way to the state, and notes them as causes; one goes with its Gateway. */
export function keepAcknowledgements(
  { state, inputChanges }: Pick<Engine, "state" | "inputChanges">,
): KeptAcknowledgements {
  const acknowledgements = new Map<GatewayKey, Acknowledgement>();
  state.onCommit((changes, outputs) => {
    // Of a Gateway that is not served any more the resolved one is different, too.
    for (const key of changes.gateways) {
      const { namespace = "", name } = parseObjectKey(key);
      const gateway = gatewayKey(namespace, name);
      if (!outputs.dataPlane.gateways.has(gateway)) acknowledgements.delete(gateway);
    }
  });
  const source: PushSource = {
    get hasPublished() {
      return state.hasPublished;
    },
    get outputs() {
      return state.outputs;
    },
    onCommit: (callback) => state.onCommit(callback),
    acknowledge(answer) {
      // It may be about a Gateway that has left meanwhile.
      if (state.outputs.dataPlane.gateways.has(answer.gateway)) {
        acknowledgements.set(answer.gateway, answer);
      }
      const { revision } = state;
      const hasChanged = state.acknowledge(answer);
      const [namespace, name = ""] = answer.gateway.split("/");
      if (hasChanged) {
        inputChanges.note("Gateway", objectKey(namespace, name), "acknowledgement", revision);
      }
      return hasChanged;
    },
  };
  return { source, acknowledgements };
}
