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

function readRows(heading: string): string[] {
  const section = document.split(/^## /m).find((part) => part.startsWith(heading));
  assert(section !== undefined, `the document has no section ${heading}`);
  return section.split("\n").filter((line) => line.startsWith("| `"));
}

function readDirections(): Row[] {
  return readRows("Directions").map((line) => {
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
  const rows = readDirections();
  for (const { layer, mayImport, touches } of rows) {
    const rule = layerRules[layer];
    assert(rule !== undefined, `the layer check does not know "${layer}"`);
    assertEquals(mayImport, rule.mayImport, layer);
    const machine = rule.mayTouchMachine;
    const wanted = typeof machine === "boolean" ? (machine ? "yes" : "no") : "named";
    assertEquals(touches.includes(".ts") ? "named" : touches, wanted, layer);
  }
});

Deno.test("docs/architecture.md names every folder of src, on the map and with its direction", () => {
  const folders = [...Deno.readDirSync(new URL("../../src", import.meta.url))]
    .filter((entry) => entry.isDirectory).map(({ name }) => name).toSorted();
  const mapped = readRows("The map").map((line) => /`([^`]+)`/.exec(line)?.[1] ?? "");
  const directed = readDirections().map(({ layer }) => layer);
  for (const [names, prefix] of [[mapped, "src/"], [directed, ""]] as const) {
    const described = names.filter((name) => name !== "main.ts").toSorted();
    assertEquals(described, folders.map((folder) => `${prefix}${folder}`));
  }
});
