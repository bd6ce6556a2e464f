/**
 * What an explanation of a status costs, and how long it holds the event loop at a time.
 *
 * One Gateway with 10,000 routes; and the dearest status there is: 64 listeners with certificates of
 * their own on a Gateway that shares its address with 1,000 others. Nothing may hold the loop for
 * more than 10 ms: taking the reads, one condition beyond a slice of 4 ms, the answer as JSON.
 *
 * Run: deno bench tests/bench/explain_bench.ts, or deno run --allow-env --allow-read
 * tests/bench/explain_bench.ts for the parts.
 */

import { assert } from "@std/assert";
import { showGroup, toStatusExplanation } from "../../src/app/status_explanation.ts";
import type { StatusKind } from "../../src/gateway/outputs.ts";
import { AddressPool } from "../../src/gateway/address_pool.ts";
import { PoolAddressProvider } from "../../src/gateway/address_provider.ts";
import { ExplainedEngine } from "../fakes/explained_engine.ts";
import { makeCertificate } from "../fakes/gateway_certificates.ts";
import {
  gateway,
  gatewayClass,
  httpRoute,
  httpsListener,
  listener,
  rule,
  service,
  tlsSecret,
} from "../fakes/gateway_objects.ts";
import { toKey } from "../fakes/gateway_world.ts";

/** One Gateway with many routes. */
async function manyRoutes(count: number): Promise<ExplainedEngine> {
  const engine = new ExplainedEngine({ check: "off" });
  const routes = Array.from(
    { length: count },
    (_, index) => httpRoute(`r${index}`, { rules: [rule(`/${index}`)] }),
  );
  await engine.start(gatewayClass(), gateway("gw"), service("web"), ...routes);
  return engine;
}

/** One Gateway of many listeners among many at the same address. */
async function manyNeighbours(count: number): Promise<ExplainedEngine> {
  const first = 0xc0000201n;
  const addresses = new PoolAddressProvider(
    new AddressPool([{ family: 4, first, last: first }]),
  );
  const engine = new ExplainedEngine({ check: "off", addresses });
  const { certificate, key } = await makeCertificate(["a.example.com"]);
  const names = Array.from({ length: 64 }, (_, index) => `l${index}`);
  const others = Array.from(
    { length: count },
    (_, index) =>
      gateway(`other-${index}`, [listener("http", { hostname: `${index}.example.com` })]),
  );
  await engine.start(
    gatewayClass(),
    gateway("gw", names.map((name) => httpsListener(name, [name], { hostname: `${name}.io` }))),
    ...names.map((name) => tlsSecret(name, { certificate, key })),
    ...others,
  );
  return engine;
}

/** Parts of one explanation: the longest condition, all of them; shown in steps of one group. */
interface Cost {
  readonly openMs: number;
  readonly conditionMs: number;
  readonly stepsMs: number;
  readonly showMs: number;
  readonly jsonMs: number;
  readonly chars: number;
}

function measure(engine: ExplainedEngine, kind: StatusKind, key: string): Cost {
  let lapAt = performance.now();
  const lap = (): number => {
    const now = performance.now();
    const ms = now - lapAt;
    lapAt = now;
    return ms;
  };
  const explainer = engine.open(kind, key);
  const openMs = lap();
  let conditionMs = 0;
  let stepsMs = 0;
  let groups = explainer.step(() => true);
  for (; !groups; groups = explainer.step(() => true)) {
    const ms = lap();
    conditionMs = Math.max(conditionMs, ms);
    stepsMs += ms;
  }
  const at = { epoch: "e", revision: 1, startMs: 0 };
  lap();
  const shown = groups.map((group) => showGroup(group, at));
  const showMs = lap();
  const answer = toStatusExplanation(kind, toKey(key), shown, [], at);
  const text = JSON.stringify(answer);
  const jsonMs = lap();
  assert(groups.length > 0);
  return { openMs, conditionMs, stepsMs, showMs, jsonMs, chars: text.length };
}

if (import.meta.main) {
  const cases = [
    ["Gateway with 10,000 routes", await manyRoutes(10_000), "Gateway", "default/gw"],
    ["one of its routes", await manyRoutes(10_000), "HTTPRoute", "default/r7"],
    ["64 listeners among 1,000 neighbours", await manyNeighbours(1000), "Gateway", "default/gw"],
  ] as const;
  for (const [name, engine, kind, key] of cases) {
    const samples = Array.from({ length: 30 }, () => measure(engine, kind, key));
    const worst = (part: keyof Cost): string =>
      samples.map((sample) => sample[part]).sort((a, b) => a - b)
        .filter((_, index) => index === 15 || index === 29).map((ms) => ms.toFixed(2)).join("/");
    const parts = ["openMs", "conditionMs", "stepsMs", "showMs", "jsonMs", "chars"] as const;
    // deno-lint-ignore no-console -- this is the benchmark's report
    console.log(`${name}: ${parts.map((part) => `${part} ${worst(part)}`).join(", ")}`);
    await engine.stop();
  }
} else {
  const engine = await manyRoutes(10_000);
  Deno.bench("explain a Gateway with 10,000 routes", () => {
    measure(engine, "Gateway", "default/gw");
  });
}
