/**
 * The engine and what feeds it, built from settings: shared by `weir serve` and `weir translate`.
 */

import type { Clock } from "../base/clock.ts";
import type { Config } from "../config/flags.ts";
import { RegexCache } from "../dataplane/regex.ts";
import { PoolAddressProvider } from "../gateway/address_provider.ts";
import { AddressPool } from "../gateway/address_pool.ts";
import type { EngineMetrics } from "../gateway/engine_metrics.ts";
import { Feed, type InputProblem, type ObjectSource, slimCacheOf } from "../gateway/feed.ts";
import { InputChanges } from "../gateway/input_changes.ts";
import { State } from "../gateway/state.ts";
import { type KubeObject, type ObjectKey, objectKey } from "../kube/object.ts";
import { type Kind, kindNames } from "../kube/kinds.ts";
import { capabilitiesOf } from "./data_plane_capabilities.ts";

/** The settings that decide what is computed. */
export type EngineSettings = Pick<
  Config,
  | "controllerName"
  | "gateways"
  | "gatewayAddresses"
  | "publishService"
  | "dataPlane"
  | "allowExternalName"
>;

/** How an engine is built. */
export interface EngineOptions {
  readonly settings: EngineSettings;
  readonly source: ObjectSource;
  readonly clock: Clock;
  readonly metrics?: EngineMetrics;
  readonly quietMs?: number;
  readonly delayMaxMs?: number;
  readonly onProblem?: (problem: InputProblem) => void;
  /** Called with what a sample of check mode found to be wrong; absent: no samples. */
  readonly onDifference?: (difference: string) => void;
  /** Sees every object before the engine does. */
  readonly observe?: (kind: Kind, object: KubeObject) => void;
}

/** The state with its one feed. Nothing runs yet. */
export interface Engine {
  readonly state: State;
  /** The inputs that changed since the last commit. */
  readonly inputChanges: InputChanges;
  readonly feed: Feed;
}

/** Builds an engine over `source`. */
export function createEngine(options: EngineOptions): Engine {
  const { settings, source, clock, metrics, quietMs, delayMaxMs, onProblem, observe } = options;
  const { onDifference } = options;
  const addresses = new PoolAddressProvider(new AddressPool(settings.gatewayAddresses));
  const state = new State({
    clock,
    filter: {
      controllerName: settings.controllerName,
      ...(settings.gateways.length > 0 ? { gateways: gatewayFilter(settings.gateways) } : {}),
    },
    dataPlane: capabilitiesOf(settings),
    regexes: new RegexCache(),
    ...(settings.publishService === undefined
      ? {}
      : { publishService: keyOfName(settings.publishService) }),
    slimCache: slimCacheOf(source),
    addresses,
    ...(metrics ? { metrics } : {}),
    ...(quietMs === undefined ? {} : { quietMs }),
    ...(delayMaxMs === undefined ? {} : { delayMaxMs }),
    ...(onDifference ? { check: "sample", onDifference } : {}),
  });
  source.onApiBundle?.((bundle) => void state.setApiBundle(bundle));
  const inputChanges = new InputChanges(state);
  const feed = new Feed({
    source,
    target: inputChanges.target,
    kinds: kindNames,
    clock,
    observe: (kind, object) => {
      if (kind === "Gateway") addresses.observe(object);
      observe?.(kind, object);
    },
    ...(onProblem ? { onProblem } : {}),
  });
  return { state, feed, inputChanges };
}

/** @param names `NAMESPACE/NAME` of each, checked by the configuration */
function gatewayFilter(names: readonly string[]): ReadonlySet<ObjectKey> {
  return new Set(names.map(keyOfName));
}

function keyOfName(text: string): ObjectKey {
  const [namespace = "", name = ""] = text.split("/");
  return objectKey(namespace, name);
}
