/**
 * The headers that every answer carries, also those that the server gives without the app.
 *
 * Nothing may be stored, sniffed, framed, embedded or run: the API's answers
 * are data, and hold the names of a private network.
 */

/** Lower-case names with their values. */
export const securityHeaders: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
