/** Two maps side by side. Pure and lazy. */

/** What a key has in each; undefined where it has nothing. */
export interface Pair<Value> {
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/**
 * Entries that are not the same object; those that are gone come last. Both maps are sorted, so they
 * are walked side by side, and only what differs is looked up; another order is slower and no less
 * right.
 */
export function* changedEntries<Key, Value>(
  before: ReadonlyMap<Key, Value>,
  after: ReadonlyMap<Key, Value>,
): Generator<readonly [Key, Pair<Value>]> {
  if (before === after) return;
  const gone: (readonly [Key, Pair<Value>])[] = [];
  const entries = before.entries();
  let next = entries.next();
  const skipGone = (): void => {
    while (!next.done && !after.has(next.value[0])) {
      gone.push([next.value[0], { before: next.value[1], after: undefined }]);
      next = entries.next();
    }
  };
  for (const [key, value] of after) {
    if (!next.done && next.value[0] !== key) skipGone();
    const current = next.done ? undefined : next.value;
    const isHere = current !== undefined && current[0] === key;
    const old = isHere ? current[1] : before.get(key);
    if (old !== value) yield [key, { before: old, after: value }];
    if (isHere) next = entries.next();
  }
  for (; !next.done; next = entries.next()) {
    const [key, value] = next.value;
    if (!after.has(key)) gone.push([key, { before: value, after: undefined }]);
  }
  yield* gone;
}
