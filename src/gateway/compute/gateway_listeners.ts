/** Effective listeners of a Gateway: joined with its sets, and what older Gateways left of the ports. */

import type { ObjectKey } from "../../kube/object.ts";
import type {
  ComputeView,
  EffectiveListener,
  GatewayListeners,
  OwnListener,
  PortLosses,
  SetOf,
} from "./compute_view.ts";
import { endsTls } from "./listener_tls.ts";

/** The listeners of `key` with everything but the routes. */
export function computeGatewayListeners(view: ComputeView, key: ObjectKey): GatewayListeners {
  const { fault, listeners, sets } = view.joinedListeners(key);
  const losses = view.portLosses(key);
  return {
    ...(fault && { fault }),
    listeners: listeners.map((listener) => finishListener(listener, losses, true)),
    sets: sets.map((set) => {
      const finished = set.listeners.map((listener) => finishListener(listener, losses, false));
      return {
        ...set,
        listeners: isSetAccepted({ ...set, listeners: finished })
          ? finished
          : finished.map((listener) => ({ ...listener, isServable: false })),
      };
    }),
  };
}

/**
 * Whether a listener makes its ListenerSet accepted: one whose references do not resolve is not
 * enough, unlike in a Gateway.
 */
export function isValidSetListener({ fault, conflict, unresolved }: EffectiveListener): boolean {
  return !fault && !conflict && !unresolved;
}

/** Whether the Gateway takes the set, and any of its listeners is valid. */
export function isSetAccepted({ fault, listeners }: SetOf<EffectiveListener>): boolean {
  return !fault && listeners.some(isValidSetListener);
}

/** All listeners of a Gateway and of the sets that it takes, in the order of precedence. */
export function* allListeners(
  { listeners, sets }: GatewayListeners,
): Generator<EffectiveListener> {
  yield* listeners;
  for (const set of sets) if (!set.fault) yield* set.listeners;
}

function finishListener(
  listener: OwnListener,
  losses: PortLosses,
  isOwn: boolean,
): EffectiveListener {
  const loss = losses.get(listener.id);
  // Who may name a port in a set need not know whose Gateway has it.
  const told = loss && !isOwn ? { ...loss, message: `Port ${listener.spec.port} is taken` } : loss;
  const fault = listener.fault ?? told;
  const hasCertificate = !endsTls(listener.spec) || listener.certificates.length > 0;
  return {
    ...listener,
    ...(fault && { fault }),
    isServable: !fault && !listener.conflict && hasCertificate,
  };
}
