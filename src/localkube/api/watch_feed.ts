/**
 * Watches as clients of the API see them: lines of events from a moment on.
 *
 * An object that leaves the selection is DELETED, one that enters it is ADDED. A watch that starts
 * with the present first sends everything as ADDED; with `sendInitialEvents` a bookmark says where
 * that ends. A watch ends in good order after `timeoutSeconds`, or half an hour to an hour.
 */

import type { Clock } from "../../base/clock.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { StopWatch, WatchEvent } from "../store_contract.ts";
import type { MemoryCluster } from "../store.ts";
import { badRequest, statusObject } from "./api_status.ts";
import type { LineSink } from "./api_request.ts";
import { readCount, readSelection, type Selection } from "./list_query.ts";
import { renderBookmark, type RenderOptions, renderWatched } from "./render_objects.ts";

/** What a watch is made of. */
export interface WatchFeedOptions {
  readonly cluster: Pick<MemoryCluster, "list" | "watch" | "resourceVersion">;
  readonly clock: Clock;
  /** Uniform in [0, 1): spreads the ends of watches without a timeout. */
  readonly random: () => number;
  readonly render: Omit<RenderOptions, "nowMs">;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly query: URLSearchParams;
}

/** Between two bookmarks on a watch that asked for them, milliseconds. */
const bookmarkMs = 60_000;
/** The shortest life of a watch that names none, milliseconds; at most twice that. */
const lifeMinMs = 30 * 60_000;

/** How a watch begins. */
interface Beginning {
  /** Undefined: with what there is now. */
  readonly resourceVersion: string | undefined;
  readonly endsInitialEvents: boolean;
}

/**
 * Checks the parameters of a watch and returns what starts it.
 *
 * @throws {ApiRefusal} 400 for parameters that no watch has
 */
export function prepareWatch(options: WatchFeedOptions): (sink: LineSink) => () => void {
  const { render, query, name } = options;
  const selection = readSelection(render.resource.kind, query, name);
  const beginning = readBeginning(query);
  const timeoutSeconds = readCount(query, "timeoutSeconds") ?? 0;
  const lifeMs = timeoutSeconds > 0
    ? Math.min(timeoutSeconds * 1000, 2 * lifeMinMs)
    : lifeMinMs * (1 + options.random());
  return (sink) => new WatchFeed(options, selection, sink).start(beginning, lifeMs);
}

function readBeginning(query: URLSearchParams): Beginning {
  const version = query.get("resourceVersion") ?? "";
  const match = query.get("resourceVersionMatch") ?? "";
  const initial = query.get("sendInitialEvents");
  if (initial === null) {
    if (match !== "") {
      throw badRequest(
        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is set",
      );
    }
    const isNow = version === "" || version === "0";
    return { resourceVersion: isNow ? undefined : version, endsInitialEvents: false };
  }
  if (match !== "NotOlderThan") {
    throw badRequest("sendInitialEvents requires resourceVersionMatch to be NotOlderThan");
  }
  if (version !== "" && !/^\d{1,15}$/.test(version)) {
    throw badRequest(`resourceVersion: Invalid value: ${JSON.stringify(version.slice(0, 100))}`);
  }
  if (initial === "true" || initial === "1") {
    return { resourceVersion: undefined, endsInitialEvents: isTrue(query, "allowWatchBookmarks") };
  }
  return { resourceVersion: version === "" ? "now" : version, endsInitialEvents: false };
}

/** Whether a boolean parameter is on, in the spellings of the API server. */
export function isTrue(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && !["", "0", "f", "false", "F", "FALSE", "False"].includes(value);
}

class WatchFeed {
  readonly #options: WatchFeedOptions;
  readonly #selection: Selection;
  readonly #sink: LineSink;
  readonly #cancels: (() => void)[] = [];
  #isFirst = true;
  #isOver = false;

  constructor(options: WatchFeedOptions, selection: Selection, sink: LineSink) {
    this.#options = options;
    this.#selection = selection;
    this.#sink = sink;
  }

  start(beginning: Beginning, lifeMs: number): () => void {
    const { cluster, clock, render, query, namespace } = this.#options;
    const { kind } = render.resource;
    let from = beginning.resourceVersion;
    if (from === "now") from = cluster.resourceVersion;
    if (from === undefined) {
      const list = cluster.list(kind, namespace);
      from = list.resourceVersion;
      for (const item of list.items) if (this.#selection.matches(item)) this.#send("ADDED", item);
      if (beginning.endsInitialEvents) this.#bookmark(true);
    }
    const watch = cluster.watch(kind, from, (event) => this.#onEvent(event));
    if (!watch.ok) {
      // As the API server's watch cache answers: the stream is open already.
      this.#line("ERROR", statusObject(watch.error));
      this.#sink.end();
      return () => {};
    }
    this.#cancels.push(watch.stop satisfies StopWatch);
    this.#cancels.push(clock.after(lifeMs, () => {
      this.#stop();
      this.#sink.end();
    }));
    if (isTrue(query, "allowWatchBookmarks")) this.#armBookmark();
    return () => this.#stop();
  }

  #stop(): void {
    this.#isOver = true;
    for (const cancel of this.#cancels) cancel();
  }

  #armBookmark(): void {
    this.#cancels[2] = this.#options.clock.after(bookmarkMs, () => {
      if (this.#isOver) return;
      this.#bookmark(false);
      this.#armBookmark();
    });
  }

  #bookmark(endsInitialEvents: boolean): void {
    const { cluster, render } = this.#options;
    const full = { ...render, nowMs: 0 };
    this.#line("BOOKMARK", renderBookmark(cluster.resourceVersion, endsInitialEvents, full));
  }

  #onEvent({ type, object, previous }: WatchEvent): void {
    const { namespace } = this.#options;
    if (this.#isOver) return;
    if (namespace !== undefined && object.metadata.namespace !== namespace) return;
    const { matches } = this.#selection;
    if (type !== "MODIFIED") {
      if (matches(object)) this.#send(type, object);
      return;
    }
    const isIn = matches(object);
    const wasIn = previous === undefined ? isIn : matches(previous);
    if (isIn) this.#send(wasIn ? "MODIFIED" : "ADDED", object);
    else if (wasIn && previous) {
      // The last state that was selected, at the version of the change that ended that.
      const { resourceVersion } = object.metadata;
      this.#send("DELETED", { ...previous, metadata: { ...previous.metadata, resourceVersion } });
    }
  }

  #send(type: WatchEvent["type"], object: KubeObject): void {
    const options = { ...this.#options.render, nowMs: this.#options.clock.now() };
    this.#line(type, renderWatched(object, options, this.#isFirst));
    this.#isFirst = false;
  }

  #line(type: string, object: object): void {
    this.#sink.send(JSON.stringify({ type, object }));
  }
}
