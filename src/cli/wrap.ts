/** Text in columns: wrapping, and cutting what does not fit. Pure. */

/** The width of output when no terminal says otherwise. */
export const defaultColumns = 80;

/**
 * `text` in lines of at most `columns` characters, broken at spaces, every line behind `indent`. A
 * word that is longer than a line stays whole: it may be a command to copy.
 */
export function wrap(text: string, columns: number, indent = ""): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (word === "") continue;
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && indent.length + longer.length > columns) {
      lines.push(indent + line);
      line = word;
    } else {
      line = longer;
    }
  }
  if (line !== "") lines.push(indent + line);
  return lines.join("\n");
}

/** `text` in at most `length` characters, the last of them an ellipsis when something is cut. */
export function cutText(text: string, length: number): string {
  const characters = [...text];
  if (characters.length <= length) return text;
  return length < 1 ? "" : `${characters.slice(0, length - 1).join("")}…`;
}
