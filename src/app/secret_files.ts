/** Small files with secrets in them: read within a bound, written for their owner alone. */

/** A file of tokens is far smaller. */
const bytesMax = 1024 * 1024;

/** The text of the file at `path`. @throws an Error that names it and says why it cannot be read */
export async function readSettingsFile(path: string): Promise<string> {
  let size: number;
  try {
    ({ size } = await Deno.stat(path));
    if (size <= bytesMax) return await Deno.readTextFile(path);
  } catch (error) {
    throw new Error(`"${path}" cannot be read: ${whyUnreadable(error)}`);
  }
  throw new Error(`"${path}" has ${size} bytes, wanted at most ${bytesMax}`);
}

function whyUnreadable(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "there is no such file";
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (error instanceof Deno.errors.IsADirectory) return "it is a folder, wanted a file";
  if (error instanceof Deno.errors.NotCapable) return "reading it was not allowed at start";
  return error instanceof Error ? error.message : String(error);
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
