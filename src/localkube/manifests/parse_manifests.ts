/**
 * From the text of a file to its documents and problems. Pure, never throws.
 *
 * One bad document never hides another. Pieces whose text is that of an earlier parse are taken over
 * with the identity of their objects, so that the cost of an edit is the cost of what was edited.
 *
 * YAML is 1.2 with the core schema (`yes` and `on` are text, unlike in YAML 1.1) and merge keys.
 * JSON is read in any file that begins with a brace.
 */

import type { Kind } from "../../kube/kinds.ts";
import type { ObjectKey } from "../../kube/object.ts";
import type { ObjectInput, Problem } from "../store_contract.ts";
import type { Identified } from "./identify.ts";
import { parseChunk, type ParsedChunk, type Place, type Placed } from "./parse_chunk.ts";
import { lineAt, PositionFinder } from "./position_finder.ts";
import { splitDocuments, type TextChunk } from "./text_chunks.ts";

/** An object that a file defines. */
export interface ManifestDocument {
  readonly kind: Kind;
  readonly key: ObjectKey;
  /** The same value as long as the text of its piece of the file is the same. */
  readonly object: ObjectInput;
  /** The file, as problems name it. */
  readonly file: string;
  readonly chunk: TextChunk;
  readonly place: Place;
}

/** An object of a kind that weir has no use for. */
export interface IgnoredObject {
  /** `FILE:LINE`. */
  readonly source: string;
  /** `Kind namespace/name` as far as known. */
  readonly object: string;
}

/** What a file holds. */
export interface ParsedManifests {
  readonly documents: readonly ManifestDocument[];
  readonly problems: readonly Problem[];
  readonly ignored: readonly IgnoredObject[];
  /** The length of `ignored`, at no cost. */
  readonly ignoredCount: number;
  /**
   * Whether there is a document of which it is unknown what it defines: not readable, or without a
   * known kind and a name.
   */
  readonly hasUnknown: boolean;
  /** For the next parse of the same file. */
  readonly chunks: readonly ParsedChunk[];
}

/**
 * Parses the text of one file.
 *
 * @param file the name for problems; `-` is standard input; `.json` decides the format
 * @param previous an earlier parse of the same file, from which unchanged pieces are taken
 */
export function parseManifests(
  file: string,
  text: string,
  previous?: ParsedManifests,
): ParsedManifests {
  const isJson = /\.json$/i.test(file);
  const body = text.startsWith("\ufeff") ? text.slice(1) : text;
  const pieces = isJson ? [{ text: body, firstLine: 1 }] : splitDocuments(body);
  const known = new Map(previous?.chunks.map((chunk) => [chunk.text, chunk]));
  const result = new Collector(file);
  for (const piece of pieces) {
    if (isBlank(piece.text)) continue;
    const parsed = known.get(piece.text) ?? parseChunk(piece.text, isJson ? "json" : "yaml");
    result.add(piece, parsed);
  }
  return result;
}

/** `FILE:LINE` of a field of a document; of the document itself when `field` is empty. */
export function sourceOf(
  document: ManifestDocument,
  field: string,
  finder: PositionFinder,
): string {
  return `${document.file}:${finder.lineOf(document.chunk, document.place, field)}`;
}

/**
 * A line that holds more than a comment or a marker. Looked for line by line: an expression for the
 * whole text repeats a group, and the matcher's stack ends after a million blank lines.
 */
const contentLine = /(?<![^\n])(?!(?:---|\.\.\.)[ \t\r]*(?:\n|$))[ \t\r]*[^ \t\r\n#]/;

/** Only comments, blank lines and markers: saves starting the parser. */
function isBlank(text: string): boolean {
  return !contentLine.test(text);
}

class Collector implements ParsedManifests {
  readonly documents: ManifestDocument[] = [];
  readonly problems: Problem[] = [];
  readonly chunks: ParsedChunk[] = [];
  hasUnknown = false;
  readonly #file: string;
  readonly #finder = new PositionFinder();
  readonly #ignored: { chunk: TextChunk; place: Place; object: string }[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  /** Made when asked for: lines in JSON have to be looked up. */
  get ignored(): readonly IgnoredObject[] {
    return this.#ignored.map(({ chunk, place, object }) => ({
      source: this.#source(chunk, place, ""),
      object,
    }));
  }

  get ignoredCount(): number {
    return this.#ignored.length;
  }

  add(piece: TextChunk, parsed: ParsedChunk): void {
    this.chunks.push(parsed);
    for (const { offset, message } of parsed.syntaxFaults) {
      const source = `${this.#file}:${lineAt(piece, offset)}`;
      const text = `Cannot read the document: ${message}`;
      this.problems.push({ source, object: "", field: "", message: text });
      this.hasUnknown = true;
    }
    for (const placed of parsed.items) this.#addItem(piece, placed);
  }

  #addItem(chunk: TextChunk, { item, place }: Placed<Identified>): void {
    const file = this.#file;
    switch (item.type) {
      case "object": {
        const { kind, key, object } = item;
        this.documents.push({ kind, key, object, file, chunk, place });
        return;
      }
      case "ignored":
        this.#ignored.push({ chunk, place, object: item.object });
        return;
      case "fault": {
        const { object, field, message } = item;
        const source = this.#source(chunk, place, field);
        this.problems.push({ source, object, field, message });
        this.hasUnknown = true;
      }
    }
  }

  #source(chunk: TextChunk, place: Place, field: string): string {
    return `${this.#file}:${this.#finder.lineOf(chunk, place, field)}`;
  }
}
