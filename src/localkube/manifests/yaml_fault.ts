/**
 * The library's errors in words of ours, chosen by their code alone.
 *
 * Many of the library's messages quote the text around the fault. That text may be a Secret's, and
 * problems go to logs and to the API.
 */

import type { Document, ErrorCode, YAMLError } from "yaml";
import type { TextFault } from "./text_fault.ts";

const quotesHint = 'text that holds ": " or " #" needs quotes';

const messages: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: "an alias has an anchor or a tag of its own",
  BAD_ALIAS: "an anchor or alias has no usable name",
  BAD_COLLECTION_TYPE: "a tag does not fit what it stands before",
  BAD_DIRECTIVE: "a line that begins with % is not a known directive",
  BAD_DQ_ESCAPE: "unknown escape sequence in double quotes",
  BAD_INDENT: "the indentation does not fit the lines around it, or a bracket is not closed",
  BAD_PROP_ORDER: "an anchor or a tag stands before the mark of its list item or key",
  BAD_SCALAR_START: "a value may not begin with this character, wanted quotes around it",
  BLOCK_AS_IMPLICIT_KEY: `a map or list may not begin here; ${quotesHint}`,
  BLOCK_IN_FLOW: "lines with indentation may not stand inside brackets",
  DUPLICATE_KEY: "a key appears twice in one map",
  IMPOSSIBLE: "the text cannot be understood here",
  KEY_OVER_1024_CHARS: "a key is longer than 1024 characters",
  MISSING_CHAR: "a character is missing: a closing quote, a colon after a key, a comma or a space",
  MULTILINE_IMPLICIT_KEY: `a key goes on over several lines; ${quotesHint}`,
  MULTIPLE_ANCHORS: "a value has several anchors",
  MULTIPLE_DOCS: "more than one document",
  MULTIPLE_TAGS: "a value has several tags",
  NON_STRING_KEY: "a key is not text",
  RESOURCE_EXHAUSTION: "values are nested too deeply",
  TAB_AS_INDENT: "tabs are not allowed as indentation, wanted spaces",
  TAG_RESOLVE_FAILED: "unknown tag",
  UNEXPECTED_TOKEN: "unexpected text here",
};

/** The first fault of a document, if any. Of warnings only an unknown tag is one. */
export function findYamlFault(document: Document, text: string): TextFault | undefined {
  const error: YAMLError | undefined = document.errors[0] ??
    document.warnings.find(({ code }) => code === "TAG_RESOLVE_FAILED");
  if (!error) return undefined;
  return { offset: withinLine(text, error.pos[0]), message: messages[error.code] };
}

/** A fault at the end of the text, or of a line, belongs to the last line with something in it. */
function withinLine(text: string, offset: number): number {
  const isInLine = offset < text.length && !/[\r\n]/.test(text.charAt(offset));
  return isInLine ? offset : Math.max(0, text.slice(0, offset).trimEnd().length - 1);
}
