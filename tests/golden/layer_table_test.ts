/**
 * The map of directions in docs/architecture.md is the one that is enforced.
 *
 * What a user would lose: a contributor who follows the document would be stopped by the gate, or the
 * document would promise a separation that nothing keeps.
 */

import { assert, assertEquals } from "@std/assert";
import document from "../../docs/architecture.md" with { type: "text" };
import { layerRules } from "../../scripts/layer_rules.ts";

interface Row {
  readonly layer: string;
  readonly mayImport: readonly string[] | "everything";
  readonly touches: string;
}

function readTable(text: string): Row[] {
  const section = text.split(/^## /m).find((part) => part.startsWith("Directions"));
  assert(section !== undefined, "the document has no section Directions");
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  return rows.map((line) => {
    const [, layer = "", imports = "", touches = ""] = line.split("|").map((cell) => cell.trim());
    return {
      layer: layer.replaceAll("`", ""),
      mayImport: imports === "everything"
        ? "everything"
        : [...imports.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ""),
      touches,
    };
  });
}

Deno.test("docs/architecture.md shows the directions that the layer check enforces", () => {
  const rows = readTable(document);
  assert(rows.length >= 14);
  for (const { layer, mayImport, touches } of rows) {
    const rule = layerRules[layer];
    assert(rule !== undefined, `the layer check does not know "${layer}"`);
    assertEquals(mayImport, rule.mayImport, layer);
    const machine = rule.mayTouchMachine;
    const wanted = typeof machine === "boolean" ? (machine ? "yes" : "no") : "named";
    assertEquals(touches.includes(".ts") ? "named" : touches, wanted, layer);
  }
});
