// What is believed to be gone is taken out of service. A kind is absent only when an API server says
// so, and says it again.

import { assert, assertEquals, assertMatch } from "@std/assert";
import { refusal } from "../../fakes/double_reply.ts";
import { FollowedCluster } from "../../fakes/followed_cluster.ts";

const second = 1_000;
const minute = 60 * second;

/** A followed HTTPRoute collection with the objects a and b, live. */
async function following() {
  const cluster = new FollowedCluster();
  cluster.double.put("HTTPRoute", "a");
  cluster.double.put("HTTPRoute", "b");
  const routes = cluster.follow("HTTPRoute");
  await cluster.clock.settle();
  return { cluster, routes };
}

Deno.test("A kind that the cluster does not have is empty, and read when it comes", async () => {
  const cluster = new FollowedCluster();
  cluster.double.served.delete("ListenerSet");
  const sets = cluster.follow("ListenerSet");
  await cluster.clock.settle();
  assertEquals(sets.calls, ["snapshot 0"]);
  assertMatch(cluster.source.states().get("ListenerSet")?.reason ?? "", /does not have/);
  cluster.double.serve("ListenerSet");
  cluster.double.put("ListenerSet", "a");
  await cluster.clock.advance(15 * second);
  assertEquals(sets.calls, ["snapshot 0", "snapshot 1"]);
  assertEquals(cluster.phases, ["ListenerSet absent", "ListenerSet live"]);
  await cluster.stop();
});

Deno.test("A kind that leaves is empty once that is certain, and comes back", async () => {
  const { cluster, routes } = await following();
  cluster.double.unserve("HTTPRoute");
  await cluster.clock.advance(20 * second);
  assertEquals(routes.objects.size, 0);
  assertEquals(cluster.source.states().get("HTTPRoute")?.phase, "absent");
  cluster.double.serve("HTTPRoute");
  cluster.double.put("HTTPRoute", "c");
  await cluster.clock.advance(20 * second);
  assertEquals(routes.objects.size, 1);
  await cluster.stop();
});

Deno.test("A server that does not know its kinds yet takes no objects away", async () => {
  const { cluster, routes } = await following();
  await cluster.clock.advance(10 * second);
  for (const stream of cluster.double.streams("HTTPRoute")) stream.cut();
  cluster.double.served.delete("HTTPRoute");
  await cluster.clock.advance(4 * second);
  cluster.double.serve("HTTPRoute");
  await cluster.clock.advance(20 * second);
  assert(!routes.calls.includes("snapshot 0"), routes.calls.join());
  assertEquals(routes.objects.size, 2);
  await cluster.stop();
});

// A load balancer that has lost its backends answers 404 for everything. What it does not find was
// taken for gone, Services and Secrets too: all traffic ended, and all statuses were taken back.
Deno.test("A server that finds nothing at all takes no objects away, nor begins with none", async () => {
  const page = refusal(404, "NotFound");
  const { cluster, routes } = await following();
  const services = cluster.follow("Service");
  await cluster.clock.advance(10 * second);
  cluster.double.intercept = () => page;
  for (const kind of ["HTTPRoute", "Service"] as const) {
    for (const stream of cluster.double.streams(kind)) stream.cut();
  }
  const sets = cluster.follow("ListenerSet");
  await cluster.clock.advance(5 * minute);
  assertEquals([routes.calls, services.calls, sets.calls], [["snapshot 2"], ["snapshot 0"], []]);
  assertEquals(cluster.source.states().get("HTTPRoute")?.phase, "stale");
  assertMatch(cluster.source.states().get("Service")?.reason ?? "", /is no API server/);
  cluster.double.intercept = () => undefined;
  await cluster.clock.advance(40 * second);
  const phases = [...cluster.source.states().values()].map(({ phase }) => phase);
  assertEquals(phases, ["live", "live", "live"]);
  await cluster.stop();
});

// For a moment after a CRD was installed its group is listed and not yet served, or the other way round.
Deno.test("A kind whose group is listed and not found is waited for", async () => {
  const { cluster, routes } = await following();
  cluster.double.intercept = ({ path }) =>
    path.startsWith("/apis/gateway") ? refusal(404, "NotFound") : undefined;
  for (const stream of cluster.double.streams("HTTPRoute")) stream.cut();
  await cluster.clock.advance(minute);
  assertEquals(routes.calls, ["snapshot 2"]);
  await cluster.stop();
});
