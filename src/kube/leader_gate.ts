/**
 * Which replica may write, as those who write ask for it; an election or a process alone fills it.
 *
 * A replica that is paused for longer than its lease wakes up believing that it still leads. So being
 * the leader is not enough: who writes also asks how much of the lease is left, immediately before
 * each write, and gives the request less than that. What a stopped process had sent before is ended
 * by the server's own limit of time, not by ours.
 */

/** See the file's header. */
export interface LeaderGate {
  /** Whether this replica leads, as far as it knows. False as soon as the lease has run out. */
  isLeader(): boolean;
  /**
   * For how long this replica may still write if the lease is not renewed, milliseconds of the
   * monotonic clock, counted from when its last successful renewal was sent. 0 when it may not,
   * `Infinity` when nobody else can lead.
   */
  remainingMs(): number;
  /** Calls `listener` after each change of `isLeader`; the returned function stops that. */
  onChange(listener: () => void): () => void;
}

/** The gate of a process that is alone. */
export const alwaysLeader: LeaderGate = {
  isLeader: () => true,
  remainingMs: () => Infinity,
  onChange: () => () => {},
};
