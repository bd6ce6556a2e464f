// Times of the election that would let two replicas write, or none, are refused before anything runs.

import { assertEquals } from "@std/assert";
import { checkLeaderElection } from "../../../src/config/check_leader_election.ts";
import { leaderElectionFlags } from "../../../src/config/leader_election_flags.ts";

function faultsOf(leaseMs: number, renewMs: number, retryMs: number): readonly string[] {
  return checkLeaderElection({
    leaderElectionLeaseDurationMs: leaseMs,
    leaderElectionRenewDeadlineMs: renewMs,
    leaderElectionRetryPeriodMs: retryMs,
  }).map(({ flag, message }) => `${flag} ${message}`);
}

Deno.test("the defaults fit together, and are those of other controllers", () => {
  const [leaseMs, renewMs, retryMs] = [
    leaderElectionFlags["leader-election-lease-duration"].default,
    leaderElectionFlags["leader-election-renew-deadline"].default,
    leaderElectionFlags["leader-election-retry-period"].default,
  ];
  assertEquals([leaseMs, renewMs, retryMs], [15_000, 10_000, 2_000]);
  assertEquals(faultsOf(leaseMs, renewMs, retryMs), []);
});

Deno.test("each time is shorter than the one before", () => {
  assertEquals(faultsOf(10_000, 10_000, 2_000), [
    "leader-election-renew-deadline is 10s, wanted less than --leader-election-lease-duration (10s)",
  ]);
  assertEquals(faultsOf(15_000, 3_000, 2_000), [
    "leader-election-retry-period is 2s, wanted at most half of --leader-election-renew-deadline (3s)",
  ]);
  assertEquals(faultsOf(15_500, 10_000, 2_000), [
    "leader-election-lease-duration is 15s500ms, wanted whole seconds",
  ]);
});
