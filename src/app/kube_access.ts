/**
 * Who may use the local cluster's Kubernetes API, and what its clients need for that.
 *
 * On loopback and without a file of tokens everybody may do everything, over plain HTTP. Else there is
 * TLS with a certificate of an authority in memory (kubectl sends no token without it), and whoever
 * has no token is denied. A token for everything is made only for a kubeconfig that somebody asks for.
 */

import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import { isLoopbackHost } from "../config/address_range.ts";
import type { Config } from "../config/flags.ts";
import { DevelopmentCa } from "../localkube/development_ca.ts";
import {
  administrator,
  type ApiUser,
  type Authenticator,
  digestOf,
  openAuthenticator,
  TokenAuthenticator,
} from "../localkube/api/access.ts";
import { TokenFile } from "./token_file.ts";

/** The settings that decide it. */
export type KubeAccessSettings = Pick<
  Config,
  "kubeAddress" | "kubeTokens" | "writeKubeconfig" | "allowedHosts"
>;

/** What it is decided with. */
export interface KubeAccessSurroundings {
  readonly clock: Clock;
  readonly log: Logger;
  readonly readText: (path: string) => Promise<string>;
}

/** How the API is secured, for one start of it. */
export interface KubeAccess {
  readonly authenticator: Authenticator;
  /** PEM; undefined: plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Users that may ask at the start; undefined: everybody. */
  readonly userCount: number | undefined;
  /** What kubectl needs, for an API at `url`. Holds a token. */
  readonly kubeconfig: (url: string) => string;
}

/** As long as the authority: the process has to be started anew before. */
const certificateLifetimeMs = 300 * 24 * 60 * 60 * 1000;

/** Decides it. @throws {AccessFileError}, or what `readText` throws */
export async function openKubeAccess(
  settings: KubeAccessSettings,
  { clock, log, readText }: KubeAccessSurroundings,
): Promise<KubeAccess> {
  const { kubeAddress, kubeTokens, writeKubeconfig } = settings;
  if (kubeTokens === undefined && isLoopbackHost(kubeAddress.host)) {
    return {
      authenticator: openAuthenticator,
      tls: undefined,
      userCount: undefined,
      kubeconfig: (url) => renderKubeconfig(url, undefined, undefined),
    };
  }
  const others = new Map<string, ApiUser>();
  const token = writeKubeconfig === undefined ? undefined : newToken();
  if (token !== undefined) others.set(await digestOf(token), administrator("weir:kubeconfig"));
  const authenticator = kubeTokens === undefined
    ? new TokenAuthenticator(others)
    : await TokenFile.open({ path: kubeTokens, readText, clock, log, others });
  const ca = new DevelopmentCa(clock);
  const issued = await ca.issue(namesOf(settings), certificateLifetimeMs);
  const authority = await ca.certificate();
  return {
    authenticator,
    tls: { cert: issued.certificateChain, key: issued.privateKey },
    userCount: authenticator.userCount,
    kubeconfig: (url) => renderKubeconfig(url, authority, token),
  };
}

/** What the certificate is good for: the address, loopback, and the hosts that are answered to. */
function namesOf({ kubeAddress, allowedHosts }: KubeAccessSettings): readonly string[] {
  const isEverywhere = kubeAddress.host === "0.0.0.0" || kubeAddress.host === "::";
  const own = isEverywhere ? [] : [kubeAddress.host];
  return [...new Set(["localhost", "127.0.0.1", "::1", ...own, ...allowedHosts])];
}

/** 256 bits that nobody can guess. */
function newToken(): string {
  return crypto.getRandomValues(new Uint8Array(32)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}

/** A kubeconfig with one context. JSON, which is YAML. */
function renderKubeconfig(
  server: string,
  authority: string | undefined,
  token: string | undefined,
): string {
  const name = "weir";
  const trust = authority === undefined
    ? {}
    : { "certificate-authority-data": new TextEncoder().encode(authority).toBase64() };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server, ...trust } }],
    users: [{ name, user: token === undefined ? {} : { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
