/** What came into a list of members and what left it; most of it stayed where it was. */

/** Neither list holds a member twice. Order alone is no difference. */
export function diffMembers<Member>(
  before: readonly Member[],
  after: readonly Member[],
): { readonly added: readonly Member[]; readonly removed: readonly Member[] } {
  if (before === after) return { added: [], removed: [] };
  const shorter = Math.min(before.length, after.length);
  let front = 0;
  while (front < shorter && before[front] === after[front]) front++;
  let back = 0;
  while (back < shorter - front && before.at(-1 - back) === after.at(-1 - back)) back++;
  const old = before.slice(front, before.length - back);
  const now = after.slice(front, after.length - back);
  if (old.length === 0 || now.length === 0) return { added: now, removed: old };
  const oldSet = new Set(old);
  const nowSet = new Set(now);
  return {
    added: now.filter((member) => !oldSet.has(member)),
    removed: old.filter((member) => !nowSet.has(member)),
  };
}
