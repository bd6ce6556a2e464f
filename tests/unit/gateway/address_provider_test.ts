/** Addresses must be predictable and stay: clients and DNS records hold on to them. */

import { assertEquals } from "@std/assert";
import { parseIp } from "../../../src/base/ip_address.ts";
import { AddressPool, type PoolRange } from "../../../src/gateway/address_pool.ts";
import { type AddressClaim, PoolAddressProvider } from "../../../src/gateway/address_provider.ts";
import { object } from "../../fakes/gateway_objects.ts";
import { toKey } from "../../fakes/gateway_world.ts";

function range(first: string, last = first): PoolRange {
  const [from, to] = [parseIp(first), parseIp(last)];
  return { family: from?.family ?? 4, first: from?.value ?? 0n, last: to?.value ?? 0n };
}

function pool(...ranges: readonly PoolRange[]): AddressPool {
  return new AddressPool(ranges.length > 0 ? ranges : [range("10.0.0.1", "10.0.0.3")]);
}

function claim(name: string, rest: Partial<AddressClaim> = {}): AddressClaim {
  return {
    key: toKey(`default/${name}`),
    uid: `uid-${name}`,
    creationTimestamp: "2026-01-01T00:00:00Z",
    requested: [],
    ...rest,
  };
}

function assigned(provider: PoolAddressProvider, ...claims: readonly AddressClaim[]): string[] {
  return [...provider.assign(claims)]
    .map(([key, { addresses, unusable }]) =>
      `${key}=${addresses.join("+")}${unusable.map((text) => `!${text}`).join("")}`
    )
    .sort();
}

Deno.test("Each Gateway gets an address of its own, the oldest first, then by name", () => {
  const claims = [
    claim("b"),
    claim("a"),
    claim("old", { creationTimestamp: "2025-01-01T00:00:00Z" }),
  ];
  const wanted = ["default/a=10.0.0.2", "default/b=10.0.0.3", "default/old=10.0.0.1"];
  assertEquals(assigned(new PoolAddressProvider(pool()), ...claims), wanted);
  assertEquals(assigned(new PoolAddressProvider(pool()), ...claims.toReversed()), wanted);
});

Deno.test("When the pool is used up addresses are shared evenly, in order", () => {
  const claims = ["a", "b", "c", "d", "e"].map((name) => claim(name));
  assertEquals(assigned(new PoolAddressProvider(pool()), ...claims), [
    "default/a=10.0.0.1",
    "default/b=10.0.0.2",
    "default/c=10.0.0.3",
    "default/d=10.0.0.1",
    "default/e=10.0.0.2",
  ]);
});

Deno.test("A Gateway keeps its address when an older one comes and when others go", () => {
  const provider = new PoolAddressProvider(pool());
  assigned(provider, claim("b"), claim("c"));
  assertEquals(
    assigned(provider, claim("a", { creationTimestamp: "2020-01-01T00:00:00Z" }), claim("c")),
    ["default/a=10.0.0.1", "default/c=10.0.0.2"],
  );
});

Deno.test("A Gateway that was deleted and made again is another one", () => {
  const provider = new PoolAddressProvider(pool());
  assigned(provider, claim("a"), claim("b"));
  assertEquals(assigned(provider, claim("a", { uid: "new" }), claim("b")), [
    "default/a=10.0.0.1",
    "default/b=10.0.0.2",
  ]);
});

function stored(name: string, address: string, uid = `uid-${name}`) {
  return object("gateway.networking.k8s.io/v1", "Gateway", name, { uid }, {
    spec: {},
    status: { addresses: [{ type: "IPAddress", value: address }] },
  });
}

Deno.test("After a restart a Gateway has the address that its status names", () => {
  const provider = new PoolAddressProvider(pool());
  provider.observe(stored("b", "10.0.0.1"));
  provider.observe(stored("gone", "10.0.0.2", "another uid"));
  provider.observe(stored("c", "192.0.2.1"));
  assertEquals(assigned(provider, claim("a"), claim("b"), claim("c"), claim("gone")), [
    "default/a=10.0.0.2",
    "default/b=10.0.0.1",
    "default/c=10.0.0.3",
    "default/gone=10.0.0.1",
  ]);
});

Deno.test("A later sight of a status changes nothing, or we would follow what others write", () => {
  const provider = new PoolAddressProvider(pool());
  assigned(provider, claim("a"));
  provider.observe(stored("a", "10.0.0.3"));
  assertEquals(assigned(provider, claim("a")), ["default/a=10.0.0.1"]);
});

Deno.test("A requested address is given when the pool has it, else named as not usable", () => {
  const provider = new PoolAddressProvider(pool());
  const requested = ["10.0.0.1", "203.0.113.1"];
  assertEquals(
    assigned(provider, claim("z", { requested }), claim("a"), claim("any", { requested: [""] })),
    ["default/a=10.0.0.2", "default/any=10.0.0.3", "default/z=10.0.0.1!203.0.113.1"],
  );
});

Deno.test("A Gateway that requests no more keeps the address it has, not one it had before", () => {
  const provider = new PoolAddressProvider(pool());
  const ask = (...requested: readonly string[]) => {
    const given = assigned(provider, claim("a", { requested }), claim("b"));
    // As the engine does: the status that tells of the address comes back.
    const [, address] = given[0]?.split("=") ?? [];
    if (address !== undefined) provider.observe(stored("a", address));
    return given;
  };
  ask("10.0.0.2");
  ask("10.0.0.3");
  assertEquals(ask(), ["default/a=10.0.0.3", "default/b=10.0.0.1"]);
});

Deno.test("A pool of a whole IPv6 network costs nothing", () => {
  const wide = pool(range("fd00::1", "fd00::ffff:ffff:ffff:ffff"));
  assertEquals(assigned(new PoolAddressProvider(wide), claim("a")), ["default/a=fd00::1"]);
  assertEquals([wide.has("FD00:0::2"), wide.has("fe00::1"), wide.has("10.0.0.1")], [
    true,
    false,
    false,
  ]);
});

Deno.test("Ranges that overlap give each address once", () => {
  const overlapping = pool(range("10.0.0.1", "10.0.0.2"), range("10.0.0.1", "10.0.0.3"));
  assertEquals(
    assigned(new PoolAddressProvider(overlapping), claim("a"), claim("b"), claim("c")),
    ["default/a=10.0.0.1", "default/b=10.0.0.2", "default/c=10.0.0.3"],
  );
});

Deno.test("An empty pool gives nothing", () => {
  assertEquals(assigned(new PoolAddressProvider(new AddressPool([])), claim("a")), []);
});
