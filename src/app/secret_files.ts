/** Small files with secrets in them: read within a bound, written for their owner alone. */

/** A file of tokens is far smaller. */
const bytesMax = 1024 * 1024;

/** The text of the file at `path`. @throws what reading throws, or an error that names its size */
export async function readSettingsFile(path: string): Promise<string> {
  const { size } = await Deno.stat(path);
  if (size <= bytesMax) return await Deno.readTextFile(path);
  throw new Error(`Read "${path}": it has ${size} bytes, wanted at most ${bytesMax}`);
}

/** Whether the process has the right to write the file at `path`. */
export async function mayWriteFile(path: string): Promise<boolean> {
  return (await Deno.permissions.query({ name: "write", path })).state === "granted";
}

/**
 * Writes `text` to a new file with mode 0600 in place of what was at `path`, following no link; or
 * with `writeOutput` when the path is `-`.
 */
export async function writeSecretFile(
  path: string,
  text: string,
  writeOutput: (text: string) => void,
): Promise<void> {
  if (path === "-") return writeOutput(text);
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  await Deno.writeTextFile(path, text, { createNew: true, mode: 0o600 });
}
