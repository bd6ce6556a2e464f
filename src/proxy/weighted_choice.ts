/**
 * Shares of traffic that are exact: smooth weighted round robin.
 *
 * Over any run of as many choices as the weights sum up to (divided by what they have in common),
 * each backend is chosen exactly as often as its weight says, and spread out, not in bursts. The
 * start is random, so that a configuration that changes often does not favour the first backend.
 */

/** Chooses an index by weight. */
export interface WeightedChoice {
  /** The index of the chosen weight; -1: no weight is above zero. */
  next(): number;
}

/** How many choices are skipped at most to get to a random start. */
const START_STEPS_MAX = 64;

/**
 * @param weights not negative
 * @param random in [0, 1); called once
 */
export function weightedChoice(
  weights: readonly number[],
  random: () => number,
): WeightedChoice {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return { next: () => -1 };
  const only = weights.findIndex((weight) => weight === total);
  if (only >= 0) return { next: () => only };
  const choice = new SmoothChoice(weights, total);
  const steps = Math.floor(random() * Math.min(total, START_STEPS_MAX));
  for (let step = 0; step < steps; step++) choice.next();
  return choice;
}

class SmoothChoice implements WeightedChoice {
  readonly #weights: readonly number[];
  readonly #total: number;
  /** What each backend is owed; sums up to zero between two choices. */
  readonly #owed: number[];

  constructor(weights: readonly number[], total: number) {
    this.#weights = weights;
    this.#total = total;
    this.#owed = weights.map(() => 0);
  }

  next(): number {
    let chosen = 0;
    let most = -Infinity;
    for (let index = 0; index < this.#owed.length; index++) {
      const owed = (this.#owed[index] ?? 0) + (this.#weights[index] ?? 0);
      this.#owed[index] = owed;
      if (owed > most) {
        most = owed;
        chosen = index;
      }
    }
    this.#owed[chosen] = most - this.#total;
    return chosen;
  }
}
