/**
 * Roles and bindings: exactly the rows of the table of permissions, one role for each place.
 *
 * What holds for the whole cluster is a ClusterRole, what holds for a namespace a Role there. Where
 * nothing holds for the whole cluster there is no ClusterRole, so that who may only change namespaces
 * can apply all of it.
 */

import { neededPermissions, type Permission } from "../kube/permissions.ts";
import type { InstallOptions, Manifest } from "./install_options.ts";
import { grantName, metadataOf, workloadName } from "./naming.ts";

const rbacVersion = "rbac.authorization.k8s.io/v1";

/** A rule as a role has it. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** The roles that the ServiceAccount needs, each followed by its binding. */
export function roleManifests(options: InstallOptions): Manifest[] {
  const manifests: Manifest[] = [];
  for (const [namespace, permissions] of byPlace(neededPermissions(options.scope))) {
    manifests.push(...roleAndBinding(options, namespace, permissions));
  }
  return manifests;
}

/** Rows for the cluster under undefined first, then by namespace as they come. */
function byPlace(
  permissions: readonly Permission[],
): Map<string | undefined, readonly Permission[]> {
  const places = new Map<string | undefined, Permission[]>();
  const add = (permission: Permission): void => {
    const namespace = permission.place === "everywhere" ? undefined : permission.place.namespace;
    const rows = places.get(namespace);
    if (rows) rows.push(permission);
    else places.set(namespace, [permission]);
  };
  permissions.filter(({ place }) => place === "everywhere").forEach(add);
  permissions.filter(({ place }) => place !== "everywhere").forEach(add);
  return places;
}

function roleAndBinding(
  options: InstallOptions,
  namespace: string | undefined,
  permissions: readonly Permission[],
): Manifest[] {
  const kind = namespace === undefined ? "ClusterRole" : "Role";
  const where = namespace === undefined ? "in the whole cluster" : `in namespace "${namespace}"`;
  const metadata = metadataOf(options, grantName(options), namespace);
  const account = { kind: "ServiceAccount", name: workloadName, namespace: options.namespace };
  return [
    {
      comment: `What weir may do ${where}. ${describe(permissions)}`,
      object: { apiVersion: rbacVersion, kind, metadata, rules: policyRules(permissions) },
    },
    {
      comment: `Gives that to weir and to nobody else.`,
      object: {
        apiVersion: rbacVersion,
        kind: `${kind}Binding`,
        metadata,
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: metadata.name },
        subjects: [account],
      },
    },
  ];
}

/** What a reader of the role asks first. */
function describe(permissions: readonly Permission[]): string {
  const has = (wanted: (permission: Permission) => boolean): boolean => permissions.some(wanted);
  const isLease = ({ resource }: Permission): boolean => resource === "leases";
  if (permissions.every(isLease)) return "One Lease: the replica that holds it writes statuses.";
  const secrets = has(({ kind }) => kind === "Secret")
    ? "It reads Secrets, as asked for."
    : "It reads no Secret.";
  const writes = ["statuses", ...has(({ resource }) => resource === "events") ? ["Events"] : []];
  return `It reads, and writes ${writes.join(" and ")} only. ${secrets}` +
    (has(isLease) ? " The replica that holds the Lease writes." : "");
}

/** Rules with equal verbs in one group are one rule, so that a person can compare them. */
export function policyRules(permissions: readonly Permission[]): PolicyRule[] {
  const rules = new Map<string, PolicyRule>();
  for (const { group, resource, verbs, names } of permissions) {
    const id = JSON.stringify([group, verbs, names]);
    const resources = [...rules.get(id)?.resources ?? [], resource];
    rules.set(id, {
      apiGroups: [group],
      resources,
      ...names === undefined ? {} : { resourceNames: names },
      verbs,
    });
  }
  return [...rules.values()];
}
