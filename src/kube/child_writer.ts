/**
 * Writes objects that are weir's own making, such as the Deployment of a data plane: by server-side
 * apply, and only where the object is not somebody else's.
 *
 * The owner of a child is the controller in its ownerReferences. A child whose controller is another
 * object, or that has none, is left alone, and the caller is told: an apply would adopt it silently.
 * What would change nothing is not sent. Deletions name the uid and the version that was looked at, so
 * that neither a successor nor a child that somebody changed since then is hit. Not here: when to
 * write, and what to do about a failure.
 */

import type { Clock } from "../base/clock.ts";
import { ClusterError } from "./cluster_error.ts";
import type { ClusterTransport } from "./cluster_transport.ts";
import {
  type ChildCollection,
  type ChildIdentity,
  type ChildIntent,
  childIntent,
  type ChildOwner,
  childPath,
  controllerOf,
  type ForeignOwner,
  isUntouched,
  type ReadChild,
  readChild,
  type WantedChild,
} from "./child_object.ts";
import { asString, equalJson, type JsonRecord } from "./json_value.ts";
import type { WritePermits } from "./write_permits.ts";
import { applyPatch, type WriteFailure, writeFailureOf, writeQuery } from "./write_request.ts";

/** What became of an apply. */
export type ChildWrite =
  | { readonly outcome: "ok"; readonly child: ChildIdentity; readonly object: JsonRecord }
  /** The cluster has it already. */
  | { readonly outcome: "unchanged"; readonly child: ChildIdentity }
  /** The name belongs to another controller's object, or to one without any. */
  | { readonly outcome: "foreign-owner"; readonly owner: ForeignOwner | undefined }
  /** It is on its way out: its deletion is an event, then it can be made anew. */
  | { readonly outcome: "being-deleted"; readonly child: ChildIdentity }
  /** A field can never change: delete it, and make it anew. */
  | { readonly outcome: "immutable"; readonly message: string; readonly child?: ChildIdentity }
  /** This replica may not write now. */
  | { readonly outcome: "held" }
  | WriteFailure;

/** What became of a deletion. */
export type ChildDeletion =
  /** It is deleted, or will be when its finalizers are gone. */
  | { readonly outcome: "ok" }
  | { readonly outcome: "held" }
  /** `gone`: it was not there; `conflict`: it is another object now, or was changed. */
  | WriteFailure;

/** What a writer is made of. */
export interface ChildWriterOptions {
  readonly transport: ClusterTransport;
  readonly permits: WritePermits;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

const readMs = 15_000;
/** Tries of one call, and the longest waits between them, milliseconds; chance takes up to half. */
const betweenMs: readonly number[] = [10, 50, 250];
/** How many children are remembered; beyond it the oldest is written once too often. */
const memoryMax = 10_000;

interface Applied {
  readonly intent: JsonRecord;
  readonly stored: ReadChild;
}

/** See the file's header. */
export class ChildWriter {
  readonly #options: ChildWriterOptions;
  readonly #applied = new Map<string, Applied>();

  constructor(options: ChildWriterOptions) {
    this.#options = options;
  }

  /**
   * Makes `wanted` all that `manager` says of the child: what it said before and no longer does goes,
   * what others say stays. Rejects with the signal's reason only.
   */
  async apply(
    collection: ChildCollection,
    wanted: WantedChild,
    { manager, owner, signal }: {
      readonly manager: string;
      readonly owner: ChildOwner;
      readonly signal: AbortSignal;
    },
  ): Promise<ChildWrite> {
    const intent = childIntent(collection, wanted, owner);
    for (let attempt = 0;; attempt++) {
      const result = await this.#attempt(collection, intent, { manager, owner, signal });
      const waitMs = betweenMs[attempt];
      const isLost = result.outcome === "conflict" && result.reason !== "field-owned";
      if (!isLost || waitMs === undefined) return result;
      await this.#options.clock.sleep(waitMs * (1 - this.#options.random() / 2), signal);
    }
  }

  /**
   * Deletes exactly the state that was looked at; what it owns follows. Rejects with the signal's
   * reason only.
   */
  async delete(
    collection: ChildCollection,
    { name, uid, resourceVersion }: ChildIdentity,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<ChildDeletion> {
    const permit = await this.#options.permits.acquire(signal);
    try {
      const timeoutMs = permit.timeoutMs();
      if (timeoutMs === undefined) return { outcome: "held" };
      await this.#options.transport.request({
        method: "DELETE",
        path: `${childPath(collection)}/${name}`,
        body: {
          apiVersion: "v1",
          kind: "DeleteOptions",
          propagationPolicy: "Background",
          preconditions: { uid, resourceVersion },
        },
        query: { timeout: `${timeoutMs}ms` },
        timeoutMs,
        signal,
      });
      return { outcome: "ok" };
    } catch (error) {
      return this.#failed(error);
    } finally {
      permit.release();
    }
  }

  async #attempt(
    collection: ChildCollection,
    intent: ChildIntent,
    options: {
      readonly manager: string;
      readonly owner: ChildOwner;
      readonly signal: AbortSignal;
    },
  ): Promise<ChildWrite> {
    const path = `${childPath(collection)}/${intent.metadata.name}`;
    const { transport, permits } = this.#options;
    const { manager, owner, signal } = options;
    let live: ReadChild | undefined;
    try {
      live = readChild(await transport.request({ path, timeoutMs: readMs, signal }));
    } catch (error) {
      if (!(error instanceof ClusterError) || error.kind !== "not-found") {
        return this.#failed(error);
      }
    }
    const refusal = live && refusalOf(live, owner);
    if (refusal) return refusal;
    const id = `${manager} ${path}`;
    if (live && this.#holds(id, intent, live)) {
      return { outcome: "unchanged", child: live.child };
    }
    const permit = await permits.acquire(signal);
    try {
      const timeoutMs = permits.pausedForMs() > 0 ? undefined : permit.timeoutMs();
      if (timeoutMs === undefined) return { outcome: "held" };
      const uid = live === undefined ? {} : { uid: live.child.uid };
      const stored = readChild(
        await transport.request({
          ...applyPatch,
          path,
          body: { ...intent, metadata: { ...intent.metadata, ...uid } },
          query: { ...applyPatch.query, ...writeQuery(manager, timeoutMs) },
          timeoutMs,
          signal,
        }),
      );
      this.#remember(id, { intent, stored });
      return { outcome: "ok", child: stored.child, object: stored.object };
    } catch (error) {
      if (error instanceof ClusterError && error.kind === "immutable") {
        const child = live === undefined ? {} : { child: live.child };
        return { outcome: "immutable", message: error.message, ...child };
      }
      return this.#failed(error);
    } finally {
      permit.release();
    }
  }

  /** Whether our last apply said the same, and nobody has touched that since. */
  #holds(id: string, intent: JsonRecord, live: ReadChild): boolean {
    const applied = this.#applied.get(id);
    return applied !== undefined && isUntouched(applied.stored, live) &&
      equalJson(applied.intent, intent);
  }

  #remember(id: string, applied: Applied): void {
    this.#applied.delete(id);
    this.#applied.set(id, applied);
    if (this.#applied.size <= memoryMax) return;
    const [oldest] = this.#applied.keys();
    if (oldest !== undefined) this.#applied.delete(oldest);
  }

  /** Tells the others when the server asked for peace. */
  #failed(error: unknown): WriteFailure {
    const failure = writeFailureOf(error);
    if (failure.outcome === "overloaded" && failure.retryAfterMs !== undefined) {
      this.#options.permits.pause(failure.retryAfterMs);
    }
    return failure;
  }
}

/** Why `live` is not ours to write; undefined when it is. */
function refusalOf({ metadata, child }: ReadChild, owner: ChildOwner): ChildWrite | undefined {
  const controller = controllerOf(metadata);
  if (controller?.uid !== owner.uid) return { outcome: "foreign-owner", owner: controller };
  if (asString(metadata.deletionTimestamp) === undefined) return undefined;
  return { outcome: "being-deleted", child };
}
