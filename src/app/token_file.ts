/**
 * The file of tokens, read again when it changes: who is taken out of it is denied within seconds.
 *
 * It is looked at when somebody asks and the last look is {@linkcode freshMs} old. A change that
 * cannot be read or understood changes nothing, and is told once: half of a file that is being
 * written must not lock everybody out.
 */

import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import { type ApiUser, type Authenticator, TokenAuthenticator } from "../localkube/api/access.ts";
import { parseAccessFile } from "../localkube/api/access_file.ts";

/** What users are read from. */
export interface TokenFileOptions {
  readonly path: string;
  readonly readText: (path: string) => Promise<string>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Users besides those of the file, by the digest of their token. */
  readonly others: ReadonlyMap<string, ApiUser>;
}

/** How long what was read is used, milliseconds. */
const freshMs = 5_000;

/** See the file's header. */
export class TokenFile implements Authenticator {
  readonly #options: TokenFileOptions;
  #authenticator: TokenAuthenticator;
  #text: string;
  #readAtMs: number;
  #fault: string | undefined;
  #reading: Promise<void> | undefined;

  private constructor(options: TokenFileOptions, text: string, users: Users) {
    this.#options = options;
    this.#text = text;
    this.#authenticator = withOthers(users, options);
    this.#readAtMs = options.clock.monotonicMs();
  }

  /** Reads it for the first time. @throws {AccessFileError}, or what `readText` throws */
  static async open(options: TokenFileOptions): Promise<TokenFile> {
    const text = await options.readText(options.path);
    return new TokenFile(options, text, await parseAccessFile(text));
  }

  /** Users that may ask now. */
  get userCount(): number {
    return this.#authenticator.userCount;
  }

  async identify(authorization: string): Promise<ApiUser | undefined> {
    const { clock } = this.#options;
    if (clock.monotonicMs() - this.#readAtMs >= freshMs) {
      this.#reading ??= this.#readAgain();
      await this.#reading;
    }
    return await this.#authenticator.identify(authorization);
  }

  async #readAgain(): Promise<void> {
    const { path, readText, clock, log } = this.#options;
    try {
      const text = await readText(path);
      if (text !== this.#text) {
        this.#authenticator = withOthers(await parseAccessFile(text), this.#options);
        this.#text = text;
        log.info("Tokens read again", { path, users: this.userCount });
      }
      this.#fault = undefined;
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      if (fault !== this.#fault) log.error("Tokens stay as they were", { path, error });
      this.#fault = fault;
    } finally {
      this.#readAtMs = clock.monotonicMs();
      this.#reading = undefined;
    }
  }
}

type Users = ReadonlyMap<string, ApiUser>;

function withOthers(users: Users, { others }: TokenFileOptions): TokenAuthenticator {
  return new TokenAuthenticator(new Map([...users, ...others]));
}
