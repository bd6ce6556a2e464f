/**
 * The golden cases and their inputs.
 */

import { decodeSettings } from "../../../src/config/decode_settings.ts";
import type { FlagTable, Settings } from "../../../src/config/flag.ts";
import { readArguments } from "../../../src/config/read_arguments.ts";
import { DevelopmentCa } from "../../../src/localkube/development_ca.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

/** The folder that holds a folder for each case. */
export const caseFolder: URL = new URL(".", import.meta.url);

/** Every case, sorted. */
export const caseNames: readonly string[] = [...Deno.readDirSync(caseFolder)]
  .filter((entry) => entry.isDirectory).map((entry) => entry.name).sort();

/** A certificate and its key, PEM. */
export interface Issued {
  readonly certificateChain: string;
  readonly privateKey: string;
}

/** One for each name, issued when first asked for: no key is committed. */
const issued = new Map<string, Promise<Issued>>();
const authority = new DevelopmentCa(new FakeClock(Date.UTC(2026, 0, 1)));

/** The certificate for `host`. */
export function issue(host: string): Promise<Issued> {
  const known = issued.get(host) ?? authority.issue([host]);
  issued.set(host, known);
  return known;
}

/** All that were issued so far. */
export function allIssued(): Promise<readonly Issued[]> {
  return Promise.all(issued.values());
}

/**
 * The input of a case with `{{certificate HOST}}` and `{{key HOST}}` filled in, in base64, and `{{pem
 * HOST}}`, the same certificate as what stands between double quotes in YAML.
 */
export async function readInput(name: string): Promise<string> {
  let text = await Deno.readTextFile(new URL(`${name}/input.yaml`, caseFolder));
  for (const [marker, what, host] of text.matchAll(/\{\{(certificate|key|pem) (\S+)\}\}/g)) {
    const { certificateChain, privateKey } = await issue(host ?? "");
    const pem = what === "key" ? privateKey : certificateChain;
    text = text.replaceAll(marker, what === "pem" ? JSON.stringify(pem).slice(1, -1) : btoa(pem));
  }
  return text;
}

/**
 * The settings of a case: those that its file `flags` gives, one flag a line, and the defaults. Most
 * cases have no such file.
 */
export async function readSettings<Table extends FlagTable>(
  table: Table,
  name: string,
): Promise<Settings<Table>> {
  const given = readArguments(table, await readFlags(name));
  if (given.faults.length > 0) throw new Error(`Cannot read the flags of case "${name}"`);
  return decodeSettings(table, [given.layer]).settings;
}

async function readFlags(name: string): Promise<readonly string[]> {
  const folder = new URL(`${name}/`, caseFolder);
  for await (const entry of Deno.readDir(folder)) {
    if (entry.name !== "flags") continue;
    const text = await Deno.readTextFile(new URL(entry.name, folder));
    return text.split("\n").filter((line) => line !== "");
  }
  return [];
}
