/**
 * Several files as one text, for a weir that is asked over HTTP, and the way back: from a line of the
 * text to the file that it came from. Pure.
 *
 * Between two files stands the end of a document, `...`, behind which a file begins as it does alone:
 * with directives, or as JSON.
 */

import type { InputProblem } from "../api/translate.ts";
import { parseManifests } from "../localkube/manifests/parse_manifests.ts";

/** A file that was read. */
export interface ManifestText {
  /** As problems name it. */
  readonly file: string;
  readonly text: string;
}

/** See the file's header. */
export interface JoinedManifests {
  readonly text: string;
  /** Of files that are no JSON although their name says so; they are not in the text. */
  readonly problems: readonly InputProblem[];
  /** A problem of the text, told of the file. */
  locate(problem: InputProblem): InputProblem;
}

const separator = "...\n";

/** Joins `files` in their order. */
export function joinManifests(files: readonly ManifestText[]): JoinedManifests {
  const problems: InputProblem[] = [];
  const starts: { readonly file: string; readonly firstLine: number; readonly lastLine: number }[] =
    [];
  let text = "";
  let line = 1;
  for (const { file, text: given } of files) {
    const faults = jsonFaults(file, given);
    problems.push(...faults);
    if (faults.length > 0) continue;
    const own = given.startsWith("\ufeff") ? given.slice(1) : given;
    const piece = `${own}${own === "" || own.endsWith("\n") ? "" : "\n"}${separator}`;
    const nextLine = line + piece.split("\n").length - 1;
    starts.push({ file, firstLine: line, lastLine: Math.max(line, nextLine - 2) });
    text += piece;
    line = nextLine;
  }
  const place = (inText: number): string => {
    const start = starts.findLast(({ firstLine }) => firstLine <= inText);
    if (!start) return `-:${inText}`;
    // What is not closed is found at the line between two files.
    return `${start.file}:${Math.min(inText, start.lastLine) - start.firstLine + 1}`;
  };
  return {
    text,
    problems,
    locate: ({ source, object, field, message }) => ({
      source: source.replace(/^-:(\d+)$/, (_, digits) => place(Number(digits))),
      object,
      field,
      message: message.replaceAll(/(?<= at )-:(\d+)/g, (_, digits) => place(Number(digits))),
    }),
  };
}

/** A text that is taken for YAML is read more leniently than a file with this name. */
function jsonFaults(file: string, text: string): readonly InputProblem[] {
  if (!/\.json$/i.test(file)) return [];
  const { problems, chunks } = parseManifests(file, text);
  return chunks.some(({ syntaxFaults }) => syntaxFaults.length > 0) ? problems : [];
}
