/** The store in memory answers the election as the suite says. */

import { FakeClock } from "../fakes/fake_clock.ts";
import { ReplicaMachine } from "../fakes/replica_machine.ts";
import { RestStore } from "../fakes/rest_store.ts";
import { testElectionServer } from "./election_suite.ts";

testElectionServer("store in memory", () => {
  const clock = new FakeClock();
  const machine = new ReplicaMachine(clock, new RestStore(), 0);
  return Promise.resolve({
    transport: {
      open: () => machine.open(),
      // Time passes by itself here: who asks waits for nothing else.
      async request(request) {
        const answer = machine.request(request);
        await clock.advance(10);
        return await answer;
      },
    },
    clock,
    namespace: "default",
    hasLists: false,
    pass: () => clock.advance(10),
    close: () => Promise.resolve(),
  });
});
