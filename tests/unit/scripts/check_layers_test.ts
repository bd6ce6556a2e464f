/**
 * Without these a forbidden import would land unnoticed, and the modules could no longer be read,
 * tested and switched off alone. Each rule is shown a graph that breaks it and nothing else.
 */

import { assert, assertEquals } from "@std/assert";
import { checkGraph, type Violation } from "../../../scripts/check_layers.ts";
import { layerRules } from "../../../scripts/layer_rules.ts";
import type { ImportEdge, ModuleGraph } from "../../../scripts/module_graph.ts";

/** A graph from `{ file: [targets] }`; every target of ours exists. A `type ` prefix marks types. */
function graphOf(
  files: Readonly<Record<string, readonly string[]>>,
  denoLines: Readonly<Record<string, readonly number[]>> = {},
): ModuleGraph {
  const edges = new Map<string, ImportEdge[]>();
  for (const [path, targets] of Object.entries(files)) {
    edges.set(
      path,
      targets.map((text, index): ImportEdge => {
        const target = text.replace(/^type /, "");
        return { specifier: target, target, line: index + 1, isTypeOnly: target !== text };
      }),
    );
    for (const text of targets) {
      const target = text.replace(/^type /, "");
      if (!target.includes(":") && !edges.has(target)) edges.set(target, []);
    }
  }
  for (const path of Object.keys(denoLines)) if (!edges.has(path)) edges.set(path, []);
  return [...edges].map(([path, imports]) => ({
    path,
    imports: imports ?? [],
    denoLines: denoLines[path] ?? [],
  }));
}

function only(violations: readonly Violation[]): Violation {
  assertEquals(violations.length, 1, JSON.stringify(violations));
  const [violation] = violations;
  assert(violation);
  return violation;
}

Deno.test("checkGraph() accepts a graph that follows every direction", () => {
  assertEquals(
    checkGraph(graphOf({
      "main.ts": ["src/app/compose.ts", "src/cli/serve.ts", "src/config/config.ts", "node:process"],
      "src/app/compose.ts": ["src/gateway/state.ts", "src/http/app.ts", "src/localkube/store.ts"],
      "src/gateway/state.ts": ["src/kube/object.ts", "type src/dataplane/model.ts"],
      "src/http/app.ts": ["npm:/hono@4.13.19/streaming", "node:http", "src/auth/guard.ts"],
      "src/base/clock.ts": ["src/std/async.ts"],
      "src/localkube/store.ts": ["npm:@bufbuild/cel@0.6.1", "src/localkube/object.ts"],
      "tests/unit/a_test.ts": ["src/gateway/state.ts", "npm:fast-check@4", "tests/std/assert.ts"],
      "scripts/build.ts": ["src/config/features.ts", "node:fs"],
    }, { "src/base/clock.ts": [3], "src/app/compose.ts": [1], "scripts/build.ts": [9] })),
    [],
  );
});

Deno.test("checkGraph() names the file, the line, the import and the rule", () => {
  assertEquals(
    checkGraph(graphOf({ "src/flow/registry.ts": ["src/base/clock.ts", "src/kube/object.ts"] })),
    [{
      file: "src/flow/registry.ts",
      line: 2,
      subject: "src/kube/object.ts",
      rule: '"flow" imports only base: the flow registry knows no Kubernetes',
    }],
  );
});

const forbidden: readonly (readonly [string, string])[] = [
  ["src/base/log.ts", "src/api/config.ts"],
  ["src/api/state.ts", "src/config/config.ts"],
  ["src/cli/serve.ts", "src/app/compose.ts"],
  ["src/cli/translate.ts", "src/gateway/state.ts"],
  ["src/config/config.ts", "src/cli/help.ts"],
  ["src/auth/guard.ts", "src/kube/object.ts"],
  ["src/kube/decode.ts", "src/localkube/store.ts"],
  ["src/query/memo.ts", "src/kube/object.ts"],
  ["src/dataplane/match.ts", "src/proxy/server.ts"],
  ["src/http/app.ts", "src/gateway/state.ts"],
  ["src/std/async.ts", "src/base/clock.ts"],
  ["src/console/page.ts", "src/http/app.ts"],
  ["main.ts", "src/gateway/state.ts"],
];
for (const [from, to] of forbidden) {
  Deno.test(`checkGraph() forbids "${from}" to import "${to}"`, () => {
    assertEquals(only(checkGraph(graphOf({ [from]: [to] }))).subject, to);
  });
}

const strangers = ["localkube", "gateway", "watch", "httpproxy", "flowpolicy", "proxy", "envoy"];
Deno.test("checkGraph() forbids subsystems to import each other, not even types", () => {
  for (const from of strangers) {
    for (const to of strangers) {
      if (from === to) continue;
      const target = `src/${to}/b.ts`;
      const violation = only(checkGraph(graphOf({ [`src/${from}/a.ts`]: [`type ${target}`] })));
      assertEquals(violation.subject, target, `${from} -> ${to}`);
    }
  }
});

Deno.test("checkGraph() lets only the data planes and the engine see the data plane's model", () => {
  const target = "src/dataplane/model.ts";
  const allowed = Object.keys(layerRules).filter((layer) =>
    !layer.includes(".") &&
    checkGraph(graphOf({ [`src/${layer}/a.ts`]: [target] })).length === 0
  );
  assertEquals(allowed, ["app", "dataplane", "gateway", "proxy", "envoy"]);
});

Deno.test("checkGraph() forbids the product to import tests and scripts", () => {
  for (const target of ["tests/fakes/fake_clock.ts", "scripts/tidy.ts"]) {
    const { rule } = only(checkGraph(graphOf({ "src/app/compose.ts": [target] })));
    assertEquals(rule, `the product never imports ${target.split("/")[0]}`);
  }
  const script = only(checkGraph(graphOf({ "scripts/a.ts": ["tests/fakes/fake_clock.ts"] })));
  assertEquals(script.rule, "scripts never import tests");
});

Deno.test("checkGraph() keeps Deno.* and node: at the edges, file by file in base", () => {
  for (const layer of ["api", "auth", "query", "gateway", "dataplane", "flow", "watch"]) {
    const path = `src/${layer}/a.ts`;
    const byName = only(checkGraph(graphOf({}, { [path]: [7] })));
    assertEquals([byName.file, byName.line, byName.subject], [path, 7, "Deno"]);
    assertEquals(only(checkGraph(graphOf({ [path]: ["node:fs"] }))).subject, "node:fs");
  }
  assertEquals(only(checkGraph(graphOf({}, { "src/base/wakeup.ts": [1] }))).line, 1);
  assertEquals(checkGraph(graphOf({}, { "src/base/log.ts": [1] })), []);
});

Deno.test("checkGraph() gives each third party one door", () => {
  const outside: readonly (readonly [string, string])[] = [
    ["src/app/compose.ts", "npm:/hono@4.13.19"],
    ["src/app/compose.ts", "npm:@hono/node-server@2.1.9"],
    ["src/kube/decode.ts", "npm:@logtape/logtape@2.4.2"],
    ["src/gateway/state.ts", "npm:@bufbuild/cel@0.6.1"],
    ["src/gateway/state.ts", "npm:yaml@2.9.1"],
    ["src/proxy/tls.ts", "npm:@peculiar/x509@2.2.0"],
    ["src/base/backoff.ts", "npm:fast-check@4.11.0"],
  ];
  for (const [from, to] of outside) {
    assertEquals(only(checkGraph(graphOf({ [from]: [to] }))).subject, to);
  }
});

Deno.test("checkGraph() refuses packages, layers and origins that no table names", () => {
  const [npm, https, layer] = [
    { "src/http/app.ts": ["npm:left-pad@1.0.0"] },
    { "src/app/compose.ts": ["https://example.com/a.ts"] },
    { "src/plugins/a.ts": ["src/base/clock.ts"] },
  ].map((files) => only(checkGraph(graphOf(files))).rule);
  assertEquals(npm, 'package "left-pad" is not in the table of third parties');
  assertEquals(https, "code comes from this project, npm or node only");
  assertEquals(layer, 'layer "plugins" is not in the table of layers');
});

Deno.test("checkGraph() tells the importer of a file that does not exist", () => {
  const graph: ModuleGraph = [{
    path: "src/base/a.ts",
    imports: [{ specifier: "./b.ts", target: "src/base/b.ts", line: 4, isTypeOnly: false }],
    denoLines: [],
  }];
  assertEquals(only(checkGraph(graph)), {
    file: "src/base/a.ts",
    line: 4,
    subject: "./b.ts",
    rule: '"src/base/b.ts" does not exist',
  });
});

Deno.test("checkGraph() reports each cycle once with its way, type-only imports included", () => {
  const violations = checkGraph(graphOf({
    "src/base/a.ts": ["src/base/b.ts", "src/base/d.ts"],
    "src/base/b.ts": ["type src/base/c.ts"],
    "src/base/c.ts": ["src/base/a.ts"],
    "src/base/d.ts": ["src/base/e.ts"],
    "tests/fakes/x.ts": ["tests/fakes/y.ts"],
    "tests/fakes/y.ts": ["tests/fakes/x.ts"],
  }));
  assertEquals(violations.map(({ rule }) => rule), [
    "no cycles: src/base/a.ts -> src/base/b.ts -> src/base/c.ts -> src/base/a.ts",
    "no cycles: tests/fakes/x.ts -> tests/fakes/y.ts -> tests/fakes/x.ts",
  ]);
});
