/**
 * What random worlds are made of: small sets of names, times and hostnames, because faults live where
 * objects meet.
 */

import fc from "fast-check";
import type { Json } from "./gateway_objects.ts";

/** Namespaces that objects are in. */
export const namespaces = ["default", "apps"] as const;

/** Two ages: the older, and the younger. */
export const times = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"] as const;

/** Hostnames of listeners; they overlap in every way. */
export const listenerHostnames = [
  undefined,
  "a.example.com",
  "*.example.com",
  "b.a.example.com",
] as const;

/** Hostnames of routes. */
export const routeHostnames = [
  "a.example.com",
  "*.example.com",
  "*.a.example.com",
  "other.org",
] as const;

/** Draws a namespace. */
export const inNamespace: fc.Arbitrary<string> = fc.constantFrom(...namespaces);

/** Draws a namespace or none: that of the object that refers. */
export const otherNamespace: fc.Arbitrary<string | undefined> = fc.constantFrom(
  undefined,
  undefined,
  ...namespaces,
);

/** What `metadata` differs in between two objects of one name. */
export interface DrawnMeta {
  readonly namespace: string;
  readonly created: string;
  readonly generation: number;
}

/** Draws metadata. */
export const drawnMeta: fc.Arbitrary<DrawnMeta> = fc.record({
  namespace: inNamespace,
  created: fc.constantFrom(...times),
  generation: fc.integer({ min: 1, max: 3 }),
});

/** Fields without those that are undefined, as JSON has them. */
export function present(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
