/** The inputs of a command that reads once: standard input, and whether the named paths are there. */

/** What was read. */
export interface ReadInputs {
  /** Present when `-` is among the inputs. */
  readonly standardInputText?: string;
}

/**
 * Checks that every path can be read and reads standard input, at most `bytesMax` of it.
 *
 * Rejects with an Error that names the input.
 */
export async function readInputs(
  inputs: readonly string[],
  bytesMax: number,
): Promise<ReadInputs> {
  for (const path of inputs) if (path !== "-") await checkPath(path);
  return inputs.includes("-") ? { standardInputText: await readStandardInput(bytesMax) } : {};
}

async function checkPath(path: string): Promise<void> {
  let info: Deno.FileInfo;
  try {
    info = await Deno.stat(path);
  } catch (error) {
    const why = error instanceof Deno.errors.NotFound
      ? "there is no such file or folder"
      : error instanceof Error
      ? error.message
      : String(error);
    throw new Error(`Read "${path}": ${why}`, { cause: error });
  }
  if (!info.isFile && !info.isDirectory) {
    throw new Error(
      `Read "${path}": it is neither a file nor a folder, wanted "-f -" to read a pipe`,
    );
  }
}

/**
 * Standard input to its end, at most `bytesMax` of it.
 *
 * Rejects with an Error when it is larger or no text.
 */
export async function readStandardInput(bytesMax: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (chunk?: Uint8Array<ArrayBuffer>): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch (cause) {
      throw new Error("Read standard input: it is not UTF-8 text", { cause });
    }
  };
  let text = "";
  let bytes = 0;
  for await (const chunk of Deno.stdin.readable) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      throw new Error(
        `Read standard input: it is larger than ${bytesMax} bytes, wanted less (--max-manifest-bytes)`,
      );
    }
    text += decode(chunk);
  }
  return text + decode();
}
