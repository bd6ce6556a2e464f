/**
 * Turns the compact syntax trees of the schema files back into parsed CEL expressions.
 *
 * The files hold parsed expressions because parsing takes about a millisecond a rule. The first
 * element of an array names the case; `scripts/cel_expression.ts` writes them, and a test compares
 * every decoded tree with what the parser makes of the rule's text.
 */

import type { parse } from "@bufbuild/cel";

/** An expression as the parser returns it. */
export type CelExpression = NonNullable<ReturnType<typeof parse>["expr"]>;

type ExpressionKind = CelExpression["exprKind"];
type ConstantKind = Extract<ExpressionKind, { case: "constExpr" }>["value"]["constantKind"];

/** The expression of `tree`. Throws for a tree of another form. */
export function decodeExpression(tree: unknown): CelExpression {
  return { $typeName: "cel.expr.Expr", id: 0n, exprKind: decodeKind(asTree(tree)) };
}

/** Whether the variable `name` occurs in `tree`. */
export function mentions(tree: unknown, name: string): boolean {
  if (!Array.isArray(tree)) return false;
  if (tree[0] === "id") return tree[1] === name;
  return tree.some((part) => mentions(part, name));
}

function asTree(tree: unknown): readonly unknown[] {
  if (Array.isArray(tree)) return tree;
  throw new TypeError("Cannot decode a CEL expression: a part is missing");
}

function asText(part: unknown): string {
  if (typeof part === "string") return part;
  throw new TypeError("Cannot decode a CEL expression: a name is missing");
}

function decodeKind(tree: readonly unknown[]): ExpressionKind {
  const head = tree[0];
  switch (head) {
    case "id":
      return {
        case: "identExpr",
        value: { $typeName: "cel.expr.Expr.Ident", name: asText(tree[1]) },
      };
    case "get":
    case "has":
      return {
        case: "selectExpr",
        value: {
          $typeName: "cel.expr.Expr.Select",
          operand: decodeExpression(tree[1]),
          field: asText(tree[2]),
          testOnly: head === "has",
        },
      };
    case "call":
      return decodeCall(tree);
    case "list":
      return {
        case: "listExpr",
        value: {
          $typeName: "cel.expr.Expr.CreateList",
          elements: tree.slice(1).map(decodeExpression),
          optionalIndices: [],
        },
      };
    case "fold":
      return decodeFold(tree);
    default:
      return {
        case: "constExpr",
        value: { $typeName: "cel.expr.Constant", constantKind: decodeConstant(tree) },
      };
  }
}

function decodeCall(tree: readonly unknown[]): ExpressionKind {
  const call = {
    $typeName: "cel.expr.Expr.Call" as const,
    function: asText(tree[1]),
    args: tree.slice(3).map(decodeExpression),
  };
  return {
    case: "callExpr",
    value: tree[2] === null ? call : { ...call, target: decodeExpression(tree[2]) },
  };
}

function decodeFold(tree: readonly unknown[]): ExpressionKind {
  return {
    case: "comprehensionExpr",
    value: {
      $typeName: "cel.expr.Expr.Comprehension",
      iterVar: asText(tree[1]),
      iterVar2: "",
      accuVar: asText(tree[2]),
      iterRange: decodeExpression(tree[3]),
      accuInit: decodeExpression(tree[4]),
      loopCondition: decodeExpression(tree[5]),
      loopStep: decodeExpression(tree[6]),
      result: decodeExpression(tree[7]),
    },
  };
}

function decodeConstant(tree: readonly unknown[]): ConstantKind {
  const [head, value] = tree;
  if (head === "string" && typeof value === "string") return { case: "stringValue", value };
  if (head === "bool" && typeof value === "boolean") return { case: "boolValue", value };
  if (head === "int" && typeof value === "number") {
    return { case: "int64Value", value: BigInt(value) };
  }
  if (head === "double" && typeof value === "number") return { case: "doubleValue", value };
  if (head === "null") return { case: "nullValue", value: 0 };
  throw new TypeError(`Cannot decode a CEL expression: "${String(head)}" is not a known case`);
}
