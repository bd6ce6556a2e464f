/**
 * Encodes a parsed CEL expression as nested arrays.
 *
 * Parsing costs about a millisecond a rule, more than everything else at the start of the local
 * cluster together; the arrays are turned back into the parser's form in microseconds. Macros are
 * already expanded in the input. Forms that no rule of the Gateway API uses are refused.
 */

import type { parse } from "@bufbuild/cel";

/** An expression as the parser returns it. */
export type CelExpression = NonNullable<ReturnType<typeof parse>["expr"]>;

/** A child that the grammar says is there. */
function present(expression: CelExpression | undefined): CelExpression {
  if (expression === undefined) {
    throw new Error("Cannot encode a CEL expression: a part is missing");
  }
  return expression;
}

/** The compact form; the first element names the case. */
export function encodeExpression(expression: CelExpression): unknown[] {
  const kind = expression.exprKind;
  switch (kind.case) {
    case "identExpr":
      return ["id", kind.value.name];
    case "constExpr":
      return encodeConstant(kind.value.constantKind);
    case "selectExpr":
      return [
        kind.value.testOnly ? "has" : "get",
        encodeExpression(present(kind.value.operand)),
        kind.value.field,
      ];
    case "callExpr":
      return [
        "call",
        kind.value.function,
        kind.value.target === undefined ? null : encodeExpression(kind.value.target),
        ...kind.value.args.map(encodeExpression),
      ];
    case "listExpr":
      if (kind.value.optionalIndices.length > 0) break;
      return ["list", ...kind.value.elements.map(encodeExpression)];
    case "comprehensionExpr":
      if (kind.value.iterVar2 !== "") break;
      return [
        "fold",
        kind.value.iterVar,
        kind.value.accuVar,
        encodeExpression(present(kind.value.iterRange)),
        encodeExpression(present(kind.value.accuInit)),
        encodeExpression(present(kind.value.loopCondition)),
        encodeExpression(present(kind.value.loopStep)),
        encodeExpression(present(kind.value.result)),
      ];
  }
  throw new Error(`Cannot encode a CEL expression: a ${kind.case} of this form is not supported`);
}

type Constant = Extract<CelExpression["exprKind"], { case: "constExpr" }>["value"]["constantKind"];

function encodeConstant(constant: Constant): unknown[] {
  switch (constant.case) {
    case "stringValue":
      return ["string", constant.value];
    case "int64Value":
      return ["int", Number(constant.value)];
    case "doubleValue":
      return ["double", constant.value];
    case "boolValue":
      return ["bool", constant.value];
    case "nullValue":
      return ["null"];
    default:
      throw new Error(`Cannot encode a CEL constant: ${constant.case} is not supported`);
  }
}
