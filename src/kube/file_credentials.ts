/**
 * Credentials that stand in a kubeconfig or in files beside it, and files of a pod.
 *
 * Files are read again after a minute, and when the server refused what they held: tokens of service
 * accounts, certificates and authorities are replaced while the process runs. A file that cannot be
 * read for the moment does no harm while what it held before is good.
 */

import type { Clock } from "../base/clock.ts";
import type { ClusterIdentity, Credentials } from "./cluster_access.ts";
import { ClusterError } from "./cluster_error.ts";

/** A text that is given, or the file that holds it. */
export type TextOrFile = { readonly text: string } | { readonly file: string };

/** What the identity is made of. */
export interface FileCredentialsOptions {
  readonly token?: TextOrFile;
  readonly basic?: { readonly username: string; readonly password: string };
  readonly ca?: TextOrFile;
  readonly cert?: TextOrFile;
  readonly key?: TextOrFile;
  readonly readFile: (path: string) => Promise<string>;
  readonly clock: Clock;
}

/** How long what was read is used, milliseconds. Tokens of pods overlap for much longer. */
const freshMs = 60_000;
/** How long after a refusal nothing is read again, milliseconds: refusals come in bursts. */
const calmMs = 1_000;
const fileLengthMax = 1 << 20;

/** See the file's header. */
export class FileCredentials implements Credentials {
  readonly #options: FileCredentialsOptions;
  #identity: ClusterIdentity | undefined;
  #readAtMs = -Infinity;
  #isForgotten = false;
  #reading: Promise<ClusterIdentity> | undefined;

  constructor(options: FileCredentialsOptions) {
    this.#options = options;
  }

  async identity(): Promise<ClusterIdentity> {
    const ageMs = this.#options.clock.monotonicMs() - this.#readAtMs;
    const isGood = this.#isForgotten ? ageMs < calmMs : ageMs < freshMs;
    if (this.#identity !== undefined && isGood) return this.#identity;
    this.#reading ??= this.#read();
    return await this.#reading;
  }

  forget(): void {
    this.#isForgotten = true;
  }

  async #read(): Promise<ClusterIdentity> {
    try {
      this.#identity = await this.#readAll();
    } catch (error) {
      if (this.#identity === undefined) throw error;
    } finally {
      this.#reading = undefined;
    }
    this.#readAtMs = this.#options.clock.monotonicMs();
    this.#isForgotten = false;
    return this.#identity;
  }

  async #readAll(): Promise<ClusterIdentity> {
    const { token, basic, ca, cert, key } = this.#options;
    const authorization = token !== undefined
      ? `Bearer ${(await this.#textOf(token)).trim()}`
      : basic && basicAuthorization(basic);
    return {
      ...authorization === undefined ? {} : { authorization: checkHeader(authorization) },
      ...ca === undefined ? {} : { ca: await this.#textOf(ca) },
      ...cert === undefined ? {} : { cert: await this.#textOf(cert) },
      ...key === undefined ? {} : { key: await this.#textOf(key) },
    };
  }

  async #textOf(source: TextOrFile): Promise<string> {
    if ("text" in source) return source.text;
    try {
      const text = await this.#options.readFile(source.file);
      if (text.length <= fileLengthMax && text.trim() !== "") return text;
    } catch (cause) {
      throw new ClusterError("no-credential", `Cannot read "${source.file}"`, { cause });
    }
    throw new ClusterError("no-credential", `Cannot use "${source.file}": empty or too large`);
  }
}

function basicAuthorization(
  { username, password }: { readonly username: string; readonly password: string },
): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

/** What a header may not hold would fail later, in words that repeat it. */
export function checkHeader(value: string): string {
  if (/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(value)) return value;
  throw new ClusterError("no-credential", "The token holds characters that no token has");
}
