/**
 * Which document stands for each object, when several define it.
 *
 * The first one wins: documents that are in their file before those that are only kept from an
 * earlier version of it, then by the order of the given paths, the name of the file and the place in
 * it. The order depends on what is on disk, never on when it was seen. When the winner goes, the next
 * one takes over.
 */

import type { Brand } from "../../base/brand.ts";
import { compareStrings } from "../../kube/json_value.ts";
import type { Definition } from "./file_record.ts";
import type { ManifestDocument } from "./parse_manifests.ts";

/** `Kind namespace/name`: one object of the cluster; also how problems name it. */
export type ManifestKey = Brand<"ManifestKey">;

/** The one constructor of {@linkcode ManifestKey}. */
function manifestKeyOf({ kind, key }: Pick<ManifestDocument, "kind" | "key">): ManifestKey {
  return `${kind} ${key}` as ManifestKey;
}

/** See the file's header. */
export class DefinitionTable {
  readonly #definitions = new Map<ManifestKey, readonly Definition[]>();

  /** Replaces what one file defines; the objects concerned, each once. */
  replace(before: readonly Definition[], after: readonly Definition[]): ReadonlySet<ManifestKey> {
    const touched = new Set<ManifestKey>();
    const gone = new Set(before);
    for (const { document } of before) touched.add(manifestKeyOf(document));
    const added = new Map<ManifestKey, Definition[]>();
    for (const definition of after) {
      const ref = manifestKeyOf(definition.document);
      touched.add(ref);
      const list = added.get(ref);
      if (list) list.push(definition);
      else added.set(ref, [definition]);
    }
    for (const ref of touched) {
      const rest = (this.#definitions.get(ref) ?? []).filter((definition) => !gone.has(definition));
      const all = [...rest, ...added.get(ref) ?? []];
      if (all.length === 0) this.#definitions.delete(ref);
      else this.#definitions.set(ref, all.length === 1 ? all : all.sort(compareDefinitions));
    }
    return touched;
  }

  /** All definitions of an object, the winner first. */
  get(ref: ManifestKey): readonly Definition[] {
    return this.#definitions.get(ref) ?? [];
  }
}

function compareDefinitions(a: Definition, b: Definition): number {
  return Number(a.removeAtMs !== undefined) - Number(b.removeAtMs !== undefined) ||
    a.rootIndex - b.rootIndex ||
    compareStrings(a.document.file, b.document.file) ||
    a.index - b.index;
}
