/**
 * Which releases of the Gateway API the CRDs of a cluster say they are of.
 *
 * CRDs are asked for by their names and without their schemas, so that the right to get these few is
 * enough, and an answer is a kilobyte.
 */

import { ClusterError } from "./cluster_error.ts";
import type { ClusterTransport } from "./cluster_transport.ts";
import { asString, isRecord } from "./json_value.ts";
import { type KindInfo, kinds } from "./kinds.ts";

/** The group of the Gateway API. */
const gatewayGroup = "gateway.networking.k8s.io";
/** https://gateway-api.sigs.k8s.io/concepts/versioning/ */
const versionAnnotation = "gateway.networking.k8s.io/bundle-version";
const metadataOnly = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
const answerMs = 15_000;

/** The names of the CRDs that weir reads objects of. */
export const gatewayCrdNames: readonly string[] = Object.values<KindInfo>(kinds)
  .filter(({ group }) => group === gatewayGroup)
  .map(({ plural, group }) => `${plural}.${group}`);

/**
 * The releases, sorted, each once; the empty text for a CRD that names none. No release when there is
 * no CRD; undefined when we may not ask.
 *
 * @throws ClusterError when the server cannot be asked
 */
export async function readBundleVersions(
  transport: ClusterTransport,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  try {
    const found = await Promise.all(
      gatewayCrdNames.map((name) => readVersion(transport, name, signal)),
    );
    const present = found.filter((version) => version !== undefined);
    return [...new Set(present)].sort();
  } catch (error) {
    if (error instanceof ClusterError && error.kind === "forbidden") return undefined;
    throw error;
  }
}

async function readVersion(
  transport: ClusterTransport,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
  try {
    const crd = await transport.request({
      path,
      accept: metadataOnly,
      timeoutMs: answerMs,
      signal,
    });
    const metadata = isRecord(crd) && isRecord(crd.metadata) ? crd.metadata : {};
    const annotations = isRecord(metadata.annotations) ? metadata.annotations : {};
    return asString(annotations[versionAnnotation]) ?? "";
  } catch (error) {
    if (error instanceof ClusterError && error.kind === "not-found") return undefined;
    throw error;
  }
}
