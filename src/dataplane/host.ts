/**
 * Hostnames of requests and how a value is found for one: exact names, then wildcards, then none.
 *
 * A wildcard stands for one or more labels and never for the bare domain: `*.example.com` matches
 * `a.example.com` and `a.b.example.com`, not `example.com` (Gateway API, Hostname). A lookup costs
 * one step for each label of the host, however many hostnames there are.
 */

/**
 * The host of an authority for matching: lower case, without port and without one trailing dot.
 * An IPv6 literal keeps its brackets.
 */
export function normalizeHost(authority: string): string {
  let end = authority.length;
  if (authority.charCodeAt(0) === BRACKET) {
    const close = authority.indexOf("]");
    if (close > 0) end = close + 1;
  } else {
    const colon = authority.indexOf(":");
    if (colon >= 0) end = colon;
    if (end > 1 && authority.charCodeAt(end - 1) === DOT) end--;
  }
  const host = end === authority.length ? authority : authority.slice(0, end);
  return HAS_UPPER_CASE.test(host) ? host.toLowerCase() : host;
}

const BRACKET = 0x5b;
const DOT = 0x2e;
const HAS_UPPER_CASE = /[A-Z]/;

/** Whether `host` (normalised) is matched by `hostname`: exact, `*.suffix`, or absent for all. */
export function hostMatches(hostname: string | undefined, host: string): boolean {
  if (hostname === undefined || hostname === "*" || hostname === host) return true;
  return hostname.startsWith("*.") && host.length >= hostname.length &&
    host.endsWith(hostname.slice(1));
}

/** Values by hostname, found in the order of specificity. */
export class HostIndex<Value> {
  readonly #exact = new Map<string, Value>();
  /** By the suffix behind the star, with its dot. */
  readonly #wildcard = new Map<string, Value>();
  #any: Value | undefined;

  /** The value for exactly this hostname, as it stands in a specification. */
  get(hostname: string | undefined): Value | undefined {
    if (hostname === undefined || hostname === "*") return this.#any;
    return hostname.startsWith("*.")
      ? this.#wildcard.get(hostname.slice(1))
      : this.#exact.get(hostname);
  }

  /** Puts `value` in the place of what `hostname` had. */
  set(hostname: string | undefined, value: Value): void {
    if (hostname === undefined || hostname === "*") this.#any = value;
    else if (hostname.startsWith("*.")) this.#wildcard.set(hostname.slice(1), value);
    else this.#exact.set(hostname, value);
  }

  /** The value of the most specific hostname that matches `host` (normalised). */
  find(host: string): Value | undefined {
    return this.first(host, undefined, identity<Value>);
  }

  /**
   * Hands the matching values to `accept`, the most specific hostname first, until it returns
   * something else than undefined; that is the result.
   */
  first<Context, Result>(
    host: string,
    context: Context,
    accept: (value: Value, context: Context) => Result | undefined,
  ): Result | undefined {
    const exact = this.#exact.get(host);
    if (exact !== undefined) {
      const result = accept(exact, context);
      if (result !== undefined) return result;
    }
    if (this.#wildcard.size > 0) {
      for (let dot = host.indexOf(".", 1); dot >= 0; dot = host.indexOf(".", dot + 1)) {
        const value = this.#wildcard.get(host.slice(dot));
        if (value === undefined) continue;
        const result = accept(value, context);
        if (result !== undefined) return result;
      }
    }
    return this.#any === undefined ? undefined : accept(this.#any, context);
  }
}

function identity<Value>(value: Value): Value {
  return value;
}
