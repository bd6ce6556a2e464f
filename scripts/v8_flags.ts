/**
 * How the engine of the language is set, in one table: the tasks in deno.json and `build.ts` use it,
 * and a test compares deno.json with it.
 */

/**
 * Young objects are collected in one pause, which takes as long as what survives is large. With the
 * 16 MB that V8 takes by itself a first computation of 10,000 routes was held up for 20 to 30 ms at a
 * time, with 4 MB for 3 ms. Requests through the proxy cost no more, and some memory is saved.
 *
 * Old objects are collected when the heap has grown by half. V8 by itself lets it grow to several times
 * what lives: 450 MB resident after 10,000 statuses were written, now 330, at no measurable cost.
 */
export const v8Flags: readonly string[] = [
  "--max-semi-space-size=4",
  "--heap-growing-percent=50",
];

/** The options of `deno run` and `deno compile` that set them. */
export function v8Options(): string[] {
  return [`--v8-flags=${v8Flags.join(",")}`];
}
