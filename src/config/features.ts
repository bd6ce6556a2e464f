/**
 * The parts of the process that can be left out, in one table.
 *
 * A feature that is off is not constructed, has no routes and is listed as off in readiness. Only
 * what exists stands here: a row arrives with its subsystem, and goes when its removal condition
 * holds. Nothing below the composition asks for a feature.
 */

import { didYouMean } from "../base/nearest.ts";
import { accepted, refused, type ValueType } from "./value_type.ts";

/** How much one may rely on a feature: alpha may change, beta is announced, stable stays. */
export type Stage = "alpha" | "beta" | "stable";

/** One row of the table. */
export interface Feature {
  readonly stage: Stage;
  /** The area whose maintainers decide about it. */
  readonly owner: string;
  /** The version that brought it. */
  readonly since: string;
  readonly default: boolean;
  /** Features without which it makes no sense. */
  readonly requires: readonly string[];
  /** What it switches on, for a person. */
  readonly description: string;
  /** When the switch goes, because it is always on or gone. */
  readonly removal: string;
}

/** Every feature, by its name. */
export const features = {
  gateway: {
    stage: "alpha",
    owner: "engine",
    since: "0.1.0",
    default: true,
    requires: [],
    description: "The Gateway API engine: reads objects, computes statuses and configuration",
    removal: "When every subsystem that can run without it has a command of its own",
  },
  proxy: {
    stage: "alpha",
    owner: "data plane",
    since: "0.1.0",
    default: true,
    requires: ["gateway"],
    description: "The embedded data plane: listeners, routing and TLS in this process",
    removal: "When --data-plane alone decides which data plane is built",
  },
  "leader-election": {
    stage: "alpha",
    owner: "cluster",
    since: "0.1.0",
    default: true,
    requires: [],
    description: "One of several replicas writes statuses to the cluster, by a Lease. Without a " +
      "cluster there is nothing to elect; off, every replica writes",
    removal: "When nobody runs a single replica without the right to write a Lease",
  },
  "local-api": {
    stage: "alpha",
    owner: "local cluster",
    since: "0.1.0",
    default: false,
    requires: ["gateway"],
    description: "A Kubernetes API over the local cluster, for kubectl and controllers",
    removal: "When it is on by default wherever manifests are served",
  },
  metrics: {
    stage: "alpha",
    owner: "operations",
    since: "0.1.0",
    default: true,
    requires: [],
    description: "Prometheus metrics at /metrics",
    removal: "When the cost of metrics is shown to be below one percent of a core",
  },
} as const satisfies Readonly<Record<string, Feature>>;

/** The name of a feature. */
export type FeatureName = keyof typeof features;

/** Every feature's name, in the order of the table. */
export const featureNames: readonly FeatureName[] = Object.keys(features).filter(isFeatureName);

function isFeatureName(name: string): name is FeatureName {
  return Object.hasOwn(features, name);
}

/** A wish about one feature: `+name` or `-name`. */
export interface FeatureToggle {
  readonly name: FeatureName;
  readonly on: boolean;
}

/** `+NAME` or `-NAME`. */
export const featureToggleType: ValueType<FeatureToggle> = {
  name: "feature",
  metavar: "+NAME|-NAME",
  parse(text) {
    const sign = text.charAt(0);
    const name = sign === "+" || sign === "-" ? text.slice(1) : text;
    if (!isFeatureName(name)) {
      const near = didYouMean(name, featureNames);
      const known = near === "" ? `, wanted one of ${featureNames.join(", ")}` : near;
      return refused(`is not a feature${known}`);
    }
    if (name === text) return refused(`has no sign, wanted "+${name}" or "-${name}"`);
    return accepted({ name, on: sign === "+" });
  },
  format: ({ name, on }) => `${on ? "+" : "-"}${name}`,
};

/** The features that are on: the table's defaults, then the toggles in order; the last one wins. */
export function enabledFeatures(toggles: readonly FeatureToggle[]): ReadonlySet<FeatureName> {
  const enabled = new Set(featureNames.filter((name) => features[name].default));
  for (const { name, on } of toggles) {
    if (on) enabled.add(name);
    else enabled.delete(name);
  }
  return enabled;
}

/** Each enabled feature that needs one that is off, as a sentence. */
export function missingRequirements(enabled: ReadonlySet<FeatureName>): readonly string[] {
  const problems: string[] = [];
  for (const name of enabled) {
    const { requires }: Feature = features[name];
    for (const required of requires) {
      if (isFeatureName(required) && enabled.has(required)) continue;
      problems.push(`feature "${name}" needs feature "${required}", which is off`);
    }
  }
  return problems;
}
