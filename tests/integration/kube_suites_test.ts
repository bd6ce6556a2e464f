// The suites of reading, writing and electing on a server that the double stands for: the local cluster's API. Of
// a real one they are a part of tests/e2e.

import { systemClock } from "../../src/base/clock.ts";
import { testClusterReading } from "../contract/cluster_reading_suite.ts";
import { testClusterWriting } from "../contract/cluster_writing_suite.ts";
import { testElectionServer } from "../contract/election_suite.ts";
import { testStatusWriting } from "../contract/status_writing_suite.ts";
import { openLocalApi } from "../fakes/local_api.ts";
import { restTarget } from "../fakes/rest_target.ts";
import type { WritingTarget } from "../fakes/written_cluster.ts";

testClusterReading("API of the local cluster", async () => restTarget(await openLocalApi()));

async function openWriting(): Promise<WritingTarget> {
  return { ...await openLocalApi(), pass: () => systemClock.sleep(10) };
}

testClusterWriting("API of the local cluster", openWriting, { waitsForFinalizers: false });
testStatusWriting("API of the local cluster", openWriting);
testElectionServer("API of the local cluster", async () => ({
  ...await openWriting(),
  hasLists: true,
}));
