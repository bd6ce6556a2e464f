// What a user would lose: an answer about the cluster as it is, and a sentence that says what stands in
// the way where there is none.

import { assert, assertEquals, assertRejects } from "@std/assert";
import { type Kind, kindNames } from "../../../src/kube/kinds.ts";
import {
  type ClusterReading,
  KindReadError,
  KindsForbiddenError,
  readCluster,
  type ReadClusterOptions,
} from "../../../src/kube/read_cluster.ts";
import { TooManyObjectsError } from "../../../src/kube/list_watch.ts";
import { ApiDouble } from "../../fakes/api_double.ts";
import { refusal } from "../../fakes/double_reply.ts";
import { DoubleTransport } from "../../fakes/double_transport.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

const crds = "/customresourcedefinitions/";

function world() {
  const double = new ApiDouble();
  const clock = new FakeClock();
  const paths: string[] = [];
  const answers = new Map<string, () => ReturnType<ApiDouble["intercept"]>>();
  double.intercept = ({ path }) => {
    paths.push(path);
    return answers.get(path)?.() ?? (path.includes(crds) ? refusal(403, "Forbidden") : undefined);
  };
  const read = (
    more: Partial<ReadClusterOptions> = {},
    signal = new AbortController().signal,
  ): Promise<ClusterReading> =>
    readCluster({
      transport: new DoubleTransport(double, clock),
      clock,
      random: () => 0,
      given: new Map(),
      objectsMax: 1000,
      ...more,
    }, signal);
  return { double, clock, paths, answers, read };
}

function names({ objects }: ClusterReading, kind: Kind): readonly string[] | undefined {
  return objects.get(kind)?.map(({ metadata }) => metadata.name);
}

Deno.test("A cluster is read whole, page by page, and what it does not have is empty", async () => {
  const { double, read } = world();
  for (let index = 0; index < 620; index++) double.put("HTTPRoute", `r-${index}`);
  double.unserve("TLSRoute");
  const reading = await read();
  assertEquals(names(reading, "HTTPRoute")?.length, 620);
  assertEquals(reading.absent, ["TLSRoute"]);
  assertEquals([...reading.objects.keys()].sort(), [...kindNames].sort());
  assertEquals(reading.bundleVersions, undefined);
  assertEquals(double.seen.filter(({ type }) => type === "watch" || type === "stream"), []);
});

Deno.test("Namespaces are read one by one; what is given is not asked for", async () => {
  const { double, paths, read } = world();
  for (const namespace of ["a", "b", "c"]) double.put("HTTPRoute", "r", { namespace });
  const given = new Map<Kind, []>([["Secret", []], ["Namespace", []]]);
  const reading = await read({ namespaces: ["a", "c"], given });
  assertEquals(
    reading.objects.get("HTTPRoute")?.map(({ metadata }) => metadata.namespace),
    ["a", "c"],
  );
  assertEquals(names(reading, "Secret"), []);
  assertEquals(paths.filter((path) => /secrets|\/v1\/namespaces$/.test(path)), []);
});

Deno.test("Kinds that only add may be forbidden; of the others all are named", async () => {
  const { double, read } = world();
  double.forbidden.add("TCPRoute");
  const reading = await read();
  assertEquals([...reading.forbidden], [["TCPRoute", "The API server answered 403: Forbidden"]]);
  double.forbidden.add("Secret").add("ReferenceGrant");
  const error = await assertRejects(() => read(), KindsForbiddenError);
  assertEquals(
    [error.kinds, error.message],
    [
      ["ReferenceGrant", "Secret"],
      "Cannot read ReferenceGrant, Secret: The API server answered 403: Forbidden",
    ],
  );
});

Deno.test("Who may not look which kinds there are asks for the objects", async () => {
  const { double, answers, read } = world();
  double.unserve("UDPRoute");
  double.put("HTTPRoute", "r");
  answers.set("/apis/gateway.networking.k8s.io/v1", () => refusal(403, "Forbidden"));
  const reading = await read();
  assertEquals([names(reading, "HTTPRoute"), reading.absent], [["r"], ["UDPRoute"]]);
});

Deno.test("What passes by itself is asked again, for a while", async () => {
  const { double, clock, answers, read } = world();
  double.put("Service", "s");
  let faults = 2;
  answers.set(
    "/api/v1/services",
    () => faults-- > 0 ? refusal(429, "TooManyRequests", { retryAfter: 3 }) : undefined,
  );
  const reading = read();
  await clock.advance(2_900);
  assertEquals(faults, 1);
  await clock.advance(10_000);
  assertEquals(names(await reading, "Service"), ["s"]);
  answers.set("/api/v1/services", () => refusal(503, "ServiceUnavailable"));
  const failed = assertRejects(() => read(), KindReadError, "Cannot read Service: The API server");
  await clock.advance(60_000);
  await failed;
});

Deno.test("A cluster that is too large is refused, by kind and in sum", async () => {
  const { double, read } = world();
  for (let index = 0; index < 6; index++) {
    double.put("Service", `s-${index}`);
    double.put("HTTPRoute", `r-${index}`);
  }
  for (const objectsMax of [5, 11]) {
    const error = await assertRejects(() => read({ objectsMax }), KindReadError);
    assert(error.cause instanceof TooManyObjectsError);
    assertEquals(error.cause.message, `There are more than ${objectsMax} objects`);
  }
  assertEquals((await read({ objectsMax: 12 })).objects.get("Service")?.length, 6);
});

Deno.test("A reading ends when it is told to, and its progress says what is missing", async () => {
  const { answers, clock, read } = world();
  answers.set("/api/v1/configmaps", () => ({ type: "hang" }));
  const stop = new AbortController();
  let waiting: readonly Kind[] = [];
  const reading = read({ onProgress: (progress) => waiting = progress.waiting }, stop.signal);
  const ended = assertRejects(() => reading, Error, "enough");
  await clock.advance(1_000);
  assertEquals(waiting, ["ConfigMap"]);
  stop.abort(new Error("enough"));
  await ended;
});
