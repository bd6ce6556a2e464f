/**
 * Credentials of an OpenID Connect provider (`auth-provider` with name `oidc`): the ID token of the
 * kubeconfig, renewed with its refresh token.
 *
 * The provider says where tokens are renewed (OpenID Connect Discovery 1.0, section 4); the renewal is
 * that of RFC 6749, section 6. Renewed tokens stay in this process: a kubeconfig is never written. A
 * provider that gives each refresh token once therefore locks out whoever reads the file next.
 */

import * as v from "valibot";
import { Buffer } from "node:buffer";
import type { Clock } from "../base/clock.ts";
import { AccessError, type ClusterIdentity, type Credentials } from "./cluster_access.ts";
import { ClusterError } from "./cluster_error.ts";
import { checkHeader } from "./file_credentials.ts";
import { type Issued, SharedRenewal } from "./shared_renewal.ts";

/** Asks a provider. Rejects when there is no answer in time, or a too large one. */
export type AskProvider = (request: {
  readonly url: URL;
  /** Sent as a form; absent: a GET. */
  readonly form?: Readonly<Record<string, string>>;
  readonly authorization?: string;
  /** PEM of an authority that is trusted besides the machine's. */
  readonly ca?: string;
}) => Promise<{ readonly status: number; readonly text: string }>;

/** How the credentials are built. */
export interface OidcCredentialsOptions {
  /** `auth-provider.config` of the user; files in it are not read here. */
  readonly config: Readonly<Record<string, string>>;
  /** The authority of the provider, PEM; absent: the machine's only. */
  readonly ca?: () => Promise<string>;
  /** What does not come from the provider. */
  readonly base: Credentials;
  readonly ask: AskProvider;
  readonly clock: Clock;
}

const discoverySchema = v.object({ token_endpoint: v.string() });
const answerSchema = v.object({ id_token: v.string(), refresh_token: v.nullish(v.string()) });
const claimsSchema = v.object({ exp: v.number() });

/** See the file's header. */
export class OidcCredentials implements Credentials {
  readonly #options: OidcCredentialsOptions;
  readonly #issuer: URL;
  readonly #renewal: SharedRenewal<string>;
  #refreshToken: string;

  /** @throws AccessError when the configuration is one that cannot work */
  constructor(options: OidcCredentialsOptions) {
    const { config, clock } = options;
    const issuer = URL.parse(config["idp-issuer-url"] ?? "");
    if (issuer?.protocol !== "https:") {
      throw new AccessError("Cannot use auth-provider oidc: idp-issuer-url is not an https URL");
    }
    if (!config["client-id"]) {
      throw new AccessError("Cannot use auth-provider oidc: there is no client-id");
    }
    this.#options = options;
    this.#issuer = issuer;
    this.#refreshToken = config["refresh-token"] ?? "";
    const token = config["id-token"];
    this.#renewal = new SharedRenewal(clock, () => this.#renew(), token ? issue(token) : undefined);
  }

  async identity(signal: AbortSignal): Promise<ClusterIdentity> {
    const { ca } = await this.#options.base.identity(signal);
    const authorization = checkHeader(`Bearer ${await this.#renewal.current()}`);
    return { authorization, ...ca === undefined ? {} : { ca } };
  }

  forget(): void {
    this.#options.base.forget();
    this.#renewal.forget();
  }

  async #renew(): Promise<Issued<string>> {
    const { config } = this.#options;
    if (this.#refreshToken === "") {
      throw problem("the ID token has ended, and there is no refresh-token to renew it with");
    }
    const endpoint = await this.#findEndpoint();
    const id = config["client-id"] ?? "";
    const secret = config["client-secret"] ?? "";
    const answer = await this.#ask(answerSchema, "the token", {
      url: endpoint,
      form: {
        grant_type: "refresh_token",
        refresh_token: this.#refreshToken,
        // A client without a secret names itself in the form (RFC 6749, 2.3.1).
        ...secret === "" ? { client_id: id } : {},
      },
      ...secret === "" ? {} : { authorization: basic(id, secret) },
    });
    if (answer.refresh_token) this.#refreshToken = answer.refresh_token;
    return issue(answer.id_token);
  }

  async #findEndpoint(): Promise<URL> {
    const url = new URL(this.#issuer);
    url.pathname = `${url.pathname.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const { token_endpoint: text } = await this.#ask(discoverySchema, "its configuration", { url });
    const endpoint = URL.parse(text);
    if (endpoint?.protocol !== "https:") throw problem("its token_endpoint is not an https URL");
    return endpoint;
  }

  /** @param what is asked for, for errors */
  async #ask<Schema extends v.GenericSchema>(
    schema: Schema,
    what: string,
    request: Omit<Parameters<AskProvider>[0], "ca">,
  ): Promise<v.InferOutput<Schema>> {
    const { ask, ca } = this.#options;
    let answer: Awaited<ReturnType<AskProvider>>;
    try {
      answer = await ask({ ...request, ...ca === undefined ? {} : { ca: await ca() } });
    } catch (cause) {
      throw problem(`asking ${this.#issuer.host} for ${what} failed`, cause);
    }
    if (answer.status !== 200) {
      // The text may repeat what was sent.
      throw problem(`${this.#issuer.host} answered ${answer.status} when asked for ${what}`);
    }
    const parsed = v.safeParse(schema, parseJson(answer.text));
    if (parsed.success) return parsed.output;
    throw problem(`the answer of ${this.#issuer.host} to the wish for ${what} makes no sense`);
  }
}

/** The token with the end that it says it has (RFC 7519, 4.1.4); it is not verified here. */
function issue(token: string): Issued<string> {
  const payload = Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8");
  const claims = v.safeParse(claimsSchema, parseJson(payload));
  return { secret: token, ...claims.success ? { expiresAtMs: claims.output.exp * 1000 } : {} };
}

/** RFC 6749, 2.3.1: both parts are encoded as in a form first. */
function basic(id: string, secret: string): string {
  const encode = (text: string): string => new URLSearchParams({ "": text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString("base64")}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // The schemas refuse it.
  }
}

function problem(what: string, cause?: unknown): ClusterError {
  return new ClusterError("no-credential", `Cannot use auth-provider oidc: ${what}`, { cause });
}
