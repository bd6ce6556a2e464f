/**
 * The descriptions of all fields, each distinct text once.
 *
 * The tree mirrors the schema: a node is its text's index, or `[text, children]` where children are
 * named by field; lists and maps add nothing to the tree, their items' fields are their own.
 */

type Json = Record<string, unknown>;

/** A text's index, or -1, then the children by field name. */
type Entry = readonly [number, Record<string, Entry>] | number;

/** Collects the descriptions of one schema per kind. */
export class DescriptionTable {
  readonly #texts: string[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #kinds: Record<string, Entry> = {};

  /** Adds every field of `schema`, the root of `kind`. */
  add(kind: string, schema: Json): void {
    this.#kinds[kind] = this.#entry(schema);
  }

  /** The tables, ready for JSON. */
  toJSON(): { texts: string[]; kinds: Record<string, Entry> } {
    return { texts: this.#texts, kinds: this.#kinds };
  }

  #entry(schema: Json): Entry {
    const text = this.#text(schema["description"]);
    const children = this.#children(schema);
    return Object.keys(children).length === 0 ? text : [text, children];
  }

  #children(schema: Json): Record<string, Entry> {
    for (const inner of [schema["items"], schema["additionalProperties"]]) {
      if (typeof inner === "object" && inner !== null) return this.#children(inner as Json);
    }
    const properties = (schema["properties"] ?? {}) as Record<string, Json>;
    return Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, this.#entry(field)]),
    );
  }

  #text(description: unknown): number {
    if (typeof description !== "string") return -1;
    const known = this.#indexes.get(description);
    if (known !== undefined) return known;
    const index = this.#texts.push(description) - 1;
    this.#indexes.set(description, index);
    return index;
  }
}
