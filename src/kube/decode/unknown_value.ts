/**
 * Rules of routes with a value that is not in the list of its field.
 *
 * Such a value may be one of a later version of the API. It must not make the whole route unreadable:
 * the route's status has to name it (Gateway API, "unknown values" of HTTPPathMatch `type` and the
 * others). So the rule is told with the reason, and the rest of the route stays.
 */

import * as v from "valibot";
import { describeIssue, describeWanted } from "./decoded.ts";

/** A rule, or what is left of one. */
export type RuleOrUnknown<Rule> = Rule & {
  /** Which value of the rule this version does not know; of the rest only a part is there then. */
  unknownValue?: string;
};

const unknownValueIssues: ReadonlySet<string> = new Set(["picklist", "literal", "variant"]);

/**
 * Decodes a rule by `schema`. One with an unknown value is what `readPart` makes of it, with its name
 * and `unknownValue`; anything else that is wrong with it is refused as ever.
 */
export function ruleOrUnknownSchema<Input, Rule extends object>(
  schema: v.GenericSchema<Input, Rule>,
  readPart: (rule: unknown) => Rule,
): v.GenericSchema<Input, RuleOrUnknown<Rule>> {
  return v.pipe(
    v.custom<Input>(() => true),
    v.rawTransform<Input, RuleOrUnknown<Rule>>(({ dataset, addIssue, NEVER }) => {
      const result = v.safeParse(schema, dataset.value, { abortEarly: true });
      if (result.success) return result.output;
      const [issue] = result.issues;
      if (unknownValueIssues.has(issue.type)) {
        const part = readPart(dataset.value);
        return { ...part, ...nameOf(dataset.value), unknownValue: describeIssue(issue) };
      }
      addIssue({ message: describeWanted(issue), ...(issue.path && { path: issue.path }) });
      return NEVER;
    }),
  );
}

function nameOf(rule: unknown): { readonly name?: string } {
  const named = v.safeParse(v.object({ name: v.string() }), rule);
  return named.success ? { name: named.output.name } : {};
}

/** What `schema` reads in `rule`, for `readPart`; what is wrong in any way is `otherwise`. */
export function partOf<Output>(
  schema: v.GenericSchema<unknown, Output>,
  rule: unknown,
  otherwise: Output,
): Output {
  const result = v.safeParse(schema, rule);
  return result.success ? result.output : otherwise;
}
