/**
 * What one edit has looked at among many objects that it does not concern. Where that grows with the
 * cluster, a certificate that is renewed or a listener beside others holds everything up.
 */

import { assert, assertEquals } from "@std/assert";
import { IncrementalOutputs } from "../../../src/gateway/incremental_outputs.ts";
import { playedSettings } from "../../fakes/played_gateway_world.ts";
import { makeCertificate } from "../../fakes/gateway_certificates.ts";
import {
  gateway,
  gatewayClass,
  httpRoute,
  httpsListener,
  type Json,
  listener,
  service,
  tlsSecret,
} from "../../fakes/gateway_objects.ts";
import { GatewayWorld, toKey } from "../../fakes/gateway_world.ts";

const gatewayCount = 30;
const routeCount = 50;

class World {
  readonly world = new GatewayWorld();
  readonly computed = new IncrementalOutputs(this.world.inputs, playedSettings.full);

  constructor() {
    this.world.put(gatewayClass(), service("web"));
  }

  settle(): void {
    this.computed.step();
    for (const [key, config] of this.computed.outputs.dataPlane.gateways) {
      const acknowledgement = { gateway: key, config, listeners: [], refusals: [] };
      this.world.inputs.setAcknowledgement(toKey(key), acknowledgement);
    }
    this.computed.step();
  }

  /** The statuses that an edit tells, and how many results it has looked at. */
  looksAt(edit: () => void): { readonly told: number; readonly looked: number } {
    const nothing = this.#step();
    edit();
    const { told, asked } = this.#step();
    return { told, looked: asked - nothing.asked };
  }

  /** A run asks for the time after each result, and a few times besides. */
  #step(): { readonly told: number; readonly asked: number } {
    let asked = 0;
    const published = this.computed.step(() => {
      asked++;
      return false;
    });
    assert(published);
    const { statuses } = published.changes;
    return { told: Object.values(statuses).flat().length, asked };
  }
}

/** Gateways at one address, told apart by hostname, with a route each. */
function sharedAddress(): { readonly world: World; edit(index: number, rest: Json): () => void } {
  const world = new World();
  const put = (index: number, rest: Json = {}): void => {
    world.world.put(
      gateway(`gw-${index}`, [listener("http", { hostname: `h${index}.example`, ...rest })]),
    );
    world.world.address(`default/gw-${index}`, ["192.0.2.1"]);
  };
  for (let index = 0; index < gatewayCount; index++) {
    put(index);
    world.world.put(httpRoute(`route-${index}`, { parentRefs: [{ name: `gw-${index}` }] }));
  }
  world.settle();
  return { world, edit: (index, rest) => () => put(index, rest) };
}

Deno.test("A changed listener has no other Gateway at its address looked at", () => {
  const { world, edit } = sharedAddress();
  const { told, looked } = world.looksAt(edit(3, { hostname: "new.example" }));
  assert(told <= 2 && looked <= 20, `told ${told}, looked at ${looked}`);
});

Deno.test("A listener that takes a neighbour's port has the two looked at, and no third one", () => {
  const { world, edit } = sharedAddress();
  const { told, looked } = world.looksAt(edit(3, { hostname: "h4.example" }));
  // Each Gateway looks up what it lost.
  assert(told >= 2 && looked <= gatewayCount + 25, `told ${told}, looked at ${looked}`);
});

Deno.test("A renewed certificate has no route of its Gateway looked at", async () => {
  const [one, two] = [await makeCertificate(["a.test"]), await makeCertificate(["a.test"])];
  const world = new World();
  world.world.put(gateway("gw", [httpsListener("https", ["cert"])]), tlsSecret("cert", one));
  for (let index = 0; index < routeCount; index++) world.world.put(httpRoute(`route-${index}`));
  world.settle();
  const { told, looked } = world.looksAt(() => {
    world.world.put(tlsSecret("cert", two));
  });
  assertEquals([told, looked <= 5], [0, true], `looked at ${looked}`);
});

Deno.test("A port that is added to a Service has no route to its other port looked at", () => {
  const world = new World();
  world.world.put(gateway("gw"));
  for (let index = 0; index < routeCount; index++) world.world.put(httpRoute(`route-${index}`));
  world.settle();
  const { told, looked } = world.looksAt(() => {
    world.world.put(
      service("web", { ports: [{ name: "http", port: 80 }, { name: "b", port: 9 }] }),
    );
  });
  assertEquals([told, looked <= 5], [0, true], `looked at ${looked}`);
});
