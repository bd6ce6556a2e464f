/** Whether there is a GatewayClass with our controller, and what its status says. */

import type { ClusterCheckLine } from "../cli/context.ts";
import { asList, asString } from "../kube/json_value.ts";
import { kinds } from "../kube/kinds.ts";
import { itemsOf } from "../kube/slim_object.ts";
import type { ClusterCheckSettings, ClusterCheckSurroundings } from "./cluster_check_inputs.ts";
import { askCluster, valueAt } from "./cluster_question.ts";

const { group, plural, versions } = kinds.GatewayClass;

/** A line for each GatewayClass that is ours, or one that says that there is none. */
export async function checkClasses(
  { controllerName, gatewayClass }: ClusterCheckSettings,
  surroundings: ClusterCheckSurroundings,
): Promise<readonly ClusterCheckLine[]> {
  const common = { check: "class", subject: gatewayClass ?? "" } as const;
  if (gatewayClass !== undefined) {
    const message = "vouched for by --gateway-class, and not read";
    return [{ ...common, result: "ok", message }];
  }
  const path = `/apis/${group}/${versions[0]}/${plural}`;
  const answer = await askCluster(surroundings, { path });
  // Missing rights and kinds have lines of their own.
  if (!answer.ok) return [];
  const classes = itemsOf(answer.value);
  const own = classes.filter((each) => valueAt(each, "spec", "controllerName") === controllerName);
  if (own.length > 0) return own.map(classLine);
  return [{
    ...common,
    result: "failed",
    message: `none of ${classes.length} has spec.controllerName "${controllerName}"`,
    advice: "apply the GatewayClass that weir install prints, or set --controller-name",
  }];
}

function classLine(gatewayClass: unknown): ClusterCheckLine {
  const subject = asString(valueAt(gatewayClass, "metadata", "name")) ?? "";
  const conditions = asList(valueAt(gatewayClass, "status", "conditions"));
  const find = (type: string): unknown =>
    conditions.find((condition) => valueAt(condition, "type") === type);
  const accepted = find("Accepted");
  const supported = find("SupportedVersion");
  const common = { check: "class", subject } as const;
  switch (valueAt(accepted, "status")) {
    case "True":
      break;
    case "False":
      return {
        ...common,
        result: "failed",
        message: `not accepted: ${words(accepted)}`,
        advice: "change the class as its status says",
      };
    default:
      return {
        ...common,
        result: "warning",
        message: "no controller has accepted it yet",
        advice: "start weir; where it runs, see its log for the status that it cannot write",
      };
  }
  return valueAt(supported, "status") === "False"
    ? {
      ...common,
      result: "warning",
      message: `accepted, on a release that is not supported: ${words(supported)}`,
      advice: "see the line of the release",
    }
    : { ...common, result: "ok", message: "accepted" };
}

function words(condition: unknown): string {
  const reason = asString(valueAt(condition, "reason")) ?? "";
  const message = asString(valueAt(condition, "message")) ?? "";
  return message === "" ? reason : `${reason}, ${message}`;
}
