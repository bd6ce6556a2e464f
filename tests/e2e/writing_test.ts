/**
 * What writing to a cluster relies on, of a real API server: the suite that the double and the local
 * cluster's API pass as well. Without it the double could behave in a way that no server has.
 */

import { systemClock } from "../../src/base/clock.ts";
import { testClusterWriting } from "../contract/cluster_writing_suite.ts";
import { testStatusWriting } from "../contract/status_writing_suite.ts";
import type { WritingTarget } from "../fakes/written_cluster.ts";
import { TestCluster } from "./test_cluster.ts";

async function open(): Promise<WritingTarget> {
  const cluster = await TestCluster.open();
  return {
    transport: cluster.transport,
    clock: systemClock,
    namespace: "demo",
    pass: () => systemClock.sleep(10),
    close: () => Promise.resolve(cluster.close()),
  };
}

testClusterWriting("a real API server", open);
testStatusWriting("a real API server", open);
