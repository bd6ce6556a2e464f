/**
 * The readonly form of a value that a schema describes.
 *
 * Schemas give mutable types; what crosses the API is shared with caches and never changed.
 */

/** `T` with every property and element readonly, all the way down. */
export type ReadonlyDeep<T> = T extends readonly (infer Element)[]
  ? readonly ReadonlyDeep<Element>[]
  : T extends object ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
  : T;
