/** Rules between the settings of the leader election. Pure. */

import type { Config, FlagName } from "./flags.ts";
import { formatDuration } from "./value_type.ts";

/** Every rule that does not hold, with the flag to change. */
export function checkLeaderElection(
  settings: Partial<Config>,
): readonly { readonly flag: FlagName; readonly message: string }[] {
  const {
    leaderElectionLeaseDurationMs: leaseMs,
    leaderElectionRenewDeadlineMs: renewMs,
    leaderElectionRetryPeriodMs: retryMs,
  } = settings;
  if (leaseMs === undefined || renewMs === undefined || retryMs === undefined) return [];
  const faults: { flag: FlagName; message: string }[] = [];
  if (leaseMs % 1000 !== 0) {
    const message = `is ${formatDuration(leaseMs)}, wanted whole seconds`;
    faults.push({ flag: "leader-election-lease-duration", message });
  }
  if (renewMs >= leaseMs) {
    const message = `is ${formatDuration(renewMs)}, wanted less than ` +
      `--leader-election-lease-duration (${formatDuration(leaseMs)})`;
    faults.push({ flag: "leader-election-renew-deadline", message });
  }
  if (retryMs * 2 > renewMs) {
    const message = `is ${formatDuration(retryMs)}, wanted at most half of ` +
      `--leader-election-renew-deadline (${formatDuration(renewMs)})`;
    faults.push({ flag: "leader-election-retry-period", message });
  }
  return faults;
}
