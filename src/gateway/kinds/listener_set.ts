/** ListenerSet as an input: the Gateway that it joins, and its listeners. */

import { identitySlices, type KindSlices, slice } from "./input_kind.ts";

/** The slices of a ListenerSet by name. */
export const listenerSetSlices = {
  ...identitySlices("ListenerSet"),
  parentRef: slice("ListenerSet", 3, "spec.parentRef", (object) => object.spec.parentRef),
  listeners: slice("ListenerSet", 4, "spec.listeners", (object) => object.spec.listeners),
};

/** The same in order. */
export const listenerSetInput: KindSlices<"ListenerSet"> = Object.values(listenerSetSlices);
