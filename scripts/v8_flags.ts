/**
 * How the engine of the language is set, in one table: the tasks in deno.json and `build.ts` use it,
 * and a test compares deno.json with it.
 */

/**
 * Young objects are collected in one pause, which takes as long as what survives is large. With the
 * 16 MB that V8 takes by itself a first computation of 10,000 routes was held up for 20 to 30 ms at a
 * time, with 4 MB for 3 ms. Requests through the proxy cost no more, and some memory is saved.
 */
export const v8Flags: readonly string[] = ["--max-semi-space-size=4"];

/** The options of `deno run` and `deno compile` that set them. */
export function v8Options(): string[] {
  return [`--v8-flags=${v8Flags.join(",")}`];
}
