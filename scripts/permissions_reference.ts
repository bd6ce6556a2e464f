/**
 * The page of rights in a cluster, printed from the table that roles are printed from.
 */

import { dispensableKinds } from "../src/config/cluster_flags.ts";
import { markdownTable } from "../src/config/flag_reference.ts";
import { neededPermissions, type Permission, resourceName } from "../src/kube/permissions.ts";

const dispensable: ReadonlySet<string> = new Set(dispensableKinds);

/** `docs/reference-permissions.md`. */
export function printPermissionsReference(): string {
  const permissions = neededPermissions({
    namespaces: [],
    secretNamespaces: [],
    without: [],
    isClassGiven: false,
    lease: { namespace: "", name: "" },
  });
  return `${head}\n${
    markdownTable(["Resource", "Verbs", "What for", "Without it"], rowsOf(permissions))
  }`;
}

const head = `# Rights in a cluster

Printed from the code by \`deno task docs\`: everything that \`weir install\` asks for, and
\`weir check --kubeconfig\` looks for. In the whole cluster, or with \`--namespaces\` in these alone;
there namespaces are not read. GatewayClasses and CRDs are always the cluster's, and with
\`--gateway-class\` not read at all. Leases are those of the namespace that replicas run in.
`;

function rowsOf(permissions: readonly Permission[]): (readonly string[])[] {
  return permissions.map((permission) => [
    `\`${resourceName(permission)}\`${permission.names === undefined ? "" : ", by name"}`,
    permission.verbs.join(", "),
    permission.purpose,
    consequence(permission),
  ]);
}

function consequence({ need, kind, resource }: Permission): string {
  if (resource === "events") return "no Events";
  if (resource === "customresourcedefinitions") return "the release is not known";
  if (resource.endsWith("/status")) return "nobody learns what became of the object";
  if (resource === "leases") return "no replica writes";
  if (resource.endsWith("reviews")) return "the HTTP API of a pod answers probes only";
  if (need === "optional") return "the kind counts as empty";
  return `not ready${
    kind !== undefined && dispensable.has(kind) ? `, unless \`--without=${kind}\`` : ""
  }`;
}
