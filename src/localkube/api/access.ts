/**
 * Who a client of the API is and what it may do. Pure.
 *
 * Two ways: everybody may do everything (a person's own machine), or each token has rules in the form
 * of RBAC's and what no rule allows is denied. Tokens are kept and compared as digests, so that
 * neither memory nor timing tells one.
 */

/** What one rule allows; `*` stands for anything. The parts of a question must all be allowed. */
export interface AccessRule {
  readonly verbs: readonly string[];
  /** The core group is the empty string. */
  readonly apiGroups: readonly string[];
  /** Plurals; a subresource as `plural/status`. */
  readonly resources: readonly string[];
  /** Empty: every namespace, and what is outside of namespaces. */
  readonly namespaces: readonly string[];
  /** Empty: every name. */
  readonly resourceNames: readonly string[];
  /** Paths of the HTTP API, `*` at the end for what begins so. A rule has these or resources. */
  readonly nonResourceURLs: readonly string[];
}

/** Somebody who may ask. */
export interface ApiUser {
  readonly name: string;
  readonly groups: readonly string[];
  readonly rules: readonly AccessRule[];
}

/** What somebody wants to do. */
export interface AccessQuestion {
  readonly verb: string;
  readonly group: string;
  /** With its subresource: `gateways/status`. */
  readonly resource: string;
  /** Undefined: all namespaces, or outside of them. */
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

/** Finds who a request comes from. */
export interface Authenticator {
  /** Undefined: nobody that is known. */
  identify(authorization: string): Promise<ApiUser | undefined>;
}

const everything: AccessRule = {
  verbs: ["*"],
  apiGroups: ["*"],
  resources: ["*"],
  namespaces: [],
  resourceNames: [],
  nonResourceURLs: ["*"],
};

/** A user who may do everything. */
export function administrator(name: string): ApiUser {
  return { name, groups: ["system:masters", "system:authenticated"], rules: [everything] };
}

/** Everybody is the same person, who may do everything. */
export const openAuthenticator: Authenticator = {
  identify: () => Promise.resolve(administrator("system:local")),
};

/** Whether a rule of `user` allows it. */
export function isAllowed({ rules }: ApiUser, question: AccessQuestion): boolean {
  return rules.some((rule) => allows(rule, question));
}

/** Whether a rule of `user` allows `verb` at `path`, as RBAC has it for what is no resource. */
export function mayDoAtPath(
  { rules }: ApiUser,
  { verb, path }: { readonly verb: string; readonly path: string },
): boolean {
  const fits = (url: string): boolean =>
    url === path || (url.endsWith("*") && path.startsWith(url.slice(0, -1)));
  return rules.some(({ verbs, nonResourceURLs }) => has(verbs, verb) && nonResourceURLs.some(fits));
}

function allows(rule: AccessRule, question: AccessQuestion): boolean {
  const { verb, group, resource, namespace, name } = question;
  return has(rule.verbs, verb) && has(rule.apiGroups, group) && hasResource(rule, resource) &&
    (rule.namespaces.length === 0 ||
      (namespace !== undefined && rule.namespaces.includes(namespace))) &&
    (rule.resourceNames.length === 0 ||
      (name !== undefined && rule.resourceNames.includes(name)));
}

function has(allowed: readonly string[], value: string): boolean {
  return allowed.includes("*") || allowed.includes(value);
}

function hasResource({ resources }: AccessRule, resource: string): boolean {
  const [, subresource] = resource.split("/");
  return has(resources, resource) ||
    (subresource !== undefined && resources.includes(`*/${subresource}`));
}

/** The digest by which a token is known: SHA-256, hex. */
export async function digestOf(token: string): Promise<string> {
  const bytes = new TextEncoder().encode(token);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/** Longer tokens are nobody's. */
const tokenLengthMax = 4096;

/** Knows users by their tokens. */
export class TokenAuthenticator implements Authenticator {
  readonly #users: ReadonlyMap<string, ApiUser>;

  /** @param users by the digest of their token */
  constructor(users: ReadonlyMap<string, ApiUser>) {
    this.#users = users;
  }

  /** How many there are. */
  get userCount(): number {
    return this.#users.size;
  }

  async identify(authorization: string): Promise<ApiUser | undefined> {
    const [, token] = /^Bearer +(\S+) *$/i.exec(authorization.slice(0, tokenLengthMax + 16)) ?? [];
    if (token === undefined || token.length > tokenLengthMax) return undefined;
    return this.#users.get(await digestOf(token));
  }
}
