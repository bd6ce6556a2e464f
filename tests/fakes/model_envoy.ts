/**
 * An Envoy as the ADS server sees it, with the ways of the real one in which its books go wrong.
 *
 * Clusters and listeners: the good ones of a refused response are in service and not recorded.
 * Routes, endpoints, secrets, extensions: those before the first bad one are. Scopes: of a refused
 * response the good ones are recorded and not in service, and the same bytes again change nothing.
 * Contents are JSON (`ModelContent`); what is put behind it makes the bytes differ and nothing else.
 * `faults` collects what would have been an error to somebody: a route that points nowhere.
 */

import type { DeltaRequest, DeltaResponse } from "../../src/envoy/ads/delta_messages.ts";
import { type EnvoyKind, envoyKinds, typeUrl } from "../../src/envoy/resources.ts";

/** What a resource of the simulation says. */
export interface ModelContent {
  /** Tells contents apart. */
  readonly id: string;
  /** Envoy refuses it. */
  readonly isBad?: true;
  /** Names that it refers to. */
  readonly refers: Readonly<Partial<Record<EnvoyKind, readonly string[]>>>;
}

/** Bytes of a content. */
export function encodeContent(content: ModelContent): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(content));
}

/** What may stand behind a content. */
export function modelSalt(count: number): Uint8Array {
  return new TextEncoder().encode(`\n${count}`);
}

interface Received {
  readonly name: string;
  readonly version: string;
  readonly content: ModelContent;
  readonly text: string;
}

const byName: readonly EnvoyKind[] = ["secret", "endpoints", "extension", "route"];
const none: ReadonlyMap<string, string> = new Map();

/** One process of Envoy. */
export class ModelEnvoy {
  readonly #send: (request: DeltaRequest) => void;
  readonly #live = new Map<EnvoyKind, Map<string, ModelContent>>();
  /** Versions that are told after a reconnect. */
  readonly #recorded = new Map<EnvoyKind, Map<string, string>>();
  /** Scopes as they were last recorded, byte for byte. */
  readonly #scopeTexts = new Map<string, string>();
  /** Endpoints that were answered for, be it with nothing. */
  readonly #answered = new Set<string>();
  readonly #subscribed = new Map<EnvoyKind, Set<string>>();
  #isFirst = true;
  /** Names that may point nowhere, because what they say, or point to, was refused before. */
  readonly #excused: ReadonlySet<string>;
  readonly faults: string[] = [];

  constructor(send: (request: DeltaRequest) => void, excused: ReadonlySet<string>) {
    this.#send = send;
    this.#excused = excused;
    for (const kind of envoyKinds) {
      this.#live.set(kind, new Map());
      this.#recorded.set(kind, new Map());
      this.#subscribed.set(kind, new Set());
    }
  }

  /** What is in service, by name. */
  live(kind: EnvoyKind): ReadonlyMap<string, ModelContent> {
    return this.#live.get(kind) ?? new Map();
  }

  /** What would be told after a reconnect. */
  recorded(kind: EnvoyKind): ReadonlyMap<string, string> {
    return this.#recorded.get(kind) ?? none;
  }

  /** Names that are asked for one by one. */
  subscribed(kind: EnvoyKind): ReadonlySet<string> {
    return this.#subscribed.get(kind) ?? new Set();
  }

  /** Opens a stream: everything that is known is told. */
  open(): void {
    this.#isFirst = true;
    for (const kind of ["cluster", "endpoints", "listener", "scope", "route"] as const) {
      const isByName = byName.includes(kind);
      if (isByName && this.subscribed(kind).size === 0) continue;
      this.#ask(kind, { subscribe: [...this.subscribed(kind)], first: true });
    }
    for (const kind of ["secret", "extension"] as const) {
      if (this.subscribed(kind).size > 0) {
        this.#ask(kind, { subscribe: [...this.subscribed(kind)], first: true });
      }
    }
  }

  #ask(
    kind: EnvoyKind,
    { first, ...rest }: {
      readonly subscribe?: readonly string[];
      readonly unsubscribe?: readonly string[];
      readonly nonce?: string;
      readonly error?: string;
      readonly first?: true;
    },
  ): void {
    this.#send({
      typeUrl: typeUrl(kind),
      subscribe: [],
      unsubscribe: [],
      nonce: "",
      initialVersions: first ? new Map(this.recorded(kind)) : none,
      ...this.#isFirst ? { node: { id: "envoy", cluster: "all", version: "1.40.0" } } : {},
      ...rest,
    });
    this.#isFirst = false;
  }

  /** Takes a response and answers it. */
  receive(response: DeltaResponse): void {
    const { kind, nonce } = response;
    // What it gave up meanwhile it leaves alone.
    const isAskedFor = (name: string) => !byName.includes(kind) || this.subscribed(kind).has(name);
    const asked = response.resources.filter(({ resource }) => isAskedFor(resource.name));
    const received = asked.map(({ appendix, resource }): Received => {
      const text = new TextDecoder().decode(resource.bytes);
      return {
        name: resource.name,
        version: resource.version,
        content: JSON.parse(text),
        text: text + (appendix ? new TextDecoder().decode(appendix) : ""),
      };
    });
    const isRefused = received.some(({ content }) => content.isBad);
    for (const name of response.removed) this.#remove(kind, name);
    for (const each of this.#taken(kind, received, isRefused)) this.#apply(kind, each);
    if (!isRefused || kind === "scope") {
      for (const { content, name, text, version } of received) {
        if (content.isBad) continue;
        this.#recorded.get(kind)?.set(name, version);
        if (kind === "scope") this.#scopeTexts.set(name, text);
      }
    }
    this.#follow();
    this.#ask(kind, isRefused ? { nonce, error: "it is bad" } : { nonce });
  }

  #taken(kind: EnvoyKind, received: readonly Received[], isRefused: boolean): readonly Received[] {
    if (kind === "scope") {
      if (isRefused) return [];
      return received.filter(({ name, text }) => this.#scopeTexts.get(name) !== text);
    }
    if (kind === "cluster" || kind === "listener") {
      return received.filter(({ content }) => !content.isBad);
    }
    const bad = received.findIndex(({ content }) => content.isBad);
    return bad < 0 ? received : received.slice(0, bad);
  }

  #apply(kind: EnvoyKind, { content, name }: Received): void {
    const isNew = !this.live(kind).has(name);
    this.#live.get(kind)?.set(name, content);
    if (kind === "endpoints") this.#answered.add(name);
    // A cluster that is made anew asks for its endpoints once more.
    if (kind === "cluster" && !isNew && this.subscribed("endpoints").has(name)) {
      this.#ask("endpoints", { subscribe: [name] });
    }
    if (this.#excused.has(name)) return;
    for (const cluster of content.refers.cluster ?? []) {
      if (!this.#isActive(cluster) && !this.#excused.has(cluster)) {
        this.faults.push(
          `${kind} ${name} (${content.id}) points to ${cluster}, which is not ready`,
        );
      }
    }
  }

  #isActive(cluster: string): boolean {
    return this.live("cluster").has(cluster) && this.#answered.has(cluster);
  }

  #remove(kind: EnvoyKind, name: string): void {
    this.#live.get(kind)?.delete(name);
    this.#recorded.get(kind)?.delete(name);
    if (kind === "scope") this.#scopeTexts.delete(name);
    if (kind === "endpoints") this.#answered.add(name);
    if (kind !== "cluster" || this.#excused.has(name)) return;
    for (const user of ["listener", "route", "scope"] as const) {
      for (const [by, { refers }] of this.live(user)) {
        if (refers.cluster?.includes(name) && !this.#excused.has(by)) {
          this.faults.push(`cluster ${name} went while ${user} ${by} points to it`);
        }
      }
    }
  }

  /** Asks for what parents name, and gives up what none does any more. */
  #follow(): void {
    const wanted = new Map<EnvoyKind, Set<string>>(byName.map((kind) => [kind, new Set()]));
    for (const name of this.live("cluster").keys()) wanted.get("endpoints")?.add(name);
    for (const { refers } of this.live("listener").values()) {
      for (const kind of ["secret", "extension", "route"] as const) {
        for (const name of refers[kind] ?? []) wanted.get(kind)?.add(name);
      }
    }
    for (const [kind, names] of wanted) {
      const before = this.#subscribed.get(kind) ?? new Set();
      const subscribe = [...names].filter((name) => !before.has(name));
      const unsubscribe = [...before].filter((name) => !names.has(name));
      this.#subscribed.set(kind, names);
      for (const name of unsubscribe) {
        this.#live.get(kind)?.delete(name);
        this.#recorded.get(kind)?.delete(name);
        this.#answered.delete(name);
      }
      if (subscribe.length + unsubscribe.length > 0) this.#ask(kind, { subscribe, unsubscribe });
    }
  }
}
