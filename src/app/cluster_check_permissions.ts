/** Whether each right of the table is given, as the API server itself decides. */

import type { ClusterCheckLine } from "../cli/context.ts";
import { dispensableKinds } from "../config/cluster_flags.ts";
import { enabledFeatures } from "../config/features.ts";
import { asString } from "../kube/json_value.ts";
import { neededPermissions, type Permission, resourceName } from "../kube/permissions.ts";
import type { ClusterCheckSettings, ClusterCheckSurroundings } from "./cluster_check_inputs.ts";
import { askCluster, valueAt } from "./cluster_question.ts";
import { leasePlaceOf } from "./leader_names.ts";
import { permissionScope } from "./permission_scope.ts";

/** How many questions are under way at a time. */
const parallel = 16;

/** One question: a verb on a resource in a place. */
interface Right {
  readonly permission: Permission;
  readonly verb: string;
  readonly name: string | undefined;
}

/** What became of a question. */
interface Decision extends Right {
  readonly isAllowed: boolean;
  /** Why it could not be asked. */
  readonly fault?: string;
}

/** One line for each resource in each place where something is missing, or one that says that all is well. */
export async function checkPermissions(
  settings: ClusterCheckSettings,
  surroundings: ClusterCheckSurroundings,
): Promise<readonly ClusterCheckLine[]> {
  const { namespace = "default" } = surroundings;
  const scope = permissionScope(settings);
  const permissions = neededPermissions(
    enabledFeatures(settings.features).has("leader-election")
      ? { ...scope, lease: leasePlaceOf(settings, namespace) }
      : scope,
  );
  const rights = permissions.flatMap((permission) =>
    permission.verbs.flatMap((verb) =>
      (permission.names ?? [undefined]).map((name) => ({ permission, verb, name }))
    )
  );
  const decisions = await decideAll(rights, surroundings);
  const fault = decisions.find((decision) => decision.fault !== undefined)?.fault;
  if (fault !== undefined) return [unknownLine(fault)];
  const refused = permissions.map((permission) => ({
    permission,
    refused: decisions.filter((each) => each.permission === permission && !each.isAllowed),
  })).filter(({ refused }) => refused.length > 0);
  if (refused.length > 0) return refused.map((each) => refusedLine(each.permission, each.refused));
  return [{
    check: "permissions",
    subject: "",
    result: "ok",
    message: `all ${rights.length} rights that weir needs${placeText(settings)}`,
  }];
}

function placeText({ namespaces }: ClusterCheckSettings): string {
  return namespaces.length === 0 ? "" : ` in ${namespaces.map((name) => `"${name}"`).join(", ")}`;
}

async function decideAll(
  rights: readonly Right[],
  surroundings: ClusterCheckSurroundings,
): Promise<readonly Decision[]> {
  const decisions: Decision[] = [];
  for (let start = 0; start < rights.length; start += parallel) {
    const some = rights.slice(start, start + parallel);
    decisions.push(...await Promise.all(some.map((right) => decide(right, surroundings))));
  }
  return decisions;
}

async function decide(right: Right, surroundings: ClusterCheckSurroundings): Promise<Decision> {
  const { permission: { group, resource, place }, verb, name } = right;
  const [plural = "", subresource] = resource.split("/");
  const answer = await askCluster(surroundings, {
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: {
        resourceAttributes: {
          group,
          resource: plural,
          verb,
          ...subresource === undefined ? {} : { subresource },
          ...name === undefined ? {} : { name },
          ...place === "everywhere" ? {} : { namespace: place.namespace },
        },
      },
    },
  });
  if (!answer.ok) return { ...right, isAllowed: false, fault: answer.error.message };
  const fault = asString(valueAt(answer.value, "status", "evaluationError"));
  const isAllowed = valueAt(answer.value, "status", "allowed") === true;
  return { ...right, isAllowed, ...fault === undefined || isAllowed ? {} : { fault } };
}

function unknownLine(fault: string): ClusterCheckLine {
  return {
    check: "permissions",
    subject: "",
    result: "warning",
    message: `unknown: ${fault}`,
    advice: "let authenticated users ask for their rights (ClusterRole system:basic-user)",
  };
}

const dispensable: ReadonlySet<string> = new Set(dispensableKinds);

function refusedLine(permission: Permission, refused: readonly Decision[]): ClusterCheckLine {
  const { place, need, kind, purpose } = permission;
  const verbs = [...new Set(refused.map(({ verb }) => verb))].join(", ");
  const where = place === "everywhere"
    ? "in the whole cluster"
    : `in namespace "${place.namespace}"`;
  const isReading = kind !== undefined && !permission.resource.includes("/");
  const otherwise = isReading && dispensable.has(kind) ? `, or do without: --without=${kind}` : "";
  return {
    check: "permissions",
    subject: resourceName(permission),
    result: need === "required" ? "failed" : "warning",
    message: `may not ${verbs} ${where}; needed to: ${lowerFirst(purpose)}`,
    advice: `grant it, as weir install ${
      kind === "Secret" ? "--secrets " : ""
    }prints the roles${otherwise}`,
  };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
