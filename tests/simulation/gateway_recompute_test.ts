/**
 * A recompute in slices, and check mode. Without slices a large change stops the proxy for as long as
 * it takes; without check mode a fault of the incremental computation is seen by users first.
 */

import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
} from "@std/assert";
import { InvariantError } from "../../src/base/invariant.ts";
import { type EngineMetrics, noEngineMetrics } from "../../src/gateway/engine_metrics.ts";
import type { StateOptions } from "../../src/gateway/state_options.ts";
import { FakeClock } from "../fakes/fake_clock.ts";
import { GatewayEngine } from "../fakes/gateway_engine.ts";
import {
  gateway,
  gatewayClass,
  httpRoute,
  httpsListener,
  rule,
  service,
} from "../fakes/gateway_objects.ts";
import { testCapabilities, toKey } from "../fakes/gateway_world.ts";

/** Holds every pause between slices until the test lets it go on. */
class SliceClock extends FakeClock {
  #pauses: (() => void)[] = [];
  #lookedMs = 0;
  sliceCount = 0;
  /** Time that passes with each look at it. */
  lookMs = 0;

  override monotonicMs(): number {
    return super.monotonicMs() + (this.#lookedMs += this.lookMs);
  }

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms > 0) return super.sleep(ms, signal);
    this.sliceCount++;
    return new Promise((resolve, reject) => {
      this.#pauses.push(resolve);
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  }

  /** Lets one slice run. False: nobody waits for one. */
  async next(): Promise<boolean> {
    const pause = this.#pauses.shift();
    pause?.();
    await this.settle();
    return pause !== undefined;
  }

  async finish(): Promise<void> {
    while (await this.next());
  }
}

/** An engine whose slices end after each query. */
function sliced(): { readonly made: GatewayEngine; readonly clock: SliceClock } {
  const clock = new SliceClock();
  const made = new GatewayEngine({ clock, sliceMs: 0 });
  made.source.put(
    gatewayClass(),
    gateway("gw"),
    service("web"),
    httpRoute("r"),
    // Paths of their own: that one route comes before another is a change of its own.
    httpRoute("s", { rules: [rule("/s")] }),
  );
  return { made, clock };
}

const route = (path: string) => httpRoute("r", { rules: [rule(path)] });

function pathOf(made: GatewayEngine): string | undefined {
  const [config] = made.state.outputs.dataPlane.gateways.values();
  return config?.listeners[0]?.routes.find(({ origin }) => origin.name === "r")?.match.path.value;
}

Deno.test("State publishes a recompute in slices whole, at its end, and not before the gate", async () => {
  const { made, clock } = sliced();
  await made.run();
  let slices = 0;
  while (await clock.next()) {
    slices++;
    if (clock.sliceCount > slices) assertEquals(made.published.length, 0);
  }
  assert(slices >= 3, `${slices} slices`);
  assertEquals(made.published.length, 1);
  assertEquals(made.state.outputs.statuses.HTTPRoute.size, 2);
  await made.stop();
});

Deno.test("State keeps what comes during a recompute, the newest for each object, and computes it next", async () => {
  const { made, clock } = sliced();
  await made.run();
  await clock.finish();
  made.source.put(route("/first"), httpRoute("t", { rules: [rule("/t")] }));
  await clock.advance(5);
  const before = made.state.outputs;
  const revision = made.state.revision;
  // One slice has run, more are to come.
  made.source.put(route("/second"));
  made.source.put(route("/third"));
  made.source.delete("HTTPRoute", "default/s");
  made.source.put(httpRoute("u"));
  made.source.delete("HTTPRoute", "default/u");
  assertEquals(made.state.revision, revision, "the inputs stand still");
  assertStrictEquals(made.state.outputs, before);
  const settled = made.state.settled();
  await clock.finish();
  assertEquals(made.published.length, 2);
  assertEquals([pathOf(made), made.state.outputs.revision], ["/first", revision]);
  assert(made.state.revision > revision, "what waited is in");
  await clock.advance(5);
  await clock.finish();
  assertEquals(made.published.length, 3);
  assertEquals(pathOf(made), "/third");
  assertEquals([...made.state.outputs.statuses.HTTPRoute.keys()].map(String), [
    "default/r",
    "default/t",
  ]);
  assertStrictEquals(await settled, made.state.outputs);
  await made.stop();
});

Deno.test("State takes thousands that waited in turns, and what comes meanwhile waits behind them", async () => {
  const { made, clock } = sliced();
  await made.run();
  await clock.finish();
  made.source.put(route("/first"));
  await clock.advance(5);
  const waiting = Array.from({ length: 12 }, (_, n) => httpRoute(`w${n}`));
  made.source.put(...waiting, route("/second"));
  clock.lookMs = 1;
  while (made.published.length < 2) assert(await clock.next());
  assertEquals(made.state.isSettled, false, "a turn of them is in, and the others wait");
  const settled = made.state.settled();
  made.source.put(route("/third"));
  for (let n = 0; n < 12; n++) made.source.delete("HTTPRoute", `default/w${n}`);
  clock.lookMs = 0;
  for (let round = 0; round < 20; round++) {
    await clock.finish();
    await clock.advance(5);
  }
  assertStrictEquals(await settled, made.state.outputs);
  assertEquals([pathOf(made), made.state.outputs.statuses.HTTPRoute.size], ["/third", 2]);
  assertEquals(made.state.isSettled, true);
  await made.stop();
});

Deno.test("State takes answers of data planes during a recompute for the next one", async () => {
  const { made, clock } = sliced();
  await made.run();
  await clock.finish();
  const [config] = made.state.outputs.dataPlane.gateways.values();
  assert(config);
  made.source.put(httpRoute("t"));
  await clock.advance(5);
  assert(made.state.acknowledge({ gateway: config.key, config, listeners: [], refusals: [] }));
  await clock.finish();
  await clock.advance(5);
  await clock.finish();
  const status = made.state.outputs.statuses.HTTPRoute.get(toKey("default/s"));
  assertEquals(status?.pending, false);
  await made.stop();
});

Deno.test("State that is stopped in the middle of a recompute publishes nothing of it", async () => {
  const { made, clock } = sliced();
  await made.run();
  await clock.finish();
  made.source.put(route("/new"));
  await clock.advance(5);
  await made.stop();
  assertEquals(made.published.length, 1);
  assertEquals(pathOf(made), "/");
});

/** A State whose queries depend on something that is no input: a list that a test empties. */
function impure(options: Omit<Partial<StateOptions>, "clock">): {
  readonly made: GatewayEngine;
  readonly protocols: ("HTTP" | "HTTPS")[];
} {
  const protocols: ("HTTP" | "HTTPS")[] = ["HTTP", "HTTPS"];
  const made = new GatewayEngine({ dataPlane: { ...testCapabilities, protocols }, ...options });
  made.source.put(gatewayClass(), gateway("gw"), service("web"), httpRoute("r"));
  return { made, protocols };
}

// Nothing is said of a check here: the engines of tests are always in check mode.
Deno.test("Check mode for tests ends a State whose outputs are not those from scratch", async () => {
  const { made, protocols } = impure({});
  const ended = assertRejects(
    () => made.state.run(made.signal),
    InvariantError,
    `Outputs equal those from scratch, the status of Gateway "default/gw" does not`,
  );
  const feeding = made.feed.run(made.signal);
  await made.clock.settle();
  assertEquals(made.published.length, 1);
  protocols.length = 0;
  made.source.put(httpRoute("other"));
  await made.clock.advance(5);
  await ended;
  assertEquals(made.published.length, 1, "what is wrong is not published");
  await made.stop();
  await feeding;
});

Deno.test("Check mode in production tells a difference, computes all anew and goes on", async () => {
  const differences: string[] = [];
  const results: string[] = [];
  const metrics: EngineMetrics = {
    ...noEngineMetrics,
    sampled: (result) => results.push(result),
  };
  const { made, protocols } = impure({
    check: "sample",
    metrics,
    onDifference: (difference) => differences.push(difference),
  });
  await made.run();
  assertEquals([results, differences], [["same"], []]);
  protocols.length = 0;
  made.source.put(httpRoute("other"));
  await made.clock.advance(25);
  assertEquals(results, ["same", "different", "same"]);
  const [difference = ""] = differences;
  assertEquals(differences.length, 1);
  assertStringIncludes(difference, `own listeners "default/gw": the memo differs`);
  assertEquals(made.state.outputs.dataPlane.gateways.size, 0, "no listener is left to serve");
  const told = made.published.at(-1)?.changes.statuses;
  assertEquals(told?.Gateway.map(String), ["default/gw"]);
  // What is right is right again, and nothing more is told.
  const count = made.published.length;
  await made.clock.advance(1000);
  assertEquals(made.published.length, count);
  await made.stop();
});

Deno.test("Check mode in production takes Gateways in turn and gives way to changes", async () => {
  const clock = new SliceClock();
  const results: string[] = [];
  const made = new GatewayEngine({
    clock,
    sliceMs: 0,
    check: "sample",
    metrics: { ...noEngineMetrics, sampled: (result) => results.push(result) },
  });
  made.source.put(gatewayClass(), gateway("gw"), gateway("gw2"), service("web"), httpRoute("r"));
  await made.run();
  while (made.published.length === 0) await clock.next();
  // The sample has begun and waits for its next slice.
  made.source.put(httpRoute("s"));
  await clock.next();
  assertEquals(results, ["cut-short"]);
  await clock.advance(5);
  await clock.finish();
  assertEquals(made.state.outputs.statuses.HTTPRoute.size, 2);
  assertEquals(results, ["cut-short", "same"]);
  await made.stop();
});

Deno.test("Check mode in production looks at one Gateway after another, and finds which is wrong", async () => {
  const results: string[] = [];
  const differences: string[] = [];
  const { made, protocols } = impure({
    check: "sample",
    metrics: { ...noEngineMetrics, sampled: (result) => results.push(result) },
    onDifference: (difference) => differences.push(difference),
  });
  made.source.put(gateway("second", [httpsListener("https", ["cert"])]));
  await made.run();
  // Only the second Gateway has a listener that this is about.
  protocols.splice(protocols.indexOf("HTTPS"), 1);
  made.source.put(httpRoute("s", { rules: [rule("/s")] }));
  await made.clock.advance(5);
  assertEquals(results, ["same", "different", "same"]);
  assertStringIncludes(differences[0] ?? "", `"default/second"`);
  await made.stop();
});

/** A clock on which each look takes a millisecond, as if that was the time of a query. */
class SlowClock extends SliceClock {
  #lookedMs = 0;

  override monotonicMs(): number {
    return super.monotonicMs() + this.#lookedMs++;
  }
}

/** In how many slices a first recompute is done. */
async function slicesOf(options: Pick<StateOptions, "sliceMs">): Promise<number> {
  const clock = new SlowClock();
  const made = new GatewayEngine({ clock, check: "off", ...options });
  made.source.put(gatewayClass(), gateway("gw"), service("web"));
  for (let n = 0; n < 40; n++) made.source.put(httpRoute(`r${n}`, { rules: [rule(`/${n}`)] }));
  await made.run();
  await clock.finish();
  assertEquals(made.published.length, 1);
  await made.stop();
  return clock.sliceCount;
}

Deno.test("State computes for 4 ms of a turn unless told otherwise, half of what a turn may take", async () => {
  // The end of a recompute is followed by its publication, answers and writes in the same turn.
  const [shorter, wanted, longer] = [
    await slicesOf({ sliceMs: 3 }),
    await slicesOf({ sliceMs: 4 }),
    await slicesOf({ sliceMs: 5 }),
  ];
  assert(shorter > wanted && wanted > longer, `${shorter}, ${wanted}, ${longer} slices`);
  assertEquals(await slicesOf({}), wanted);
});
