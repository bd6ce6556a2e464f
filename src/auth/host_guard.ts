/**
 * Keeps web pages of strangers away from an API that trusts its network place (DNS rebinding).
 *
 * A page on the attacker's name can make a browser connect here, but it cannot choose the `Host` and
 * `Origin` that the browser sends. So `Host` must be one that no stranger can own, or one that the
 * operator allowed; and `Origin`, where there is one, must be this server's own or allowed. Pages
 * also send requests without `Origin` (images, forms of old browsers): anything that changes state
 * or opens a stream is refused when the browser says that another site asked for it.
 * Programs such as curl send no `Origin` and pass. This is no authentication. Pure.
 */

import {
  type Authority,
  hostOfSocketAddress,
  isLoopbackAddress,
  matchesHostPattern,
  parseAuthority,
  parseHostPattern,
} from "./authority.ts";

/** Which hosts a port answers to, besides loopback and its own address. */
export interface HostPolicy {
  /** Canonical patterns of {@linkcode parseHostPattern}. */
  readonly allowedHosts: readonly string[];
}

/** What the guard looks at, as it stands in the request. */
export interface RequestFacts {
  readonly method: string;
  /** The request target: a path or an absolute URL. */
  readonly target: string;
  /** Every `Host` line. */
  readonly hosts: readonly string[];
  /** Every `Origin` line. */
  readonly origins: readonly string[];
  /** The `Sec-Fetch-Site` line, when there is one. */
  readonly fetchSite: string | undefined;
  /** The address of this machine that the connection arrived at, as the socket reports it. */
  readonly localAddress: string | undefined;
  /** Whether the answer is a stream that holds resources while it is open. */
  readonly isStream: boolean;
}

/** Why a request is refused; the words are stable. */
export type GuardReason =
  | "HostMissing"
  | "HostDuplicate"
  | "HostMalformed"
  | "HostMismatch"
  | "TargetMalformed"
  | "HostNotAllowed"
  | "OriginNotAllowed"
  | "CrossSiteRequest";

/** The guard's answer. */
export type GuardVerdict =
  | { readonly allowed: true }
  | {
    readonly allowed: false;
    /**
     * 400 for a request that HTTP itself forbids (RFC 9112 3.2), else 403. Not 421: browsers answer
     * that by trying again on another connection, which cannot help.
     */
    readonly status: 400 | 403;
    readonly reason: GuardReason;
    /** For a person; holds nothing longer than a host. */
    readonly detail: string;
  };

/**
 * The policy of `--allowed-hosts`.
 *
 * @throws {TypeError} for an entry that is neither a host, nor an IP address, nor `*.suffix`
 */
export function createHostPolicy(allowedHosts: readonly string[]): HostPolicy {
  return {
    allowedHosts: allowedHosts.map((text) => {
      const pattern = parseHostPattern(text);
      if (pattern !== undefined) return pattern;
      throw new TypeError(
        `Read allowed hosts: "${text}" is no host, wanted a name, an IP address or "*.suffix"`,
      );
    }),
  };
}

/** Decides about one request, before anything of it is interpreted. */
export function guardRequest(policy: HostPolicy, facts: RequestFacts): GuardVerdict {
  const [host, ...moreHosts] = facts.hosts;
  if (host === undefined || host === "") {
    return malformed("HostMissing", "has no Host header, wanted exactly one");
  }
  if (moreHosts.length > 0) {
    return malformed("HostDuplicate", "has more than one Host header, wanted exactly one");
  }
  const authority = parseAuthority(host);
  if (!authority) {
    return malformed("HostMalformed", "has a malformed Host header, wanted a host and port");
  }
  const target = facts.target.startsWith("/") ? authority : targetAuthority(facts.target);
  if (!target) {
    return malformed("TargetMalformed", "has a target that is neither a path nor a URL of http");
  }
  if (target.host !== authority.host || target.port !== authority.port) {
    return malformed("HostMismatch", "has a target for another host than its Host header");
  }
  if (!isHostAllowed(policy, authority, facts.localAddress)) {
    return forbidden(
      "HostNotAllowed",
      `Check host: "${authority.host}" is not a host of this server, wanted a loopback name, ` +
        "the address that it listens on or a host of --allowed-hosts",
    );
  }
  return guardOrigin(policy, facts, authority);
}

/**
 * Whether a stranger cannot own `host`.
 *
 * `localhost` and every name below it count: RFC 6761 reserves them, so nobody can register one, and
 * browsers resolve them to loopback without asking DNS. The unspecified addresses (`0.0.0.0`, `::`)
 * do not count, although they reach this machine: pages of any site can name them.
 */
function isHostAllowed(
  policy: HostPolicy,
  authority: Authority,
  localAddress: string | undefined,
): boolean {
  const { host, isIpAddress } = authority;
  if (host === "0.0.0.0" || host === "::") return false;
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  if (isLoopbackAddress(authority)) return true;
  // An IP address cannot be rebound. Only the address that was dialled is taken: probes of a kubelet
  // and scrapes by pod address work, whatever the port is bound to.
  if (isIpAddress && localAddress !== undefined && hostOfSocketAddress(localAddress) === host) {
    return true;
  }
  return policy.allowedHosts.some((pattern) => matchesHostPattern(host, pattern));
}

function guardOrigin(policy: HostPolicy, facts: RequestFacts, own: Authority): GuardVerdict {
  if (facts.origins.length > 0) {
    // Every Origin is checked, also on plain reads: no page of another origin could read the answer.
    if (facts.origins.every((origin) => isOriginAllowed(policy, origin, own))) return allowed;
    return forbidden(
      "OriginNotAllowed",
      "Check origin: a page of another origin sent this, wanted this server's own origin or a " +
        "host of --allowed-hosts",
    );
  }
  const isSafe = facts.method === "GET" || facts.method === "HEAD" || facts.method === "OPTIONS";
  if (isSafe && !facts.isStream) return allowed;
  // `same-site` is another port of the same host, such as somebody else's server on localhost.
  const { fetchSite } = facts;
  if (fetchSite === undefined || fetchSite === "same-origin" || fetchSite === "none") {
    return allowed;
  }
  return forbidden(
    "CrossSiteRequest",
    "Check origin: a page of another site caused this request, wanted a request of this server",
  );
}

/** Same origin, or a page on a host that the operator allowed. `null` is neither. */
function isOriginAllowed(policy: HostPolicy, origin: string, own: Authority): boolean {
  const match = /^(https?):\/\/([^/?#@\\]+)$/.exec(origin);
  const authority = match ? parseAuthority(match[2] ?? "") : undefined;
  if (!authority) return false;
  // Behind a proxy that ends TLS the origin says https and this server does not know. The scheme
  // therefore only gives the default port.
  const defaultPort = match?.[1] === "https" ? 443 : 80;
  const isSame = authority.host === own.host &&
    (authority.port ?? defaultPort) === (own.port ?? defaultPort);
  return isSame ||
    policy.allowedHosts.some((pattern) => matchesHostPattern(authority.host, pattern));
}

/** The authority of a target in absolute form (RFC 9112 3.2.2). */
function targetAuthority(target: string): Authority | undefined {
  const match = /^https?:\/\/([^/?#]+)/i.exec(target);
  return match ? parseAuthority(match[1] ?? "") : undefined;
}

const allowed: GuardVerdict = { allowed: true };

function malformed(reason: GuardReason, fault: string): GuardVerdict {
  return { allowed: false, status: 400, reason, detail: `Check request: it ${fault}` };
}

function forbidden(reason: GuardReason, detail: string): GuardVerdict {
  return { allowed: false, status: 403, reason, detail };
}
