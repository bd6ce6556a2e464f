/**
 * The golden cases and their inputs.
 */

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

/** The input of a case with `{{certificate HOST}}` and `{{key HOST}}` filled in, in base64. */
export async function readInput(name: string): Promise<string> {
  let text = await Deno.readTextFile(new URL(`${name}/input.yaml`, caseFolder));
  for (const [marker, what, host] of text.matchAll(/\{\{(certificate|key) (\S+)\}\}/g)) {
    const { certificateChain, privateKey } = await issue(host ?? "");
    text = text.replaceAll(marker, btoa(what === "key" ? privateKey : certificateChain));
  }
  return text;
}
