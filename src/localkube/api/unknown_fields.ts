/** Fields that no schema has: what a write that brings some is told. Pure. */

import { ApiRefusal, badRequest } from "./api_status.ts";
import type { ResourceTarget } from "./api_path.ts";

/** How admission's warnings of fields without a schema begin. */
const unknownField = "unknown field ";

/** Those of `warnings` that are about fields without a schema. */
export function unknownFieldsOf(warnings: readonly string[]): readonly string[] {
  return warnings.filter((warning) => warning.startsWith(unknownField));
}

/** @throws {ApiRefusal} unless `unknown` is only to be warned of */
export function refuseUnknown(
  target: ResourceTarget,
  unknown: readonly string[],
  write: "apply" | "strict" | "other",
): void {
  const { kind, version, apiVersion } = target.resource;
  if (write === "apply") {
    const name = [target.namespace, target.name].filter((part) => part).join("/");
    const fields = unknown.map((warning) => {
      return `.${
        warning.slice(unknownField.length).replaceAll('"', "")
      }: field not declared in schema`;
    });
    const told = fields.length === 1 ? fields.join() : `errors:\n  ${fields.join("\n  ")}`;
    const message = "failed to create typed patch object " +
      `(${name}; ${apiVersion}, Kind=${kind}): ${told}`;
    // The API server calls it its own fault.
    throw new ApiRefusal({ code: 500, reason: "", message, about: { kind: "", name: "" } });
  }
  if (write === "other") return;
  throw badRequest(
    `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ` +
      unknown.join(", "),
  );
}
