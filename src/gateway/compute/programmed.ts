/** How far a part is in service, and the condition that says so. */

import type { DesiredCondition } from "../../kube/desired_status.ts";
import { conditionOf, type Finding } from "./finding.ts";

/** How far a part is in service. */
export type Programmed =
  | { readonly state: "programmed" | "pending" }
  | { readonly state: "refused"; readonly fault: Finding };

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
    const programmed = {
      reason: "Programmed",
      message: `Acknowledged by data plane "${dataPlane}"`,
    };
    const pending = { reason: "Pending", message: `Waiting for data plane "${dataPlane}"` };
    this.#programmed = conditionOf("Programmed", "True", programmed);
    this.#pending = conditionOf("Programmed", "Unknown", pending);
    this.#routeProgrammed = conditionOf(routeProgrammedType, "True", programmed);
    this.#routePending = conditionOf(routeProgrammedType, "Unknown", pending);
  }

  /** `Programmed` of a Gateway or a listener. */
  of(programmed: Programmed): DesiredCondition {
    if (programmed.state === "refused") return conditionOf("Programmed", "False", programmed.fault);
    return programmed.state === "programmed" ? this.#programmed : this.#pending;
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
