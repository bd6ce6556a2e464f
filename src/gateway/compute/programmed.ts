/** How far a part is in service, and the condition that says so. */

import type { DesiredCondition, DesiredListener } from "../../kube/desired_status.ts";
import { conditionOf, type Finding } from "./finding.ts";

/** How far a part is in service. */
export type Programmed =
  | { readonly state: "programmed" | "pending" }
  | { readonly state: "refused"; readonly fault: Finding };

/** A part that a data plane serves. */
export const programmed: Programmed = { state: "programmed" };
/** A part whose data plane has yet to answer. */
export const pending: Programmed = { state: "pending" };

/** A part that is not served, and why. */
export function refused(reason: string, message: string): Programmed {
  return { state: "refused", fault: { reason, message } };
}

/** The conditions of one data plane; those without a fault are made once. */
export class ProgrammedConditions {
  readonly #programmed: DesiredCondition;
  readonly #pending: DesiredCondition;
  readonly #routeProgrammed: DesiredCondition;
  readonly #routePending: DesiredCondition;

  /** @param dataPlane its name, for messages */
  constructor(dataPlane: string) {
    const isProgrammed = {
      reason: "Programmed",
      message: `Acknowledged by data plane "${dataPlane}"`,
    };
    const isPending = { reason: "Pending", message: `Waiting for data plane "${dataPlane}"` };
    this.#programmed = conditionOf("Programmed", "True", isProgrammed);
    this.#pending = conditionOf("Programmed", "Unknown", isPending);
    this.#routeProgrammed = conditionOf(routeProgrammedType, "True", isProgrammed);
    this.#routePending = conditionOf(routeProgrammedType, "Unknown", isPending);
  }

  /** `Programmed` of a Gateway or a listener. */
  of(programmed: Programmed): DesiredCondition {
    if (programmed.state === "refused") return conditionOf("Programmed", "False", programmed.fault);
    return programmed.state === "programmed" ? this.#programmed : this.#pending;
  }

  /** Whether the data plane has yet to answer to one of `listeners`, as {@linkcode of} says it. */
  isPending(listeners: readonly DesiredListener[]): boolean {
    return listeners.some(({ conditions }) => conditions.includes(this.#pending));
  }

  /** `weir.dev/Programmed` of a route at a parent: the API has no such condition for routes. */
  ofRoute(programmed: Programmed): DesiredCondition {
    if (programmed.state === "refused") {
      return conditionOf(routeProgrammedType, "False", programmed.fault);
    }
    return programmed.state === "programmed" ? this.#routeProgrammed : this.#routePending;
  }
}

const routeProgrammedType = "weir.dev/Programmed";
