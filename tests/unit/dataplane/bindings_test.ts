/** What a user would lose: Gateways that share an address, each with what belongs to it. */

import { assertEquals } from "@std/assert";
import type { GatewayConfig, Listener } from "../../../src/dataplane/model.ts";
import { computeBindings } from "../../../src/dataplane/bindings.ts";
import { configOf, gateway, listener } from "../../fakes/data_plane_config.ts";

function on(name: string, parts: Partial<Listener> = {}): Listener {
  return listener(name, { port: 80, ...parts });
}

function compute(...gateways: readonly GatewayConfig[]): {
  readonly placed: Readonly<Record<string, readonly string[]>>;
  readonly refused: readonly string[];
} {
  const { bindings, refusals } = computeBindings(configOf({ gateways }));
  return {
    placed: Object.fromEntries([...bindings].map(([key, { listeners }]) => [
      key,
      listeners.map(({ gateway, listener }) => `${gateway.key} ${listener.hostname ?? "*"}`),
    ])),
    refused: refusals.map(({ gateway, refusal }) => `${gateway.key}: ${refusal.message}`),
  };
}

Deno.test("computeBindings() makes one binding for each address and port", () => {
  const two = gateway("a", [on("a"), on("a", { port: 8080 })], { addresses: ["10.0.0.1", "::1"] });
  assertEquals(Object.keys(compute(two).placed), [
    "10.0.0.1:80",
    "10.0.0.1:8080",
    "[::1]:80",
    "[::1]:8080",
  ]);
});

Deno.test("computeBindings() gives a hostname to the oldest Gateway, then to the first name", () => {
  const old = gateway("z", [on("z", { hostname: "a.io" })]);
  const young = gateway("b", [on("b", { hostname: "a.io" }), on("b", { hostname: "b.io" })], {
    creationTimestamp: "2026-02-01T00:00:00Z",
  });
  const same = gateway("a", [on("a", { hostname: "a.io" })], {
    creationTimestamp: "2026-02-01T00:00:00Z",
  });
  assertEquals(compute(young, same, old), {
    placed: { "127.0.0.1:80": ["default/z a.io", "default/b b.io"] },
    refused: [
      'default/a: hostname "a.io" on 127.0.0.1:80 belongs to Gateway "default/z", which comes first',
      'default/b: hostname "a.io" on 127.0.0.1:80 belongs to Gateway "default/z", which comes first',
    ],
  });
});

Deno.test("computeBindings() refuses another protocol on a port that is taken", () => {
  const old = gateway("a", [on("a", { hostname: "a.io" })]);
  const young = gateway("b", [on("b", { hostname: "b.io", protocol: "HTTPS" })]);
  assertEquals(compute(old, young).refused, [
    'default/b: 127.0.0.1:80 serves HTTP for Gateway "default/a", and HTTPS cannot ' +
    "share it",
  ]);
});
