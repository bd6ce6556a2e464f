/** What a user would lose: a listener that cannot be found, or that a browser refuses to open. */

import { assert, assertEquals } from "@std/assert";
import { SHIFTED_PORTS_MAX, shiftedPorts } from "../../../src/proxy/port_shift.ts";

const nothing = (): boolean => false;

Deno.test("shiftedPorts() adds the shift, and goes on upwards from there", () => {
  assertEquals(shiftedPorts(80, 18_000, nothing).slice(0, 3), [18_080, 18_081, 18_082]);
  assertEquals(shiftedPorts(443, 18_000, nothing)[0], 18_443);
  assertEquals(shiftedPorts(80, 18_000, nothing).length, SHIFTED_PORTS_MAX);
});

Deno.test("shiftedPorts() never goes where a browser does not", () => {
  assertEquals(shiftedPorts(80, 10_000, nothing)[0], 10_081);
  assertEquals(shiftedPorts(60, 6_000, nothing)[0], 6_060);
  assertEquals(shiftedPorts(665, 6_000, nothing)[0], 6_670);
});

Deno.test("shiftedPorts() stays inside the port range and above the privileged ports", () => {
  for (const port of [1, 80, 47_535, 47_536, 50_000, 65_535]) {
    for (const candidate of shiftedPorts(port, 18_000, nothing)) {
      assert(candidate >= 1_024 && candidate <= 65_535, `${port} -> ${candidate}`);
      assert(candidate !== port);
    }
  }
});

Deno.test("shiftedPorts() leaves ports alone that a specification names", () => {
  assertEquals(shiftedPorts(80, 18_000, (port) => port === 18_080)[0], 18_081);
});

Deno.test("shiftedPorts() has nothing to offer without a shift", () => {
  assertEquals(shiftedPorts(80, 0, nothing), []);
});
