/**
 * Lists that grow from nothing and mostly stay at one element.
 *
 * V8 gives an empty list that is pushed to room for seventeen elements, and a list that began with one
 * room for one. Of the lists that the engine keeps for each route that was a twelfth of its memory.
 */

/** `list` with `element` behind it: the list itself, or a new one when there is none yet. */
export function append<Element>(list: Element[] | undefined, element: Element): Element[] {
  if (list === undefined) return [element];
  list.push(element);
  return list;
}
