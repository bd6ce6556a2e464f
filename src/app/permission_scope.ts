/** From settings to the rights that a process with them needs. */

import type { Config } from "../config/flags.ts";
import type { PermissionScope } from "../kube/permissions.ts";

/** What is read with `settings`; whether there is a Lease depends on more than them. */
export function permissionScope(
  { namespaces, secretNamespaces, without, gatewayClass }: Pick<
    Config,
    "namespaces" | "secretNamespaces" | "without" | "gatewayClass"
  >,
): PermissionScope {
  return { namespaces, secretNamespaces, without, isClassGiven: gatewayClass !== undefined };
}
