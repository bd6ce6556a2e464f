/**
 * What changed in the data plane's configuration, told of the objects that it comes from: Gateways
 * (addresses, listeners), routes (matches in service), Services (endpoints), Secrets (certificates,
 * by digest only).
 *
 * Parts that kept their identity are passed over, and lists of entries are walked side by side, so
 * the cost is that of the lists that changed. Pure and lazy: who wants ten changes pays for ten.
 */

import { equal } from "../../base/equal.ts";
import type {
  Certificate,
  Cluster,
  DataPlaneConfig,
  GatewayConfig,
  GatewayKey,
  HttpRouteEntry,
  Listener,
} from "../../dataplane/model.ts";
import { compareHttpRouteEntries } from "../../dataplane/precedence.ts";
import type { OutputChange } from "./output_change.ts";

/** Every change from `before` to `after`. */
export function* servedChanges(
  before: DataPlaneConfig,
  after: DataPlaneConfig,
): Generator<OutputChange> {
  if (before === after) return;
  for (const [key, config] of changedEntries(before.gateways, after.gateways)) {
    yield* gatewayChanges(key, config.before, config.after);
  }
  for (const [, cluster] of changedEntries(before.clusters, after.clusters)) {
    const known = cluster.after ?? cluster.before;
    if (!known) continue;
    const { kind, namespace, name } = known.origin;
    const path = `endpoints[${known.port}]`;
    const values = { before: endpointsOf(cluster.before), after: endpointsOf(cluster.after) };
    yield* change({ kind, namespace, name, path }, values);
  }
  for (const [key, certificate] of changedEntries(before.certificates, after.certificates)) {
    const [namespace = "", name = ""] = key.split("/");
    const values = { before: digestOf(certificate.before), after: digestOf(certificate.after) };
    yield* change({ kind: "Secret", namespace, name, path: "certificate" }, values);
  }
}

interface Pair<Value> {
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

/**
 * Entries that are not the same object; those that are gone come last. Both maps are sorted, so they
 * are walked side by side, and only what differs is looked up; another order is slower and no less
 * right.
 */
function* changedEntries<Key, Value>(
  before: ReadonlyMap<Key, Value>,
  after: ReadonlyMap<Key, Value>,
): Generator<readonly [Key, Pair<Value>]> {
  if (before === after) return;
  const gone: (readonly [Key, Pair<Value>])[] = [];
  const entries = before.entries();
  let next = entries.next();
  const skipGone = (): void => {
    while (!next.done && !after.has(next.value[0])) {
      gone.push([next.value[0], { before: next.value[1], after: undefined }]);
      next = entries.next();
    }
  };
  for (const [key, value] of after) {
    if (!next.done && next.value[0] !== key) skipGone();
    const current = next.done ? undefined : next.value;
    const isHere = current !== undefined && current[0] === key;
    const old = isHere ? current[1] : before.get(key);
    if (old !== value) yield [key, { before: old, after: value }];
    if (isHere) next = entries.next();
  }
  for (; !next.done; next = entries.next()) {
    const [key, value] = next.value;
    if (!after.has(key)) gone.push([key, { before: value, after: undefined }]);
  }
  yield* gone;
}

type Place = Pick<OutputChange, "kind" | "namespace" | "name" | "path">;

function* change(
  place: Place,
  { before = null, after = null }: { readonly before?: unknown; readonly after?: unknown },
): Generator<OutputChange> {
  if (!equal(before, after)) yield { ...place, before, after };
}

function endpointsOf(cluster: Cluster | undefined): readonly string[] | null {
  return cluster?.endpoints.map(({ address, port }) =>
    `${address.includes(":") ? `[${address}]` : address}:${port}`
  ) ?? null;
}

function digestOf(certificate: Certificate | undefined): unknown {
  return certificate === undefined ? null : { digest: certificate.digest };
}

function* gatewayChanges(
  key: GatewayKey,
  before: GatewayConfig | undefined,
  after: GatewayConfig | undefined,
): Generator<OutputChange> {
  const [namespace = "", name = ""] = key.split("/");
  const place = { kind: "Gateway", namespace, name };
  yield* change({ ...place, path: "served.addresses" }, {
    before: before?.addresses ?? null,
    after: after?.addresses ?? null,
  });
  const listeners = changedEntries(byName(before), byName(after));
  for (const [listener, pair] of listeners) {
    const path = `served.listeners[${listener}]`;
    yield* change({ ...place, path }, {
      before: listenerFacts(pair.before),
      after: listenerFacts(pair.after),
    });
    yield* entryChanges(
      `served[${key}/${listener}]`,
      pair.before?.routes ?? [],
      pair.after?.routes ?? [],
    );
  }
}

function byName(config: GatewayConfig | undefined): ReadonlyMap<string, Listener> {
  return new Map(config?.listeners.map((listener) => [listener.name, listener]));
}

/** What is said of a listener; its routes are told of the routes. */
function listenerFacts(listener: Listener | undefined): unknown {
  if (!listener) return null;
  const { port, protocol, hostname, certificates } = listener;
  return {
    port,
    protocol,
    ...(hostname === undefined ? {} : { hostname }),
    ...(certificates === undefined ? {} : { certificates }),
  };
}

/**
 * Both lists are in the order of precedence, so entries that moved are one gone and one come; they
 * are brought together by their path when both are known.
 */
function* entryChanges(
  prefix: string,
  before: readonly HttpRouteEntry[],
  after: readonly HttpRouteEntry[],
): Generator<OutputChange> {
  if (before === after) return;
  const pairs = new Map<string, { before?: HttpRouteEntry; after?: HttpRouteEntry }>();
  const note = (side: "before" | "after", entry: HttpRouteEntry): void => {
    const id = `${entry.origin.kind} ${entry.origin.namespace}/${entry.origin.name} ` +
      entryPath(prefix, entry);
    const pair = pairs.get(id);
    if (pair) pair[side] = entry;
    else pairs.set(id, { [side]: entry });
  };
  // One route changed among thousands: what is the same at both ends is passed over quickly.
  const shorter = Math.min(before.length, after.length);
  let old = 0;
  while (old < shorter && before[old] === after[old]) old++;
  let tail = 0;
  while (tail < shorter - old && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const oldEnd = before.length - tail;
  const nextEnd = after.length - tail;
  let next = old;
  while (old < oldEnd || next < nextEnd) {
    const a = old < oldEnd ? before[old] : undefined;
    const b = next < nextEnd ? after[next] : undefined;
    const order = a === b ? 0 : !a ? 1 : !b ? -1 : compareHttpRouteEntries(a, b);
    if (a !== b && a && order <= 0) note("before", a);
    if (a !== b && b && order >= 0) note("after", b);
    if (order <= 0) old++;
    if (order >= 0) next++;
  }
  for (const pair of pairs.values()) {
    const entry = pair.after ?? pair.before;
    if (!entry) continue;
    const { kind, namespace, name } = entry.origin;
    yield* change({ kind, namespace, name, path: entryPath(prefix, entry) }, {
      before: entryFacts(pair.before),
      after: entryFacts(pair.after),
    });
  }
}

function entryPath(prefix: string, { ruleIndex, matchIndex, hostname }: HttpRouteEntry): string {
  const host = hostname === undefined ? "" : `.hostnames[${hostname}]`;
  return `${prefix}.rules[${ruleIndex}].matches[${matchIndex}]${host}`;
}

function entryFacts(entry: HttpRouteEntry | undefined): unknown {
  if (!entry) return null;
  const { match, action } = entry;
  return { match, ...action };
}
