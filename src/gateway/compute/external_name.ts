/**
 * Names that Services of type ExternalName may lead to, where they are allowed at all.
 *
 * Whoever may write a Service chooses the name (CVE-2021-25740), so a name that means this machine is
 * refused. What a name resolves to is known to the data plane alone, which looks at it again.
 */

/** `name` as it is looked up. */
export function normalizeExternalName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

/** Why `externalName` cannot be a backend; undefined: it can. */
export function describeExternalNameFault(externalName: string): string | undefined {
  const name = normalizeExternalName(externalName);
  const quoted = `externalName "${externalName}"`;
  if (name.length > 253 || !name.split(".").every((label) => labelPattern.test(label))) {
    return `${quoted} is not a name, wanted one such as "api.example.com"`;
  }
  const last = name.slice(name.lastIndexOf(".") + 1);
  // Resolvers read these as IPv4 addresses, shortened ones too (RFC 1123, section 2.1).
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(last)) return `${quoted} is an address, wanted a name`;
  if (last === "localhost" || last === "localdomain") return `${quoted} is this machine itself`;
  return undefined;
}

const labelPattern = /^[a-z0-9_](?:[-_a-z0-9]{0,61}[a-z0-9])?$/;
