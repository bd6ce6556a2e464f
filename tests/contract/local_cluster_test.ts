/** Every implementation of the local cluster keeps the promises of the suite. */

import { defaultStoreLimits } from "../../src/localkube/store_options.ts";
import { MemoryCluster } from "../../src/localkube/store.ts";
import { FakeClock } from "../fakes/fake_clock.ts";
import { openAdmission } from "../fakes/open_admission.ts";
import { testLocalCluster } from "./local_cluster_suite.ts";

testLocalCluster("MemoryCluster", (limits) => {
  let count = 0;
  return new MemoryCluster({
    admission: openAdmission,
    clock: new FakeClock(),
    newUid: () => `uid-${count++}`,
    limits: { ...defaultStoreLimits, ...limits },
    freezesObjects: true,
  });
});
