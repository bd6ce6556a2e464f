/**
 * One stream of one Envoy: requests in, responses out. Pure: time is a parameter.
 *
 * Who decides what is `TypeState` (what is lacking) and `delivery_order.ts` (what may be sent now);
 * here it becomes responses: in batches, suspects alone, scopes with a salt.
 */

import { type EnvoyKind, envoyKinds, kindOfUrl } from "../resources.ts";
import type { DeltaRequest, DeltaResponse } from "./delta_messages.ts";
import {
  computeGates,
  type Gates,
  hasAskedForChildren,
  hasAskedForParents,
  type TypeStates,
} from "./delivery_order.ts";
import type { NodeRecord, Rejection } from "./node_record.ts";
import { type Answer, TypeState } from "./type_state.ts";
import type { ChangedNames, WorldRecord } from "./world_record.ts";

/** Limits of one stream. */
export interface StreamLimits {
  /** Resources in one response; the next batch follows the answer. */
  readonly batchMax: number;
  /** Bytes of resources in one response, unless one alone is larger. */
  readonly batchBytesMax: number;
  /** Names that are kept for one Envoy; a stream with more is ended. */
  readonly namesMax: number;
  /** Requests in flight end before their cluster goes, at least for so long. */
  readonly clusterLingerMs: number;
}

/** For a process that runs. A whole start in one response blocks Envoy, one by one takes its memory. */
export const defaultStreamLimits: StreamLimits = {
  batchMax: 500,
  batchBytesMax: 1024 * 1024,
  namesMax: 500_000,
  clusterLingerMs: 5_000,
};

/**
 * So long after a stream began, or Envoy took clusters or listeners, it may ask for what they name.
 * Usually it asks before it answers; on a busy machine the question for scopes came after.
 */
export const askingMs = 5_000;

/** What a stream is made of. */
export interface AdsStreamOptions {
  readonly record: NodeRecord;
  readonly world: WorldRecord;
  readonly limits: StreamLimits;
  /** Bytes that change the content of a scope and not its meaning. */
  readonly salt: (count: number) => Uint8Array;
  readonly send: (response: DeltaResponse) => void;
  /** Told of a refusal of one resource, once for as long as it holds. */
  readonly onRejected: (rejection: Rejection) => void;
  /** Told when Envoy takes what it refused before. */
  readonly onAccepted: () => void;
}

/** See the file's header. */
export class AdsStream {
  readonly record: NodeRecord;
  readonly #options: AdsStreamOptions;
  readonly states: TypeStates;
  #nonceCount = 0;
  /** Undefined before the first request. */
  #askingUntilMs: number | undefined;
  #saltCount = 0;
  /** Since when clusters are to go. */
  readonly #lingering = new Map<string, number>();

  constructor(options: AdsStreamOptions) {
    const { record, world } = options;
    this.#options = options;
    this.record = record;
    const stateOf = (kind: EnvoyKind): TypeState => {
      const state = new TypeState(kind, (name) => record.target(world, kind, name));
      for (const name of record.suspects.get(kind) ?? []) state.suspects.add(name);
      return state;
    };
    this.states = {
      secret: stateOf("secret"),
      cluster: stateOf("cluster"),
      endpoints: stateOf("endpoints"),
      extension: stateOf("extension"),
      listener: stateOf("listener"),
      route: stateOf("route"),
      scope: stateOf("scope"),
    };
    record.suspects.clear();
  }

  /** Names that are kept for this stream. */
  get nameCount(): number {
    return envoyKinds.reduce((sum, kind) => sum + this.states[kind].nameCount, 0);
  }

  /** Takes one request; types that weir does not serve are left unanswered. */
  receive(request: DeltaRequest, nowMs: number): void {
    this.#askingUntilMs ??= nowMs + askingMs;
    const kind = kindOfUrl(request.typeUrl);
    if (kind === undefined) return;
    const state = this.states[kind];
    const { pending } = state;
    // An answer to an older response may come late and says nothing any more.
    if (pending && request.nonce === pending.nonce) {
      const answer = request.error === undefined ? state.acknowledge() : state.refuse();
      this.#learn(answer, request.error ?? "", nowMs);
      const isParent = kind === "cluster" || kind === "listener";
      // A time that runs is not made longer: with changes all the time it would never end.
      if (isParent && answer.taken.length > 0 && !this.#isAsking(nowMs)) {
        this.#askingUntilMs = nowMs + askingMs;
      }
      for (const name of pending.names) state.reconsider(name);
    }
    const isFirst = !state.isSeen;
    state.subscribe(request, this.#options.world.world.resources[kind].keys());
    if (!isFirst) return;
    this.#recognise(state);
    // A process that has no cluster is a new one, whatever its predecessor had.
    if (kind === "cluster" && request.initialVersions.size === 0) this.record.settledRevision = -1;
  }

  #learn({ taken, rejected }: Answer, message: string, nowMs: number): void {
    const { onAccepted, onRejected, record, world } = this.#options;
    for (const resource of taken) {
      world.noteGood(resource);
      if (record.accept(resource)) onAccepted();
    }
    const news = rejected && record.reject(rejected, message, nowMs);
    if (news) onRejected(news);
  }

  /** What Envoy had before and the world still has was taken once: by a predecessor of ours. */
  #recognise(state: TypeState): void {
    const { world } = this.#options;
    for (const name of state.heldNames()) {
      const wanted = world.wanted(state.kind, name);
      const isTaken = wanted?.version === state.heldVersion(name) && !state.suspects.has(name);
      if (wanted && isTaken) world.noteGood(wanted);
    }
  }

  /** The world changed under these names. */
  change(changed: ChangedNames): void {
    for (const [kind, names] of changed) for (const name of names) this.states[kind].change(name);
  }

  /**
   * Sends what may be sent. Returns when there is something to do without a request or a change, in
   * the time of `nowMs`; undefined: never.
   */
  step(nowMs: number): number | undefined {
    const { world } = this.#options.world;
    for (let hasSent = true; hasSent;) {
      const gates = computeGates(this.states, world, this.#isAsking(nowMs));
      hasSent = envoyKinds.some((kind) => this.#sendKind(this.states[kind], gates, nowMs));
    }
    this.#settle(nowMs);
    return this.dueMs(nowMs);
  }

  #isAsking(nowMs: number): boolean {
    return nowMs < (this.#askingUntilMs ?? Infinity);
  }

  #sendKind(state: TypeState, gates: Gates, nowMs: number): boolean {
    if (!state.isSeen || state.pending) return false;
    const { kind } = state;
    const adding = this.#chooseUpserts(state, gates);
    if (adding.length > 0) return this.#sendUpserts(state, adding);
    const removed = [
      // What was never there is awaited by something that would wait for ever.
      ...state.missing,
      ...gates.mayRemove(kind) ? this.#dueRemovals(state, nowMs) : [],
    ].slice(0, this.#options.limits.batchMax);
    // Nothing is an answer too, but only when nothing is to come.
    const isAnswer = state.mustAnswer && state.upserts.size === 0;
    if (removed.length === 0 && !isAnswer) return false;
    this.#send(state, [], removed);
    return true;
  }

  #chooseUpserts(state: TypeState, gates: Gates): string[] {
    const { batchBytesMax, batchMax } = this.#options.limits;
    const { kind, suspects, upserts } = state;
    const isOpen = (name: string): boolean =>
      state.heldVersion(name) === undefined ? gates.mayAdd(kind) : gates.mayChange(kind);
    if (upserts.size === 0 || !gates.mayAdd(kind) && !gates.mayChange(kind)) return [];
    for (const name of suspects) if (upserts.has(name) && isOpen(name)) return [name];
    const chosen: string[] = [];
    let bytes = 0;
    for (const name of upserts) {
      if (!isOpen(name)) continue;
      bytes += this.#target(kind, name)?.bytes.length ?? 0;
      if (chosen.length > 0 && (chosen.length >= batchMax || bytes > batchBytesMax)) break;
      chosen.push(name);
    }
    return chosen;
  }

  #target(kind: EnvoyKind, name: string) {
    return this.record.target(this.#options.world, kind, name).resource;
  }

  #sendUpserts(state: TypeState, names: readonly string[]): boolean {
    const resources = names.flatMap((name) => this.#target(state.kind, name) ?? []);
    this.#send(state, resources, []);
    return true;
  }

  #send(
    state: TypeState,
    sent: NonNullable<TypeState["pending"]>["sent"],
    removed: readonly string[],
  ): void {
    const { revision } = this.#options.world.world;
    const nonce = String(++this.#nonceCount);
    const names = new Set([...sent.map(({ name }) => name), ...removed]);
    // Sent again as it was, a scope is taken without an effect.
    const isSalted = state.kind === "scope" && sent.some(({ name }) => state.suspects.has(name));
    const appendix = isSalted ? this.#options.salt(++this.#saltCount) : undefined;
    const pending = { nonce, sent, removed, names };
    state.send({ ...pending, completesRevision: -1 });
    if (isUnderWay(state)) state.send({ ...pending, completesRevision: revision });
    this.#options.send({
      kind: state.kind,
      nonce,
      revision,
      resources: sent.map((resource) => appendix ? { resource, appendix } : { resource }),
      removed,
    });
  }

  /** Removals whose time has come; a cluster's comes when requests had time to end. */
  #dueRemovals({ kind, removals }: TypeState, nowMs: number): string[] {
    if (kind !== "cluster") return [...removals];
    for (const name of this.#lingering.keys()) {
      if (!removals.has(name)) this.#lingering.delete(name);
    }
    return [...removals].filter((name) => {
      const sinceMs = this.#lingering.get(name);
      if (sinceMs === undefined) this.#lingering.set(name, nowMs);
      return nowMs - (sinceMs ?? nowMs) >= this.#options.limits.clusterLingerMs;
    });
  }

  /** When time alone makes something due. What is due already waits for an answer. */
  dueMs(nowMs: number): number | undefined {
    const { removals } = this.states.cluster;
    let next = this.#isAsking(nowMs) ? this.#askingUntilMs : undefined;
    for (const [name, sinceMs] of this.#lingering) {
      const dueMs = sinceMs + this.#options.limits.clusterLingerMs;
      if (removals.has(name) && dueMs > nowMs && dueMs < (next ?? Infinity)) next = dueMs;
    }
    return next;
  }

  #settle(nowMs: number): void {
    const { world } = this.#options.world;
    const { revision } = world;
    for (const kind of envoyKinds) {
      const state = this.states[kind];
      if (!state.pending && isUnderWay(state)) state.settledRevision = revision;
    }
    if (!hasAskedForParents(this.states)) return;
    if (this.#isAsking(nowMs) && !hasAskedForChildren(this.states, world)) return;
    const settled = Math.min(...envoyKinds.map((kind) => this.states[kind].settledRevision));
    this.record.settledRevision = Math.max(this.record.settledRevision, settled);
  }

  /** Leaves to the next stream what it has to doubt. */
  close(): void {
    for (const kind of envoyKinds) {
      const doubts = this.states[kind].doubts();
      if (doubts.size > 0) this.record.suspects.set(kind, doubts);
    }
  }
}

/** Whether nothing is left to send that a request would notice. */
function isUnderWay({ kind, missing, removals, upserts }: TypeState): boolean {
  if (upserts.size > 0 || missing.size > 0) return false;
  // Other removals change no answer: nothing refers to what they are about.
  return removals.size === 0 || kind !== "listener" && kind !== "scope";
}
