/** What a user would lose: a status that says what is in service, and a quiet API when nothing changed. */

import { assertEquals } from "@std/assert";
import type { Listener } from "../../../src/dataplane/model.ts";
import { Acknowledgements } from "../../../src/proxy/acknowledgements.ts";
import { refuse } from "../../../src/dataplane/bindings.ts";
import { configOf, gateway, listener } from "../../fakes/data_plane_config.ts";

const http = listener("gw", { port: 80 });
const one = gateway("gw", [http], { addresses: ["10.0.0.1", "10.0.0.2"] });
const open = { listenerPort: (_: string, { port }: Listener) => port + 18_000 };
const closed = { listenerPort: () => undefined };

Deno.test("Acknowledgements.update() tells where each listener is on each address", () => {
  const [told] = new Acknowledgements().update(configOf({ gateways: [one] }), open, []);
  assertEquals(told?.config, one);
  assertEquals(
    told?.listeners.map(({ address, port, boundPort }) => [address, port, boundPort]),
    [["10.0.0.1", 80, 18_080], ["10.0.0.2", 80, 18_080]],
  );
});

Deno.test("Acknowledgements.update() tells again when configuration, ports or refusals change", () => {
  const told = new Acknowledgements();
  const config = configOf({ gateways: [one] });
  const refusal = { gateway: one, refusal: refuse(http, "AddressNotUsable", "no such address") };
  const counts = [
    told.update(config, open, []),
    told.update(config, open, []),
    told.update(config, closed, []),
    told.update(config, closed, [refusal]),
    told.update(config, closed, [refusal]),
    told.update(configOf({ gateways: [{ ...one }] }), closed, [refusal]),
  ].map(({ length }) => length);
  assertEquals(counts, [1, 0, 1, 1, 0, 1]);
});

Deno.test("Acknowledgements.update() tells of a listener that is refused on one address only", () => {
  const half = {
    listenerPort: (address: string) => address === "10.0.0.1" ? 80 : undefined,
  };
  const refusal = { gateway: one, refusal: refuse(http, "PortUnavailable", "taken") };
  const [told] = new Acknowledgements().update(configOf({ gateways: [one] }), half, [refusal]);
  assertEquals(told?.listeners.map(({ address }) => address), ["10.0.0.1"]);
  assertEquals(told?.refusals.map(({ reason }) => reason), ["PortUnavailable"]);
});

Deno.test("Acknowledgements.update() forgets a Gateway that is gone", () => {
  const told = new Acknowledgements();
  const config = configOf({ gateways: [one] });
  told.update(config, open, []);
  assertEquals(told.update(configOf({ gateways: [] }), open, []), []);
  assertEquals(told.update(config, open, []).length, 1);
});
