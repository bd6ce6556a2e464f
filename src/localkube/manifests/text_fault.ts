/**
 * What the readers of YAML and JSON share: how they tell a fault, and how deep they go.
 */

/** Why a text cannot be read as data, and where. Never holds a piece of the text: it may be secret. */
export interface TextFault {
  /** Into the text that was parsed, in UTF-16 units. */
  readonly offset: number;
  /** Without a final period. */
  readonly message: string;
}

/** Deeper values are refused before anything walks them. Real objects stay below 20. */
export const textNestingMax = 100;
