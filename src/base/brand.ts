/**
 * Branded strings, so that keys of different kinds cannot be mixed up.
 *
 * A brand exists for the type checker only; at run time a branded string is the string itself.
 * Each brand has exactly one constructor, next to the type that it names.
 */

declare const brand: unique symbol;

/** A string that carries the name of what it identifies. */
export type Brand<Name extends string> = string & { readonly [brand]: Name };
