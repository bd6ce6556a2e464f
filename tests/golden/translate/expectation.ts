/**
 * Holds a summary against the expected lines of a golden case.
 *
 * Lines are compared one by one. Beyond literal text an expectation may say:
 *
 *     Gateway default/web: Accepted=True Programmed=False/*     any reason, or `=*` any status
 *     HTTPRoute default/app > web: *                            any conditions
 *       says Accepted "port 9090"                               the message holds the text
 *       features GatewayPort8080 !TLSRoute                      supported, and not supported
 *     problem HTTPRoute default/bad
 *       says "spec.rules[0]"                                    the problem's place or message
 *       ? address 127.0.0.1                                     may be missing: the API leaves it open
 *
 * Lines that begin with `says` or `features` belong to the nearest line above that is not one of them. `#` starts a comment.
 */

import type { SummaryLine } from "./summarise.ts";

interface Expected {
  readonly text: string;
  /** The line may be missing. */
  readonly isOptional: boolean;
  readonly checks: string[];
}

/** What is wrong with `actual`, one sentence each; empty when it is as expected. */
export function findDifferences(expectation: string, actual: readonly SummaryLine[]): string[] {
  const expected = parse(expectation);
  const differences: string[] = [];
  let found = 0;
  let wanted = 0;
  const isMatch = (line: number, index: number): boolean => {
    const [want, have] = [expected[line], actual[index]];
    return want !== undefined && have !== undefined && matches(want.text, have.text);
  };
  while (wanted < expected.length || found < actual.length) {
    const [want, have] = [expected[wanted], actual[found]];
    if (want && have && isMatch(wanted, found)) {
      differences.push(...want.checks.flatMap((check) => runCheck(check, have)));
      wanted++;
      found++;
    } else if (want?.isOptional) {
      wanted++;
    } else if (have && (!want || isMatch(wanted, found + 1))) {
      differences.push(`not expected: ${have.text}`);
      found++;
    } else if (want && (!have || isMatch(wanted + 1, found))) {
      differences.push(`missing: ${want.text}`);
      wanted++;
    } else {
      differences.push(`wanted: ${want?.text}\n   found: ${have?.text}`);
      wanted++;
      found++;
    }
  }
  return differences;
}

function parse(expectation: string): Expected[] {
  const expected: Expected[] = [];
  for (const text of expectation.split("\n")) {
    const trimmed = text.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    if (!/^(says|features) /.test(trimmed)) {
      const isOptional = trimmed.startsWith("? ");
      expected.push({
        text: isOptional ? text.trimEnd().replace("? ", "") : text.trimEnd(),
        isOptional,
        checks: [],
      });
      continue;
    }
    const owner = expected.at(-1);
    if (!owner) throw new Error(`Cannot read expectation: '${trimmed}' has no line above`);
    owner.checks.push(trimmed);
  }
  return expected;
}

/** Literal but for `=*`, `/*` and `: *`: any status, any reason, any conditions. */
function matches(wanted: string, found: string): boolean {
  const pattern = wanted.replace(/[.+?^${}()|[\]\\*]/g, "\\$&")
    .replace(/: \\\*$/, ": .+")
    .replace(/=\\\*(?= |$)/g, "=\\S+").replace(/([=]\w+)\/\\\*(?= |$)/g, "$1/\\S+");
  return new RegExp(`^${pattern}$`).test(found);
}

function runCheck(check: string, { text, details }: SummaryLine): string[] {
  const [word, ...rest] = check.split(" ");
  if (word === "features") {
    const features = new Set(details.get("features")?.split(" "));
    const sorted = [...features].sort().join(" ");
    const order = sorted === details.get("features") ? [] : [`features are not sorted: ${text}`];
    return [
      ...order,
      ...rest.filter((name) => features.has(name.replace(/^!/, "")) === name.startsWith("!"))
        .map((name) => `feature ${name} does not hold: ${text}`),
    ];
  }
  const quoted = [...check.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? "");
  if (quoted.length === 0) throw new Error(`Cannot read expectation: '${check}' quotes nothing`);
  const about = rest[0]?.startsWith('"') ? "message" : rest[0] ?? "";
  const message = details.get(about);
  return quoted.filter((part) => message?.includes(part) !== true)
    .map((part) => `wanted in ${about}: ${part}\n   found: ${message}\n      in: ${text}`);
}
