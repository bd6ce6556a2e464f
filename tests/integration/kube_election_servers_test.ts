// The suite of the election and of Events on the local cluster's API, which the store in memory stands
// for. Of a real API server it is a part of tests/e2e.

import { testElectionServer } from "../contract/election_suite.ts";
import { openLocalApi } from "../fakes/local_api.ts";

testElectionServer("API of the local cluster", async () => {
  const { clock, ...api } = await openLocalApi();
  return { ...api, clock, hasLists: true, pass: () => clock.sleep(10) };
});
