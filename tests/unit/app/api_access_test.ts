/**
 * Where the API trusts whoever reaches it. What an operator would lose: an API in a pod that sidecars
 * read, or on the network without anybody being asked; and a person, the one on the own machine.
 */

import { assertEquals } from "@std/assert";
import { MetricsRegistry } from "../../../src/base/metrics.ts";
import { type ApiAccess, mountApiAccess } from "../../../src/app/api_access.ts";
import { ApiDouble } from "../../fakes/api_double.ts";
import { refusal } from "../../fakes/double_reply.ts";
import { DoubleTransport } from "../../fakes/double_transport.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import { RecordingLog } from "../../fakes/recording_log.ts";

const tokens = `users:
  - { name: ci, token: "0123456789abcdef-ci", rules: [{ verbs: [get], nonResourceURLs: [/metrics] }] }
  - { name: all, token: "0123456789abcdef-all", rules: [{ verbs: ["*"], nonResourceURLs: ["*"] }] }
  - { name: kube, token: "0123456789abcdef-kube", rules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }] }
`;

interface Options {
  readonly host: string;
  readonly cluster?: "pod" | "kubeconfig";
  readonly tokens?: string;
  readonly audiences?: readonly string[];
}

class World {
  readonly double = new ApiDouble();
  readonly clock = new FakeClock();
  readonly log = new RecordingLog();
  readonly registry = new MetricsRegistry();
  text = tokens;
  readonly access: ApiAccess | undefined;

  constructor({ host, cluster, tokens: apiTokens, audiences = [] }: Options) {
    const transport = new DoubleTransport(this.double, this.clock);
    this.access = mountApiAccess({
      config: { apiAddress: { host, port: 0 }, apiTokens, apiAudiences: audiences },
      cluster: cluster ? { transport, isPod: cluster === "pod" } : undefined,
      readText: () => Promise.resolve(this.text),
      registry: this.registry,
      clock: this.clock,
      log: this.log,
    });
  }

  async check(token: string, path = "/metrics", verb = "get"): Promise<string> {
    const verdict = await this.access?.control.check([`Bearer ${token}`], { verb, path });
    if (!verdict) return "trusted";
    return verdict.allowed ? verdict.caller.name : `${verdict.status} ${verdict.reason}`;
  }
}

Deno.test("a person's own machine is trusted, and nothing else is", () => {
  const loopback = ["127.0.0.1", "127.1.2.3", "::1", "localhost"];
  const others = ["0.0.0.0", "::", "192.0.2.1", "::ffff:192.0.2.1", "weir.example.com"];
  for (const cluster of [undefined, "kubeconfig", "pod"] as const) {
    const more = cluster === undefined ? {} : { cluster };
    for (const host of loopback) {
      assertEquals(new World({ host, ...more }).access === undefined, cluster !== "pod", host);
    }
    for (const host of others) {
      assertEquals(new World({ host, ...more }).access === undefined, false, host);
    }
  }
});

Deno.test("a cluster reviews, in a pod and with a kubeconfig", async () => {
  for (const cluster of ["pod", "kubeconfig"] as const) {
    const world = new World({ host: "0.0.0.0", cluster });
    world.double.reviews.tokens.set("t1", { user: "jane" });
    world.double.reviews.rights.add("jane get /metrics");
    assertEquals(await world.check("t1"), "jane");
    assertEquals(await world.check("t1", "/api/v1/state"), "403 AccessDenied");
    assertEquals(await world.check("t2"), "401 TokenUnknown");
    const text = world.registry.render();
    const count = (review: string, outcome: string): string | undefined =>
      new RegExp(`weir_api_reviews_total\\{review="${review}",outcome="${outcome}"\\} (\\d+)`)
        .exec(text)?.[1];
    assertEquals([count("token", "yes"), count("token", "no")], ["1", "1"]);
    assertEquals([count("access", "yes"), count("access", "no")], ["1", "1"]);
  }
});

Deno.test("the audiences of the settings are those that tokens have to be for", async () => {
  const world = new World({ host: "::", cluster: "pod", audiences: ["weir"] });
  world.double.reviews.tokens.set("t1", { user: "jane" });
  world.double.reviews.tokens.set("t2", { user: "jane", audiences: ["weir"] });
  world.double.reviews.rights.add("jane get /metrics");
  assertEquals(await world.check("t1"), "401 TokenUnknown");
  assertEquals(await world.check("t2"), "jane");
});

Deno.test("reviews that cannot be made are told once, without a token", async () => {
  const world = new World({ host: "::", cluster: "pod" });
  const fault = (code: number, reason: string): void => {
    world.double.intercept = ({ body }) => refusal(code, reason, { message: `cannot do ${body}` });
  };
  fault(403, "Forbidden");
  for (const token of ["secret-a", "secret-b"]) {
    assertEquals(await world.check(token), "503 ReviewForbidden");
  }
  fault(500, "InternalError");
  assertEquals(await world.check("secret-c"), "503 ReviewUnavailable");
  world.double.intercept = () => undefined;
  assertEquals(await world.check("secret-d"), "401 TokenUnknown");
  assertEquals(world.log.records.map(({ level, fields: { why } }) => [level, why]), [
    ["error", "forbidden"],
    ["error", "unavailable"],
    ["info", undefined],
  ]);
  const text = JSON.stringify(world.log.records) + world.registry.render();
  assertEquals(text.includes("secret-"), false);
});

Deno.test("a file of tokens says who may do what, also on loopback", async () => {
  for (const host of ["127.0.0.1", "0.0.0.0"]) {
    const world = new World({ host, tokens: "tokens.yaml" });
    assertEquals(await world.check("0123456789abcdef-ci"), "401 TokenUnknown");
    await world.access?.open();
    assertEquals(await world.check("0123456789abcdef-ci"), "ci");
    assertEquals(await world.check("0123456789abcdef-ci", "/metrics/x"), "403 AccessDenied");
    assertEquals(await world.check("0123456789abcdef-ci", "/metrics", "post"), "403 AccessDenied");
    assertEquals(await world.check("0123456789abcdef-all", "/api/v1/plan", "post"), "all");
    assertEquals(await world.check("0123456789abcdef-kube"), "403 AccessDenied");
    world.text = "users: []";
    await world.clock.advance(5_000);
    assertEquals(await world.check("0123456789abcdef-ci"), "401 TokenUnknown");
  }
});

Deno.test("without a cluster and a file everybody is unknown beyond loopback", async () => {
  const world = new World({ host: "0.0.0.0" });
  await world.access?.open();
  assertEquals(await world.check("0123456789abcdef-ci"), "401 TokenUnknown");
});
