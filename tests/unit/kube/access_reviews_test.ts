/**
 * What an operator would lose: an answer of the API server that says no, or nothing, read as a yes.
 */

import { assertEquals, assertRejects } from "@std/assert";
import { reviewAccess, reviewToken } from "../../../src/kube/access_reviews.ts";
import { ClusterError } from "../../../src/kube/cluster_error.ts";
import { ApiDouble } from "../../fakes/api_double.ts";
import { refusal } from "../../fakes/double_reply.ts";
import { DoubleTransport } from "../../fakes/double_transport.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

const { signal } = new AbortController();

function world(): { readonly double: ApiDouble; readonly transport: DoubleTransport } {
  const double = new ApiDouble();
  double.reviews.tokens.set("t1", { user: "jane", groups: ["dev"] });
  double.reviews.tokens.set("t2", { user: "jane", audiences: ["weir", "other"] });
  double.reviews.rights.add("jane get /metrics");
  return { double, transport: new DoubleTransport(double, new FakeClock()) };
}

/** A transport to a server that answers every review with `status`. */
function answering(status: unknown): DoubleTransport {
  const { double, transport } = world();
  double.intercept = () => ({ type: "answer", code: 201, body: JSON.stringify({ status }) });
  return transport;
}

Deno.test("the holder of a token is told with all that authorising needs", async () => {
  assertEquals(await reviewToken(world().transport, "t1", [], signal), {
    name: "jane",
    uid: "uid-of-jane",
    groups: ["dev", "system:authenticated"],
    extra: { "authentication.kubernetes.io/credential-id": ["JTI=jane"] },
  });
  assertEquals(await reviewToken(world().transport, "unknown", [], signal), undefined);
});

Deno.test("a token has to be for one of the audiences", async () => {
  const { transport } = world();
  assertEquals((await reviewToken(transport, "t2", ["weir"], signal))?.name, "jane");
  assertEquals(await reviewToken(transport, "t2", ["elsewhere"], signal), undefined);
  assertEquals(await reviewToken(transport, "t2", [], signal), undefined);
  assertEquals(await reviewToken(transport, "t1", ["weir"], signal), undefined);
  // An authenticator that knows no audiences says yes without naming one.
  const unaware = answering({ authenticated: true, user: { username: "jane" } });
  assertEquals(await reviewToken(unaware, "t1", ["weir"], signal), undefined);
  assertEquals((await reviewToken(unaware, "t1", [], signal))?.name, "jane");
});

Deno.test("a right is a yes of the server and nothing else", async () => {
  const { transport } = world();
  const jane = { name: "jane", groups: [], extra: {} };
  const metrics = { verb: "get", path: "/metrics" };
  assertEquals(await reviewAccess(transport, jane, metrics, signal), true);
  assertEquals(await reviewAccess(transport, jane, { ...metrics, verb: "post" }, signal), false);
  for (const status of [{}, { allowed: "true" }, { allowed: 1 }, { allowed: true, denied: true }]) {
    assertEquals(await reviewAccess(answering(status), jane, metrics, signal), false);
  }
});

Deno.test("answers that are no reviews are failures, not refusals of the caller", async () => {
  for (const status of [undefined, null, [], "x", { authenticated: true, user: {} }]) {
    await assertRejects(() => reviewToken(answering(status), "t1", [], signal), ClusterError);
  }
  const many = { username: "jane", groups: Array.from({ length: 2_000 }, () => "g") };
  await assertRejects(
    () => reviewToken(answering({ authenticated: true, user: many }), "t1", [], signal),
    ClusterError,
  );
});

Deno.test("a connection that broke is tried once more, a refusal is not", async () => {
  const { double, transport } = world();
  let asked = 0;
  double.intercept = () => ++asked === 1 ? { type: "reset" } : undefined;
  assertEquals((await reviewToken(transport, "t1", [], signal))?.name, "jane");
  asked = 0;
  double.intercept = () => {
    asked++;
    return refusal(403, "Forbidden");
  };
  const error = await assertRejects(() => reviewToken(transport, "t1", [], signal), ClusterError);
  assertEquals([error.kind, asked], ["forbidden", 1]);
});
