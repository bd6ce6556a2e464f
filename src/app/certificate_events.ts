/** Events about certificates, told of the Gateways that show them as well. */

import type { DataPlaneConfig } from "../dataplane/model.ts";
import type { EventRecorder, GatewayEvent } from "../gateway/event_recorder.ts";
import type { State } from "../gateway/state.ts";
import { objectKey } from "../kube/object.ts";

/** Gateways that one certificate is told of. */
const gatewaysMax = 5;

/**
 * A recorder that tells of a Gateway what is told of the Secret of its certificate: who looks at a
 * Gateway does not look at its Secrets.
 */
export function tellGateways(recorder: EventRecorder, state: State): EventRecorder {
  return {
    record(event) {
      recorder.record(event);
      const { kind, namespace = "", name } = event.regarding;
      if (kind !== "Secret") return;
      for (const gateway of gatewaysOf(state.outputs.dataPlane, `${namespace}/${name}`)) {
        const note = `Secret "${namespace}/${name}": ${event.note}`;
        recorder.record({ ...event, regarding: regardingOf(gateway, state), note });
      }
    },
  };
}

function gatewaysOf({ gateways }: DataPlaneConfig, certificate: string): readonly string[] {
  const users: string[] = [];
  for (const { key, listeners, clientCertificate } of gateways.values()) {
    const isUser = clientCertificate === certificate ||
      listeners.some(({ certificates }) =>
        (certificates ?? []).some((name) => name === certificate)
      );
    if (isUser) users.push(key);
    if (users.length >= gatewaysMax) break;
  }
  return users;
}

function regardingOf(gateway: string, { inputs }: State): GatewayEvent["regarding"] {
  const [namespace = "", name = ""] = gateway.split("/");
  const uid = inputs.get("Gateway", objectKey(namespace, name))?.metadata.uid;
  return { kind: "Gateway", namespace, name, ...uid === undefined ? {} : { uid } };
}
