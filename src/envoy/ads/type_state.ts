/**
 * One type of resources on one stream: what Envoy asked for, what it has, what it lacks.
 *
 * The difference between what it should have and what it has is kept up to date name by name, so a
 * change costs what it changes. One response is outstanding at most; what changes meanwhile waits
 * for its answer and is sent once.
 *
 * Envoy's books cannot be trusted about the resources of a refused response: they may be in service
 * and unrecorded, or recorded and not in service. Such names are suspects: each is sent again alone,
 * whatever the books say, and until one is answered for good nothing else of the type is.
 */

import type { EnvoyKind, EnvoyResource } from "../resources.ts";
import type { DeltaRequest } from "./delta_messages.ts";
import type { Target } from "./node_record.ts";

/** Kinds that Envoy asks for as a whole; of the others it names what it wants. */
const wildcardKinds: ReadonlySet<EnvoyKind> = new Set(["cluster", "listener", "scope"]);
const wildcard = "*";

/** A response that was not answered yet. */
export interface Pending {
  readonly nonce: string;
  readonly sent: readonly EnvoyResource[];
  readonly removed: readonly string[];
  /** Of both. */
  readonly names: ReadonlySet<string>;
  /** The revision at which nothing of the type was left out; -1: something was. */
  readonly completesRevision: number;
}

/** How an answer ended a pending response. */
export interface Answer {
  readonly taken: readonly EnvoyResource[];
  /** Sent alone and refused. */
  readonly rejected?: EnvoyResource;
}

/** See the file's header. */
export class TypeState {
  readonly kind: EnvoyKind;
  readonly #target: (name: string) => Target;
  /** Envoy asked for the type. */
  isSeen = false;
  /** The first question is open, and nothing may be the answer. */
  mustAnswer = false;
  pending: Pending | undefined;
  /** Should be there in the world's version, and is not. */
  readonly upserts = new Set<string>();
  /** Is there and should not be. */
  readonly removals = new Set<string>();
  /** Asked for, never had, does not exist. */
  readonly missing = new Set<string>();
  readonly suspects = new Set<string>();
  /** The newest revision of which the whole type is settled; -1: none. */
  settledRevision = -1;
  /** Refused answers since the stream began. */
  nackCount = 0;
  #isWildcard = false;
  readonly #names = new Set<string>();
  /** Name to version, as Envoy recorded it. */
  readonly #held = new Map<string, string>();
  /** Names that Envoy was told not to exist. */
  readonly #told = new Set<string>();

  constructor(kind: EnvoyKind, target: (name: string) => Target) {
    this.kind = kind;
    this.#target = target;
  }

  /** How many resources Envoy has. */
  get heldCount(): number {
    return this.#held.size;
  }

  /** How many names were asked for one by one. */
  get askedCount(): number {
    return this.#names.size;
  }

  /** How many names are kept for this type. */
  get nameCount(): number {
    return this.#names.size + this.#held.size + this.#told.size;
  }

  /** The version that Envoy has. */
  heldVersion(name: string): string | undefined {
    return this.#held.get(name);
  }

  /** Names that Envoy has. */
  heldNames(): Iterable<string> {
    return this.#held.keys();
  }

  /** Whether Envoy asks for this name, be it by asking for all. */
  isAskedFor(name: string): boolean {
    return this.#isWildcard || this.#names.has(name);
  }

  /** Takes what a request asks for. `worldNames` are all that exist, for a first question. */
  subscribe(request: DeltaRequest, worldNames: Iterable<string>): void {
    if (this.isSeen) this.#change(request);
    else this.#open(request, worldNames);
    // Nothing was lacking as long as nothing was asked for.
    if (this.upserts.size > 0 && request.subscribe.length > 0) this.settledRevision = -1;
  }

  #change(request: DeltaRequest): void {
    for (const name of request.unsubscribe) this.#unsubscribe(name);
    for (const name of request.subscribe) {
      if (name === wildcard) continue;
      // Asked for again: Envoy threw away what it had, whatever its version was.
      this.#names.add(name);
      this.#held.delete(name);
      this.#told.delete(name);
      this.reconsider(name);
    }
  }

  #open(request: DeltaRequest, worldNames: Iterable<string>): void {
    this.isSeen = true;
    this.settledRevision = -1;
    const names = request.subscribe.filter((name) => name !== wildcard);
    this.#isWildcard = wildcardKinds.has(this.kind) &&
      (names.length === 0 || names.length < request.subscribe.length);
    for (const name of names) this.#names.add(name);
    for (const [name, version] of request.initialVersions) {
      if (this.isAskedFor(name)) this.#held.set(name, version);
    }
    this.mustAnswer = this.#isWildcard && request.initialVersions.size === 0;
    for (const name of this.#held.keys()) this.reconsider(name);
    for (const name of names) this.reconsider(name);
    for (const name of this.suspects) this.reconsider(name);
    if (this.#isWildcard) { for (const name of worldNames) this.reconsider(name); }
  }

  #unsubscribe(name: string): void {
    this.#names.delete(name);
    if (this.#isWildcard) return;
    this.#held.delete(name);
    this.#told.delete(name);
    this.suspects.delete(name);
    this.reconsider(name);
  }

  /** Puts `name` where it belongs after anything about it may have changed. */
  reconsider(name: string): void {
    this.upserts.delete(name);
    this.removals.delete(name);
    this.missing.delete(name);
    if (!this.isSeen || this.pending?.names.has(name)) return;
    const isSuspect = this.suspects.has(name);
    if (!this.isAskedFor(name) && !isSuspect && !this.#held.has(name)) return;
    const { resource, isWithdrawn } = this.#target(name);
    if (resource && this.isAskedFor(name)) {
      if (isSuspect || this.#held.get(name) !== resource.version) this.upserts.add(name);
    } else if (isWithdrawn && this.#held.has(name)) {
      // What it has is an earlier version whose bytes nobody knows any more: better than nothing.
    } else if (this.#held.has(name) || isSuspect && !(isWithdrawn && this.#names.has(name))) {
      this.removals.add(name);
    } else if ((isWithdrawn || this.#names.has(name)) && !this.#told.has(name)) {
      this.missing.add(name);
    }
  }

  /** Notes a response that is on its way. */
  send(pending: Pending): void {
    this.pending = pending;
    this.mustAnswer = false;
    for (const name of pending.names) {
      this.upserts.delete(name);
      this.removals.delete(name);
      this.missing.delete(name);
    }
  }

  /** Envoy took the pending response. */
  acknowledge(): Answer {
    const pending = this.#take();
    if (!pending) return { taken: [] };
    for (const { name, version } of pending.sent) {
      this.suspects.delete(name);
      this.#told.delete(name);
      if (this.isAskedFor(name)) this.#held.set(name, version);
    }
    this.#noteRemoved(pending.removed);
    this.settledRevision = Math.max(this.settledRevision, pending.completesRevision);
    return { taken: pending.sent };
  }

  /**
   * Envoy refused the pending response. Removals took place all the same. The caller remembers a
   * rejection before it has the names considered again.
   */
  refuse(): Answer {
    const pending = this.#take();
    if (!pending) return { taken: [] };
    this.nackCount++;
    this.#noteRemoved(pending.removed);
    const [first, ...others] = pending.sent;
    if (!first) return { taken: [] };
    if (others.length > 0) {
      for (const { name } of pending.sent) this.suspects.add(name);
      return { taken: [] };
    }
    // A suspect stays one: what is in service instead of this version is not known either.
    return { taken: [], rejected: first };
  }

  #take(): Pending | undefined {
    const { pending } = this;
    this.pending = undefined;
    return pending;
  }

  #noteRemoved(names: readonly string[]): void {
    for (const name of names) {
      this.#held.delete(name);
      this.suspects.delete(name);
      if (this.isAskedFor(name) && this.#target(name).isWithdrawn || this.#names.has(name)) {
        this.#told.add(name);
      }
    }
  }

  /** The world changed under this name: what was told of it is no longer so. */
  change(name: string): void {
    if (this.#target(name).resource === undefined && !this.#names.has(name)) {
      this.#told.delete(name);
    }
    this.reconsider(name);
  }

  /** What the next stream of this Envoy has to doubt. */
  doubts(): Set<string> {
    const doubts = new Set(this.suspects);
    const sent = this.pending?.sent ?? [];
    // One alone was recorded or not, and that is the truth; of several it may not be.
    if (sent.length > 1) { for (const { name } of sent) doubts.add(name); }
    return doubts;
  }
}
