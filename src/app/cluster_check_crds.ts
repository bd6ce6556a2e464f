/** Which kinds the cluster serves, in which versions, and which release their CRDs say they are of. */

import type { ClusterCheckLine } from "../cli/context.ts";
import { isKnownBundle } from "../gateway/api_bundle.ts";
import { ApiDiscovery } from "../kube/api_discovery.ts";
import { ClusterError } from "../kube/cluster_error.ts";
import { asString } from "../kube/json_value.ts";
import { type Kind, type KindInfo, kinds } from "../kube/kinds.ts";
import { readKinds } from "../kube/permissions.ts";
import type { ClusterCheckSettings, ClusterCheckSurroundings } from "./cluster_check_inputs.ts";
import { askCluster, valueAt } from "./cluster_question.ts";
import { permissionScope } from "./permission_scope.ts";

const gatewayGroup = kinds.Gateway.group;
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const metadataOnly = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
/** Without these there is nothing to serve. */
const indispensable: ReadonlySet<Kind> = new Set<Kind>(["GatewayClass", "Gateway"]);
const installAdvice = "install the CRDs of the Gateway API, such as standard-install.yaml of its " +
  "release v1.6.3";

/** What the annotations of a CRD say; https://gateway-api.sigs.k8s.io/concepts/versioning/ */
interface Release {
  readonly version: string;
  readonly channel: string;
}

/** A line for each kind, then one for the release. */
export async function checkCrds(
  settings: ClusterCheckSettings,
  surroundings: ClusterCheckSurroundings,
): Promise<readonly ClusterCheckLine[]> {
  const { transport, clock } = surroundings;
  const discovery = new ApiDiscovery(transport, clock);
  const lines: ClusterCheckLine[] = [];
  const releases: Release[] = [];
  let isReleaseKnown = settings.gatewayClass === undefined;
  for (const kind of readKinds(permissionScope(settings))) {
    const served = await servedVersion(discovery, kind, surroundings.signal);
    const isCustom = kinds[kind].group === gatewayGroup;
    // Kinds of Kubernetes itself are worth a line only when they are missing.
    if (isCustom || served instanceof ClusterError || served === undefined) {
      lines.push(kindLine(kind, served));
    }
    if (!isReleaseKnown || !isCustom || typeof served !== "string") continue;
    const release = await readRelease(kind, surroundings);
    if (release === undefined) isReleaseKnown = false;
    else releases.push(release);
  }
  if (settings.gatewayClass !== undefined) return lines;
  return [...lines, releaseLine(isReleaseKnown ? releases : undefined)];
}

async function servedVersion(
  discovery: ApiDiscovery,
  kind: Kind,
  signal: AbortSignal,
): Promise<string | undefined | ClusterError> {
  try {
    return await discovery.servedVersion(kind, signal);
  } catch (error) {
    if (error instanceof ClusterError) return error;
    throw error;
  }
}

function kindLine(kind: Kind, served: string | undefined | ClusterError): ClusterCheckLine {
  const { plural, group }: KindInfo = kinds[kind];
  const common = { check: "crd", subject: group === "" ? plural : `${plural}.${group}` } as const;
  if (served instanceof ClusterError) {
    return {
      ...common,
      result: "failed",
      message: `unknown: ${served.message}`,
      advice: "let authenticated users discover the API (ClusterRole system:discovery)",
    };
  }
  if (served !== undefined) return { ...common, result: "ok", message: served };
  return indispensable.has(kind) || group !== gatewayGroup
    ? { ...common, result: "failed", message: "not served by the cluster", advice: installAdvice }
    : {
      ...common,
      result: "warning",
      message: "not served by the cluster: the kind is empty, and read as soon as it is there",
      advice: `${installAdvice}, if the kind is wanted (some are in the experimental channel only)`,
    };
}

/** Undefined when we may not ask, or cannot. */
async function readRelease(
  kind: Kind,
  surroundings: ClusterCheckSurroundings,
): Promise<Release | undefined> {
  const { plural, group }: KindInfo = kinds[kind];
  const request = { path: `${crds}/${plural}.${group}`, accept: metadataOnly };
  const answer = await askCluster(surroundings, request);
  if (!answer.ok) return undefined;
  const annotation = (name: string): string =>
    asString(valueAt(answer.value, "metadata", "annotations", `${gatewayGroup}/${name}`)) ?? "";
  return { version: annotation("bundle-version"), channel: annotation("channel") };
}

function releaseLine(releases: readonly Release[] | undefined): ClusterCheckLine {
  const common = { check: "release", subject: "" } as const;
  if (releases === undefined) {
    return {
      ...common,
      result: "warning",
      message: "unknown: the CRDs may not be read",
      advice: "grant get on the CRDs by name, as weir install prints the roles",
    };
  }
  const versions = [...new Set(releases.map(({ version }) => version))].sort();
  const channels = [...new Set(releases.map(({ channel }) => channel))].filter(Boolean).sort();
  const names = versions.map((version) => version || "none").join(", ");
  const message = `Gateway API ${names}${channels.length > 0 ? `, ${channels.join(" and ")}` : ""}`;
  if (versions.length <= 1 && (versions.length === 0 || isKnownBundle({ versions }))) {
    return { ...common, result: "ok", message };
  }
  return {
    ...common,
    result: "warning",
    message: versions.length > 1 ? `the CRDs are of several releases: ${message}` : message,
    advice: "install all CRDs from one release between v1.0 and v1.6: weir goes on with what it " +
      "knows, and says SupportedVersion=False in the status of the GatewayClass",
  };
}
