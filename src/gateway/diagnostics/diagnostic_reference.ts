/** The page about diagnostics, printed from their table. Pure. */

import { diagnosticCodes, diagnosticMeanings } from "./diagnostic_codes.ts";

/** The text of docs/diagnostics.md. */
export function printDiagnosticReference(): string {
  const sections = diagnosticCodes.map((code) => {
    const { meaning, advice } = diagnosticMeanings[code];
    return `## ${code}\n\n${fill(`${meaning}.`)}\n\n${
      fill(`What to do: ${lowerFirst(advice)}.`)
    }\n`;
  });
  return `${introduction}\n${sections.join("\n")}`;
}

const introduction = `# Diagnostics

<!-- Printed from the table in the code: deno task docs -->

A diagnostic is about objects that are valid, whose status complains of nothing, and that probably
do not do what was meant. \`weir check -f DIR\` prints them as warnings with their code,
\`weir translate -f DIR\` below its table, and \`/api/v1/state\` lists them. Codes are stable.
`;

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** `text` in lines as the formatter of documents wants them. */
function fill(text: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columnsMax) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}

const columnsMax = 100;
