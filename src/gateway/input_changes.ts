/**
 * Which inputs changed since the last commit: the causes of what changes in the outputs.
 *
 * Notes places, not values, each once, up to a bound; beyond it they are only counted. An object that
 * the filter keeps out is no input and no cause.
 */

import type { ObjectOf } from "../kube/decode/decode.ts";
import type { Kind } from "../kube/kinds.ts";
import type { ObjectKey } from "../kube/object.ts";
import type { FeedTarget } from "./feed.ts";
import { keyOfInput } from "./inputs.ts";

/** An input that came, changed or went. */
export interface InputChange {
  readonly kind: Kind;
  readonly key: ObjectKey;
  /** `acknowledgement`: what a data plane said of this Gateway. */
  readonly source: "object" | "acknowledgement";
  /** The revision that the change made. */
  readonly revision: number;
}

/** The causes of one commit. */
export interface InputCauses {
  /** The first ones, in the order in which they were noted first. */
  readonly changes: readonly InputChange[];
  /** How many there are. */
  readonly count: number;
}

/** What is asked of the state. */
export interface InputChangesState extends FeedTarget {
  readonly revision: number;
  readonly inputs: {
    /** When the object came to be what it is; 0 when that is not known any more. */
    revisionOf(kind: Kind, key: ObjectKey): number;
  };
}

/** Places that are noted between two commits. */
const notedMax = 1000;

/** See the file's header. */
export class InputChanges {
  readonly #state: InputChangesState;
  readonly #noted = new Map<string, InputChange>();
  #uncounted = 0;
  #takenRevision = 0;

  constructor(state: InputChangesState) {
    this.#state = state;
  }

  /** What a feed writes to: the state, and a note of what it took. */
  get target(): FeedTarget {
    const state = this.#state;
    return {
      upsert: <K extends Kind>(kind: K, object: ObjectOf[K]): boolean => {
        const { revision } = state;
        const hasChanged = state.upsert(kind, object);
        if (hasChanged) this.note(kind, keyOfInput(object), "object", revision);
        return hasChanged;
      },
      delete: (kind, key) => {
        const { revision } = state;
        const hasChanged = state.delete(kind, key);
        if (hasChanged) this.note(kind, key, "object", revision);
        return hasChanged;
      },
      markSynced: (kind) => state.markSynced(kind),
    };
  }

  /**
   * Notes a change that the state has just taken. A state that is busy gives it a revision later, but
   * never `revisionBefore`, which it had before the change.
   */
  note(
    kind: Kind,
    key: ObjectKey,
    source: InputChange["source"],
    revisionBefore: number,
  ): void {
    const place = `${source} ${kind} ${key}`;
    if (this.#noted.size >= notedMax && !this.#noted.has(place)) {
      this.#uncounted++;
      return;
    }
    const revision = Math.max(this.#state.revision, revisionBefore + 1);
    this.#noted.set(place, { kind, key, source, revision });
  }

  /** The causes of outputs of `revision`; what is newer is kept for the next ones. */
  take(revision: number, listedMax: number): InputCauses {
    const changes: InputChange[] = [];
    let count = this.#uncounted;
    this.#uncounted = 0;
    for (const [place, noted] of this.#noted) {
      const change = this.#atItsRevision(noted);
      if (change.revision > revision) continue;
      this.#noted.delete(place);
      // Taken in, and then found to be what was there before.
      if (change.revision <= this.#takenRevision) continue;
      count++;
      if (changes.length < listedMax) changes.push(change);
    }
    this.#takenRevision = revision;
    return { changes, count };
  }

  /** The state may take a change in later than it was noted; then it has the newer revision. */
  #atItsRevision(noted: InputChange): InputChange {
    if (noted.source !== "object") return noted;
    const revision = this.#state.inputs.revisionOf(noted.kind, noted.key);
    return revision === 0 || revision === noted.revision ? noted : { ...noted, revision };
  }
}
