/** The API double in memory reads as the suite says. */

import { objectKey } from "../../src/kube/object.ts";
import { ApiDouble } from "../fakes/api_double.ts";
import { DoubleTransport } from "../fakes/double_transport.ts";
import { FakeClock } from "../fakes/fake_clock.ts";
import { testClusterReading } from "./cluster_reading_suite.ts";

for (const canStream of [true, false]) {
  testClusterReading(`API double ${canStream ? "with" : "without"} streaming lists`, () => {
    const double = new ApiDouble();
    double.canStream = canStream;
    const clock = new FakeClock();
    return Promise.resolve({
      transport: new DoubleTransport(double, clock),
      clock,
      namespace: "suite",
      put(name, data) {
        double.put("ConfigMap", name, { namespace: "suite", data });
        return Promise.resolve();
      },
      remove(name) {
        double.remove("ConfigMap", objectKey("suite", name));
        return Promise.resolve();
      },
      pass: () => clock.advance(10),
      close: () => Promise.resolve(),
    });
  });
}
