/** Names of certificates held against hostnames of listeners. Pure. */

/**
 * Whether clients of `hostname` accept a certificate for `dnsName`; both in lower case. A star stands
 * for one whole label (RFC 9525, 6.3). For a hostname with a star, which takes any number of labels
 * here, a name that some of its hosts have is enough.
 */
export function certificateNameCovers(dnsName: string, hostname: string): boolean {
  if (dnsName === hostname) return true;
  if (hostname.startsWith("*.")) return dnsName.endsWith(hostname.slice(1));
  const dot = hostname.indexOf(".");
  return dnsName.startsWith("*.") && dot > 0 && dnsName.slice(1) === hostname.slice(dot);
}
