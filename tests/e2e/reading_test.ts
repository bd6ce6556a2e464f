/**
 * What reading a cluster relies on, of a real API server: the suite that the double and the local
 * cluster's API pass as well. Without it the double could behave in a way that no server has.
 */

import { systemClock } from "../../src/base/clock.ts";
import { testClusterReading } from "../contract/cluster_reading_suite.ts";
import { restTarget } from "../fakes/rest_target.ts";
import { TestCluster } from "./test_cluster.ts";

testClusterReading("a real API server", async () => {
  const cluster = await TestCluster.open();
  return restTarget({
    transport: cluster.transport,
    clock: systemClock,
    namespace: "demo",
    close: () => Promise.resolve(cluster.close()),
  });
});
