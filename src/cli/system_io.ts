/**
 * The terminal, environment and files of the process. Effects only: nothing is decided here.
 */

import denoConfig from "../../deno.json" with { type: "json" };
import type { CliIo, VersionInfo } from "./context.ts";
import { standardError, standardOutput } from "./text_output.ts";

/** The world of this process. */
export function systemIo(): CliIo {
  return {
    stdout: standardOutput(Deno.stdout),
    stderr: standardError(Deno.stderr),
    columns: terminalColumns(),
    environment: readEnvironment,
    readTextFile,
  };
}

/** Versions of this process. */
export function systemVersion(): VersionInfo {
  const { deno, v8, typescript } = Deno.version;
  return { weir: denoConfig.version, deno, v8, typescript, target: Deno.build.target };
}

function terminalColumns(): number | undefined {
  if (!Deno.stdout.isTerminal()) return undefined;
  try {
    return Deno.consoleSize().columns;
  } catch {
    // Some terminals do not know their size; output is then as wide as without one.
    return undefined;
  }
}

/** Everything where everything may be read: unknown `WEIR_…` names can then be told. */
function readEnvironment(names: Iterable<string>): Record<string, string> {
  if (Deno.permissions.querySync({ name: "env" }).state === "granted") return Deno.env.toObject();
  const environment: Record<string, string> = {};
  for (const variable of names) {
    if (Deno.permissions.querySync({ name: "env", variable }).state !== "granted") continue;
    const value = Deno.env.get(variable);
    if (value !== undefined) environment[variable] = value;
  }
  return environment;
}

async function readTextFile(path: string, bytesMax: number): Promise<string> {
  let bytes: Uint8Array;
  try {
    using file = await Deno.open(path);
    const { isDirectory } = await file.stat();
    if (isDirectory) throw new Error("it is a folder, wanted a file");
    bytes = await readAtMost(file, bytesMax + 1);
  } catch (error) {
    throw new Error(`"${path}" cannot be read: ${reasonOf(error)}`, { cause: error });
  }
  if (bytes.length > bytesMax) {
    throw new Error(`"${path}" is larger than ${bytesMax} bytes, wanted less`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Error(`"${path}" is not UTF-8 text`, { cause: error });
  }
}

async function readAtMost(file: Deno.FsFile, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const buffer = new Uint8Array(64 * 1024);
  while (length < bytesMax) {
    const count = await file.read(buffer);
    if (count === null) break;
    chunks.push(buffer.slice(0, count));
    length += count;
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function reasonOf(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "there is no such file";
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (error instanceof Deno.errors.NotCapable) return "reading it was not allowed at start";
  return error instanceof Error ? error.message : String(error);
}
