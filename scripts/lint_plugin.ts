/**
 * House rules that need a syntax tree, as a plugin of `deno lint`.
 *
 * They hold for the product (`main.ts`, `src/`); length of functions also for scripts. An exception
 * is written as `// deno-lint-ignore weir/RULE -- REASON` where it is made.
 */

type Node = Deno.lint.Node;
type Context = Deno.lint.RuleContext;
type Visitor = Deno.lint.LintVisitor;

/** Longest function, in lines. */
const functionLinesMax = 70;

/** Calls that start something. */
const startingCalls = new Set(["setTimeout", "setInterval", "queueMicrotask", "fetch"]);
const startingObjects = new Set(["Deno", "Promise"]);

/** Types that a cast may end in: each brand has one constructor, which casts. */
const brandName = /(?:Key|Name|Id|Revision|Version|Digest)$/;

function isProduct(filename: string): boolean {
  return /(?:^|\/)src\/|(?:^|\/)main\.ts$/.test(filename) && !isTest(filename);
}

function isTest(filename: string): boolean {
  return /(?:^|\/)tests\//.test(filename);
}

/** A rule for the product only. */
function productRule(create: (context: Context) => Visitor): Deno.lint.Rule {
  return { create: (context) => isProduct(context.filename) ? create(context) : {} };
}

function isFunction(node: Node): boolean {
  return node.type === "FunctionDeclaration" || node.type === "FunctionExpression" ||
    node.type === "ArrowFunctionExpression";
}

/** The name of the method in `object.name(…)`. */
function methodName(node: Node): string | undefined {
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return undefined;
  const { property, computed } = node.callee;
  return !computed && property.type === "Identifier" ? property.name : undefined;
}

/** Whether `node` runs while an object is built or a module is loaded. */
function runsAtBuild(context: Context, node: Node): boolean {
  const ancestors = context.sourceCode.getAncestors(node);
  const inner = ancestors.findLastIndex(isFunction);
  if (inner < 0) return true;
  const owner = ancestors[inner - 1];
  return owner?.type === "MethodDefinition" && owner.kind === "constructor";
}

const buildingIsNotStarting = productRule((context) => {
  const report = (node: Node, what: string): void => {
    if (!runsAtBuild(context, node)) return;
    context.report({
      node,
      message: `${what} starts work while something is built or loaded`,
      hint: "Constructors and modules assign; let run(signal) start the work and end it",
    });
  };
  return {
    CallExpression(node) {
      const { callee } = node;
      if (callee.type === "Identifier" && startingCalls.has(callee.name)) {
        report(node, `${callee.name}()`);
      }
      if (callee.type === "MemberExpression" && callee.object.type === "Identifier") {
        if (startingObjects.has(callee.object.name)) report(node, `${callee.object.name}.*()`);
      }
      if (methodName(node) === "then") report(node, ".then()");
    },
    NewExpression(node) {
      if (node.callee.type === "Identifier" && node.callee.name === "Promise") {
        report(node, "new Promise()");
      }
    },
  };
});

const noSilentCatch = productRule((context) => ({
  CallExpression(node) {
    if (methodName(node) !== "catch") return;
    const [handler] = node.arguments;
    if (handler?.type !== "ArrowFunctionExpression" || handler.body?.type !== "BlockStatement") {
      return;
    }
    if (handler.body.body.length > 0) return;
    if (/\/\/|\/\*/.test(context.sourceCode.getText(handler.body))) return;
    context.report({
      node: handler,
      message: "A failure is swallowed without a reason",
      hint: "Handle the failure, or say in a comment why it may be ignored",
    });
  },
}));

const noCast = productRule((context) => ({
  TSAsExpression(node) {
    if (/\/decode\/|\/(?:decode|parse)[a-z_]*\.ts$/.test(context.filename)) return;
    const whole = context.sourceCode.getText(node);
    const text = whole.split(/\sas\s+/).at(-1) ?? "";
    // A cast to unknown only forgets, which is safe.
    if (text === "const" || text === "unknown" || brandName.test(text)) return;
    context.report({
      node,
      message: `A cast to "${text}" is believed without a check`,
      hint: "Narrow with a type guard, or decode at the door",
    });
  },
}));

const noFloatingPromise = productRule((context) => ({
  ExpressionStatement(node) {
    let { expression } = node as { expression: Node };
    if (expression.type === "UnaryExpression" && expression.operator === "void") {
      expression = expression.argument;
    }
    const isAsyncCall = expression.type === "CallExpression" && isFunction(expression.callee) &&
      "async" in expression.callee && expression.callee.async;
    const name = methodName(expression);
    if (!isAsyncCall && name !== "then" && name !== "finally") return;
    context.report({
      node,
      message: "Nobody learns of this promise's failure",
      hint: "Await it, return it, hand it to a task set, or end the chain with a catch",
    });
  },
}));

const noReexport = productRule((context) => {
  const report = (node: Node): void =>
    context.report({
      node,
      message: "A re-export hides where something comes from",
      hint: "Import the file that declares it",
    });
  return {
    ExportAllDeclaration: report,
    ExportNamedDeclaration(node) {
      if (node.source) report(node);
    },
  };
});

/** A doc comment, then nothing but line comments, such as those for the linter. */
const endsInDocComment = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?:\/\/[^\n]*\n)*$/;

const documentedExport = productRule((context) => {
  const documented = new Set<string>();
  return {
    ExportNamedDeclaration(node) {
      const { declaration } = node;
      if (!declaration) return;
      const name = declaredName(declaration);
      if (endsInDocComment.test(context.sourceCode.text.slice(0, node.range[0]))) {
        documented.add(name);
        return;
      }
      // The first overload carries the contract of all.
      if (documented.has(name)) return;
      context.report({
        node: declaration,
        message: `Export "${name}" has no doc comment`,
        hint: "Say what it promises: result, units, order, failures",
      });
    },
  };
});

function declaredName(declaration: Node): string {
  if (declaration.type === "VariableDeclaration") {
    const id = declaration.declarations[0]?.id;
    return id?.type === "Identifier" ? id.name : "";
  }
  return "id" in declaration && declaration.id?.type === "Identifier" ? declaration.id.name : "";
}

const functionLength: Deno.lint.Rule = {
  create(context) {
    if (isTest(context.filename)) return {};
    const check = (node: Node): void => {
      const lines = context.sourceCode.getText(node).split("\n").length;
      if (lines <= functionLinesMax) return;
      context.report({
        node,
        message: `Function has ${lines} lines, at most ${functionLinesMax} are wanted`,
        hint: "Pull the leaves out; keep the branching here",
      });
    };
    return {
      FunctionDeclaration: check,
      FunctionExpression: check,
      ArrowFunctionExpression: check,
    };
  },
};

/** See the file's header. */
const plugin: Deno.lint.Plugin = {
  name: "weir",
  rules: {
    "building-is-not-starting": buildingIsNotStarting,
    "no-silent-catch": noSilentCatch,
    "no-cast": noCast,
    "no-floating-promise": noFloatingPromise,
    "no-reexport": noReexport,
    "documented-export": documentedExport,
    "function-length": functionLength,
  },
};

export default plugin;
