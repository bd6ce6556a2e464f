/**
 * House rules about words, in code and documents, and about the documents' own form. Pure; run by
 * `tidy.ts`.
 */

import { lineAt } from "./mask_source.ts";
import type { Finding } from "./tidy_code.ts";

interface BannedWord {
  readonly pattern: RegExp;
  readonly instead: string;
}

/**
 * Words that stay out of every text. The patterns are written so that they do not find themselves.
 */
const bannedWords: readonly BannedWord[] = [
  { pattern: /\bnpmj[s]\.(?:org|com)\b/gi, instead: "npm packages by name" },
  { pattern: /\bjs[r]\.io\b|\bden[o]\.(?:land|com)\b/gi, instead: "specifiers, not hosts" },
  { pattern: /\/wor[k]\/|\.\.\/share[d]\b/g, instead: "nothing: the project explains itself" },
  // The noun; the adjective is a fine word.
  {
    pattern: /\bbrief[s]\b|\bbrief \d|\bthe brief(?=[^\w ]|$)/gim,
    instead: "nothing: the project explains itself",
  },
  { pattern: /\bissu[e] #?\d+/gi, instead: "nothing: the project explains itself" },
  { pattern: /\b(?:white|black)lis[t]/gi, instead: "allowlist or denylist" },
  { pattern: /(?<![\w.$/-])k8[s](?![\w.])/gi, instead: "Kubernetes" },
  { pattern: /\bback-end[s]?\b/gi, instead: "backend" },
  { pattern: /\bend[ -]poin[t]s?\b/gi, instead: "endpoint" },
  { pattern: /\bload[- ]balence[r]\b/gi, instead: "load balancer" },
];

/** Kinds in documents are spelled as the API spells them. */
const misspelledKinds =
  /\b(?:HttpRoute|Httproute|httpRoute|GateWay|Gatewayclass|Endpointslice|Referencegrant)\b/g;

/** Every banned word in one text file. */
export function checkWords(file: string, text: string): Finding[] {
  const words = bannedWords.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map((match) => ({
      file,
      line: lineAt(text, match.index),
      message: `"${match[0]}" is banned, use ${instead}`,
    }))
  );
  if (!file.endsWith(".md")) return words;
  const kinds = [...stripCode(text).matchAll(misspelledKinds)].map((match) => ({
    file,
    line: lineAt(text, match.index),
    message: `"${match[0]}" is spelled otherwise in the API`,
  }));
  return [...words, ...kinds];
}

/** What a document may refer to. */
export interface DocumentContext {
  /** Whether a project path (file or folder) exists. */
  readonly exists: (path: string) => boolean;
  /** The text of another document, for anchors. */
  readonly textOf: (path: string) => string | undefined;
  /** Names of tasks in deno.json. */
  readonly tasks: ReadonlySet<string>;
}

/** Every finding about the form of one Markdown document. */
export function checkDocument(file: string, text: string, context: DocumentContext): Finding[] {
  return [
    ...checkTitle(file, text),
    ...checkLinks(file, text, context),
    ...checkTasks(file, text, context),
  ];
}

function checkTitle(file: string, text: string): Finding[] {
  const titles = [...stripCode(text).matchAll(/^# .+$/gm)];
  if (!text.startsWith("# ")) {
    return [{ file, line: 1, message: "the first line is not the title" }];
  }
  return titles.slice(1).map((match) => ({
    file,
    line: lineAt(text, match.index),
    message: "a document has one title",
  }));
}

function checkLinks(file: string, text: string, context: DocumentContext): Finding[] {
  const findings: Finding[] = [];
  for (const match of stripCode(text).matchAll(/\]\(([^()\s]+)\)/g)) {
    const target = match[1] ?? "";
    if (/^[a-z]+:/.test(target)) continue;
    const [path = "", anchor] = target.split("#");
    const resolved = path === "" ? file : resolvePath(file, path);
    const line = lineAt(text, match.index);
    if (!context.exists(resolved)) {
      findings.push({ file, line, message: `link "${target}" leads nowhere` });
    } else if (anchor !== undefined) {
      const document = path === "" ? text : context.textOf(resolved);
      if (document === undefined || !headingsOf(document).has(anchor)) {
        findings.push({ file, line, message: `link "${target}" names no heading` });
      }
    }
  }
  return findings;
}

function checkTasks(file: string, text: string, context: DocumentContext): Finding[] {
  return [...text.matchAll(/\btask ([a-z][a-z\d]*(?::[a-z\d]+)*)/g)].filter((match) =>
    /\bdeno(?:@[\d.]+)? $/.test(text.slice(0, match.index)) && !context.tasks.has(match[1] ?? "")
  ).map((match) => ({
    file,
    line: lineAt(text, match.index),
    message: `task "${match[1]}" does not exist`,
  }));
}

/** Blanks fenced and inline code, keeping positions. */
function stripCode(text: string): string {
  const blank = (match: string): string => match.replace(/[^\n]/g, " ");
  return text.replace(/^(```|~~~)[\s\S]*?^\1\s*$/gm, blank).replace(/`[^`\n]*`/g, blank);
}

/** Anchors as renderers make them: lower case, words joined by hyphens, punctuation dropped. */
function headingsOf(text: string): Set<string> {
  const headings = [...text.replace(/^(```|~~~)[\s\S]*?^\1\s*$/gm, "").matchAll(/^#+ (.+)$/gm)];
  return new Set(
    headings.map((match) =>
      (match[1] ?? "").toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/g, "-")
    ),
  );
}

function resolvePath(from: string, relative: string): string {
  const url = new URL(relative, `file:///${from}`);
  return decodeURIComponent(url.pathname.slice(1)).replace(/\/$/, "");
}
