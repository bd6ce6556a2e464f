/**
 * Rules between settings, checked after every setting has its value. Pure; fills no defaults.
 *
 * A rule about settings that a command does not have does not apply to it.
 */

import { isLoopbackHost } from "./address_range.ts";
import { namesCluster } from "./cluster_flags.ts";
import { enabledFeatures, missingRequirements } from "./features.ts";
import { checkLeaderElection } from "./check_leader_election.ts";
import type { Config, FlagName } from "./flags.ts";
import { formatDuration } from "./value_type.ts";

/** A rule that does not hold; `flag` is the one to change. */
export interface SettingFault {
  readonly flag: FlagName;
  readonly message: string;
}

/** The settings of any command; `filename` is where commands that only look take manifests from. */
export type Checked = Partial<Config> & { readonly filename?: readonly string[] };

/** Every rule that does not hold for `settings`. */
export function checkSettings(settings: Checked): readonly SettingFault[] {
  return [
    ...checkRecompute(settings),
    ...checkFeatures(settings),
    ...checkManifests(settings),
    ...checkCluster(settings),
    ...checkLeaderElection(settings),
    ...checkAddresses(settings),
    ...checkApi(settings),
  ];
}

function checkRecompute({ recomputeQuietMs, recomputeMaxMs }: Partial<Config>): SettingFault[] {
  if (recomputeQuietMs === undefined || recomputeMaxMs === undefined) return [];
  if (recomputeQuietMs <= recomputeMaxMs) return [];
  const max = formatDuration(recomputeMaxMs);
  const message = `is longer than --recompute-max (${max}), wanted at most that`;
  return [{ flag: "recompute-quiet", message }];
}

function checkFeatures({ features, dataPlane }: Partial<Config>): SettingFault[] {
  if (features === undefined) return [];
  const enabled = enabledFeatures(features);
  const faults: SettingFault[] = missingRequirements(enabled)
    .map((message) => ({ flag: "features", message }));
  if (dataPlane === "embedded" && !enabled.has("proxy")) {
    const message = `"embedded" needs feature "proxy", which is off, wanted --data-plane=none`;
    faults.push({ flag: "data-plane", message });
  }
  return faults;
}

function checkManifests({ manifests, filename, devCertificates }: Checked): SettingFault[] {
  const paths = [...manifests ?? [], ...filename ?? []];
  if (!devCertificates || manifests === undefined || paths.length > 0) return [];
  const message = "is only for manifests, wanted --manifests PATH with it";
  return [{ flag: "dev-certificates", message }];
}

/** One source of objects, and settings of a cluster only where there is one. */
function checkCluster(settings: Checked): SettingFault[] {
  const { manifests = [], kubeconfig, context, inCluster, features } = settings;
  const sources: readonly (readonly [flag: FlagName, isGiven: boolean])[] = [
    ["manifests", manifests.length > 0],
    ["kubeconfig", kubeconfig !== undefined],
    ["context", context !== undefined && kubeconfig === undefined],
    ["in-cluster", inCluster === true],
  ];
  const [first, second] = sources.filter(([, isGiven]) => isGiven).map(([flag]) => flag);
  if (first !== undefined && second !== undefined) {
    return [{ flag: second, message: `cannot be given with --${first}, wanted one of the two` }];
  }
  const hasLocalApi = features !== undefined && enabledFeatures(features).has("local-api");
  if (first !== undefined && first !== "manifests" && hasLocalApi) {
    const message = `"local-api" is the API of the local cluster, wanted --manifests with it`;
    return [{ flag: "features", message }];
  }
  return first === "manifests" ? checkNoCluster(settings) : [];
}

/** Settings of a cluster that say nothing about manifests. */
function checkNoCluster(settings: Checked): SettingFault[] {
  const { namespaces, secretNamespaces, gatewayClass, without } = settings;
  const given: readonly (readonly [flag: FlagName, isGiven: boolean])[] = [
    ["namespaces", (namespaces?.length ?? 0) > 0],
    ["secret-namespaces", (secretNamespaces?.length ?? 0) > 0],
    ["gateway-class", gatewayClass !== undefined],
    ["without", (without?.length ?? 0) > 0],
  ];
  return given.filter(([, isGiven]) => isGiven).map(([flag]) => ({
    flag,
    message: "is only for a cluster, not for --manifests",
  }));
}

function checkAddresses({ gatewayAddresses }: Partial<Config>): SettingFault[] {
  if (gatewayAddresses?.length !== 0) return [];
  return [{ flag: "gateway-addresses", message: "is empty, wanted at least one address" }];
}

/** A cluster says itself who may do what; manifests have no audiences. */
function checkApi(settings: Checked): SettingFault[] {
  const { manifests = [], filename = [], apiTokens, apiAudiences = [] } = settings;
  if (apiTokens !== undefined && namesCluster(settings)) {
    const message = "is only for --manifests: a cluster says itself who may do what";
    return [{ flag: "api-tokens", message }];
  }
  if (apiAudiences.length > 0 && manifests.length + filename.length > 0) {
    return [{ flag: "api-audiences", message: "is only for a cluster, not for --manifests" }];
  }
  return [];
}

/** What works and may still surprise, as sentences that name the flag. */
export function settingWarnings(settings: Partial<Config>): readonly string[] {
  const { apiAddress, apiTokens } = settings;
  if (apiAddress === undefined || isLoopbackHost(apiAddress.host)) return [];
  if (namesCluster(settings) || apiTokens !== undefined) return [];
  return [
    "--api-address is reachable from other machines: without a cluster or --api-tokens, everything " +
    "there but /livez and /readyz is refused",
  ];
}
