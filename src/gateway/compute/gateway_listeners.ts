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
import { isFree, isSetValid, joinListeners } from "./joined_listeners.ts";
import { endsTls } from "./listener_tls.ts";

/** The listeners of `key` with everything but the routes. */
export function computeGatewayListeners(view: ComputeView, key: ObjectKey): GatewayListeners {
  const losses = view.portLosses(key);
  const { fault, listeners, sets } = losses.size === 0
    ? view.joinedListeners(key)
    : joinListeners(view, key, ({ id }) => losses.get(id));
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

/** Whether a listener makes its ListenerSet accepted. */
export function isValidSetListener(listener: EffectiveListener): boolean {
  return isFree(listener) && isSetValid([listener]);
}

/** Whether the Gateway takes the set, and any of its listeners is valid. */
export function isSetAccepted({ fault, listeners }: SetOf<EffectiveListener>): boolean {
  return !fault && listeners.some(isValidSetListener);
}

/** Whether a listener can show a certificate, or needs none. */
export function hasCertificate({ spec, certificates }: OwnListener): boolean {
  return !endsTls(spec) || certificates.length > 0;
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
  return {
    ...listener,
    ...(fault && { fault }),
    isServable: !fault && !listener.conflict && hasCertificate(listener),
  };
}
