/** The API double in memory takes writes as the suites say. */

import { ApiDouble } from "../fakes/api_double.ts";
import { DoubleTransport } from "../fakes/double_transport.ts";
import { FakeClock } from "../fakes/fake_clock.ts";
import type { WritingTarget } from "../fakes/written_cluster.ts";
import { testClusterWriting } from "./cluster_writing_suite.ts";
import { testStatusWriting } from "./status_writing_suite.ts";

function open(): Promise<WritingTarget> {
  const clock = new FakeClock();
  return Promise.resolve({
    transport: new DoubleTransport(new ApiDouble(), clock),
    clock,
    namespace: "suite",
    pass: () => clock.advance(10),
    close: () => Promise.resolve(),
  });
}

testClusterWriting("API double", open);
testStatusWriting("API double", open);
