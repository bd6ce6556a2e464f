/**
 * How many objects of a cluster are read in a second: bytes of a watch to decoded inputs, beside what
 * `JSON.parse` alone takes for the same lines.
 *
 * The objects are HTTPRoutes as a real API server sends them, with `managedFields` of two writers and a
 * status, 3.2 kB each. Target: 20,000 each second.
 *
 *     deno task bench --filter informer
 *     deno run -A tests/bench/informer_bench.ts [RUNS]
 */

import { assertEquals } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";
import { Feed } from "../../src/gateway/feed.ts";
import { ClusterObjectSource } from "../../src/kube/cluster_object_source.ts";
import type { ClusterTransport } from "../../src/kube/cluster_transport.ts";
import { httpRoute } from "../fakes/gateway_objects.ts";
import { type Figure, type FigureSet, reportFigures, sized } from "./bench_report.ts";

const count = sized(20_000, 200);
const chunkBytes = 64 * 1024;

/** The lines of a watch that begins with all objects. */
function makeLines(): readonly string[] {
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    const object = httpRoute(`route-${i}`, {
      hostnames: [`host-${i}.example.com`],
      rules: [{
        matches: [{ path: { type: "PathPrefix", value: `/v${i}` } }],
        backendRefs: [{ name: "web", port: 80 }],
      }],
    }, { uid: `uid-${i}`, resourceVersion: String(i + 1) });
    const metadata = { ...object.metadata, managedFields: managedFields() };
    lines.push(JSON.stringify({ type: "ADDED", object: { ...object, metadata, status } }));
  }
  lines.push(JSON.stringify({
    type: "BOOKMARK",
    object: {
      kind: "HTTPRoute",
      metadata: {
        resourceVersion: String(count + 1),
        annotations: { "k8s.io/initial-events-end": "true" },
      },
    },
  }));
  return lines;
}

const condition = (type: string) => ({
  type,
  status: "True",
  reason: type,
  message: "All is well",
  observedGeneration: 1,
  lastTransitionTime: "2026-01-01T00:00:00Z",
});
const status = {
  parents: [{
    parentRef: { group: "gateway.networking.k8s.io", kind: "Gateway", name: "gw" },
    controllerName: "weir.dev/gateway-controller",
    conditions: [condition("Accepted"), condition("ResolvedRefs"), condition("Programmed")],
  }],
};

function managedFields() {
  const fieldsV1 = Object.fromEntries(
    Array.from({ length: 24 }, (_, i) => [`f:field-${i}`, { "f:name": {}, "f:value": {} }]),
  );
  const entry = { apiVersion: "gateway.networking.k8s.io/v1", fieldsType: "FieldsV1", fieldsV1 };
  return [{ manager: "kubectl", operation: "Apply", ...entry }, {
    manager: "weir",
    operation: "Update",
    ...entry,
  }];
}

function chunksOf(lines: readonly string[]): readonly Uint8Array[] {
  const bytes = new TextEncoder().encode(`${lines.join("\n")}\n`);
  const chunks: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    chunks.push(bytes.subarray(start, start + chunkBytes));
  }
  return chunks;
}

/** A server that sends `chunks` as the watch and knows the kind. */
function transportOf(chunks: readonly Uint8Array[], signal: AbortSignal): ClusterTransport {
  return {
    request: () => Promise.resolve({ resources: [{ name: "httproutes" }] }),
    open: () => Promise.resolve({ chunks: stream(chunks, signal) }),
  };
}

async function* stream(
  chunks: readonly Uint8Array[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield chunk;
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

async function readAll(chunks: readonly Uint8Array[]): Promise<number> {
  const stop = new AbortController();
  const source = new ClusterObjectSource({
    transport: transportOf(chunks, stop.signal),
    clock: systemClock,
    random: () => 0,
    observer: { onState: () => {}, onSnapshot: () => {}, onFault: () => {} },
  });
  let upserts = 0;
  const feed = new Feed({
    source,
    kinds: ["HTTPRoute"],
    clock: systemClock,
    target: {
      upsert: () => {
        upserts++;
        return true;
      },
      delete: () => false,
      markSynced: () => stop.abort(),
    },
  });
  const startMs = performance.now();
  await feed.run(stop.signal);
  assertEquals(upserts, count);
  return performance.now() - startMs;
}

const reading: FigureSet = {
  name: "informer",
  async measure() {
    const lines = makeLines();
    const chunks = chunksOf(lines);
    const startMs = performance.now();
    for (const line of lines) JSON.parse(line);
    const parseMs = performance.now() - startMs;
    const readMs = await readAll(chunks);
    const perSecond = (ms: number): number => Math.round(count / ms * 1000);
    const figures: readonly Figure[] = [
      {
        name: "objects read and decoded each second",
        value: perSecond(readMs),
        unit: "/s",
        note: `${Math.round((lines[0]?.length ?? 0) / 102.4) / 10} kB each`,
      },
      { name: "lines that JSON.parse takes each second", value: perSecond(parseMs), unit: "/s" },
      { name: "time of reading to that of JSON.parse", value: readMs / parseMs, unit: "x" },
    ];
    return figures;
  },
};

await reportFigures(import.meta.main, [reading]);
