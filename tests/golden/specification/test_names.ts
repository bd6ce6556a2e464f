/**
 * The names of all tests, read from their files, so that an index of tests cannot outlive them.
 *
 * A name that is put together (`` `… ${what} …` ``) stands for every text in the place of its parts.
 */

const testFolder: URL = new URL("../../", import.meta.url);
const call = /\b(?:Deno\.test|t\.step|step)\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;
const nameField = /\bname: (?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)/g;

/** The names in one test file. */
interface NamesOfFile {
  /** From `tests/` on. */
  readonly path: string;
  readonly names: readonly RegExp[];
}

let all: readonly NamesOfFile[] | undefined;

/** Whether a test with this name stands in a file whose path, from `tests/` on, is `path`. */
export function hasTest(path: string, name: string): boolean {
  all ??= [...readFolder(testFolder, "")];
  return all.some((file) => file.path === path && file.names.some((known) => known.test(name)));
}

function* readFolder(folder: URL, path: string): Generator<NamesOfFile> {
  for (const entry of Deno.readDirSync(folder)) {
    const inside = `${path}${entry.name}`;
    if (entry.isDirectory) {
      yield* readFolder(new URL(`${entry.name}/`, folder), `${inside}/`);
    } else if (entry.name.endsWith("_test.ts")) {
      yield { path: inside, names: namesIn(Deno.readTextFileSync(new URL(entry.name, folder))) };
    }
  }
}

function namesIn(text: string): readonly RegExp[] {
  return [...text.matchAll(call), ...text.matchAll(nameField)].map(([, plain, template]) =>
    plain === undefined ? templateName(template ?? "") : exactName(JSON.parse(`"${plain}"`))
  );
}

function exactName(name: string): RegExp {
  return new RegExp(`^${escape(name)}$`);
}

function templateName(template: string): RegExp {
  return new RegExp(`^${template.split(/\$\{[^}]*\}/).map(escape).join(".+")}$`);
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
