/** Names of the leader election: of the Lease, and of this replica in it. Pure. */

import { fingerprint } from "../base/fingerprint.ts";
import type { Config } from "../config/flags.ts";
import type { LeasePlace } from "../kube/lease_record.ts";

/** The settings that say what a replica serves. */
export type ServedScope = Pick<
  Config,
  "controllerName" | "gateways" | "gatewayClass" | "namespaces"
>;

/** UTF-16 units of a name that the API takes as a Lease's; some are left for the fingerprint. */
const leaseNameMax = 253;
const fingerprintLength = 8;
/** UTF-16 units of an identity: also the reporting instance of Events, which takes 128. */
const identityMax = 128;

/**
 * The name of the Lease that all replicas with this scope share, and none with another: two sets of
 * replicas that serve other Gateways must not wait for each other.
 */
export function leaseNameOf(served: ServedScope): string {
  const { controllerName, gateways, gatewayClass, namespaces } = served;
  const slug = controllerName.toLowerCase().replaceAll(/[^a-z0-9.]+/g, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "").replaceAll(/-*\.[-.]*/g, ".");
  const plain = `weir-${slug}`;
  const scope = [...[...gateways].sort(), "", gatewayClass ?? "", "", ...[...namespaces].sort()];
  const isWhole = gateways.length + namespaces.length === 0 && gatewayClass === undefined;
  const isTold = controllerName.replace("/", "-") === slug && plain.length <= leaseNameMax;
  if (isWhole && isTold) return plain;
  const mark = fingerprint([controllerName, ...scope].join("\n")).slice(0, fingerprintLength);
  return `${plain.slice(0, leaseNameMax - fingerprintLength - 1)}-${mark}`;
}

/** Where that Lease is for `settings`; `namespace` is that of the pod or of the context. */
export function leasePlaceOf(
  settings: ServedScope & Pick<Config, "leaderElectionNamespace" | "leaderElectionLeaseName">,
  namespace: string,
): LeasePlace {
  return {
    namespace: settings.leaderElectionNamespace ?? namespace,
    name: settings.leaderElectionLeaseName ?? leaseNameOf(settings),
  };
}

/**
 * The identity of this process: `name` for people, and `id`, which no other process has. Also who is
 * given a name by hand gets it: two replicas of one identity would both lead.
 */
export function identityOf(name: string, id: string): string {
  const printable = name.replaceAll(/[^\x21-\x7e]/g, "-");
  return `${printable.slice(0, identityMax - id.length - 1)}_${id}`;
}
