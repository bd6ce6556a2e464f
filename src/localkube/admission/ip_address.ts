/**
 * IP addresses and blocks in the strict forms that the API server accepts.
 *
 * Leading zeros, zones and IPv4-mapped IPv6 addresses are refused: programs disagree about what
 * they mean.
 */

/** Whether `text` is four decimal numbers of at most 255 without leading zeros. */
export function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 &&
    parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part) && Number(part) <= 255);
}

/** Whether `text` is an IPv6 address (RFC 4291, section 2.2) without a zone. */
export function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2 || text.includes(":::")) return false;
  let groupCount = 0;
  for (const [halfIndex, half] of halves.entries()) {
    if (half === "") continue;
    const groups = half.split(":");
    for (const [index, group] of groups.entries()) {
      const isLast = halfIndex === halves.length - 1 && index === groups.length - 1;
      if (/^[0-9a-fA-F]{1,4}$/.test(group)) groupCount++;
      else if (isLast && isIpv4(group)) groupCount += 2;
      else return false;
    }
  }
  return halves.length === 2 ? groupCount < 8 : groupCount === 8;
}

/** Whether `text` is an IPv4 address, or an IPv6 address that is not an IPv4 address in disguise. */
export function isIpAddress(text: string): boolean {
  return isIpv4(text) || (isIpv6(text) && !/^(0*:)*:?ffff:[0-9.]+$/i.test(text));
}

/** Whether `text` is an address, a slash and a prefix length that fits. */
export function isCidr(text: string): boolean {
  const [address = "", length = "", ...rest] = text.split("/");
  if (rest.length > 0 || !/^(0|[1-9][0-9]{0,2})$/.test(length) || !isIpAddress(address)) {
    return false;
  }
  return Number(length) <= (isIpv4(address) ? 32 : 128);
}
