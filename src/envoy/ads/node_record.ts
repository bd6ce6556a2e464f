/**
 * What is remembered of one Envoy between its streams: the versions that it refused.
 *
 * A refused version is not sent again, because Envoy would refuse it again, and whatever is in the
 * same response would suffer from it. What lies in the machine and not in the content (an address in
 * use) is tried again after a time; until Envoy takes it, the refusal holds.
 */

import type { EnvoyKind, EnvoyResource } from "../resources.ts";
import type { EnvoyNode } from "./delta_messages.ts";
import type { WorldRecord } from "./world_record.ts";

/** Envoy's answer to one version of one resource, sent alone. */
export interface Rejection {
  readonly resource: EnvoyResource;
  /** Envoy's words, without line breaks at the end. */
  readonly message: string;
  /** When it is tried again; absent: when the content changes, or it is being tried. */
  readonly retryAtMs?: number;
  /** It is sent once more; the answer decides. */
  readonly isTried?: true;
}

/** What to do about a name. */
export interface Target {
  /** What Envoy should have. */
  readonly resource?: EnvoyResource;
  /** The world has the name, and every version that is known of it was refused. */
  readonly isWithdrawn: boolean;
}

/** Versions of one name that are remembered as refused; the oldest is forgotten. */
const rejectionsPerNameMax = 4;
/** After this time an address that was in use is tried again. */
const retryRejectedMs = 10_000;
const machineFault = /cannot bind|duplicate address|Address already in use|Permission denied/;
/** Envoy prints whole messages into some errors. */
const messageMax = 1_000;

/** See the file's header. */
export class NodeRecord {
  node: EnvoyNode;
  /** The world that it is given. */
  readonly worldName: string;
  /** Names whose state in Envoy is not known, left by a stream that ended. */
  readonly suspects = new Map<EnvoyKind, Set<string>>();
  /** The newest revision of which everything is in service or refused; -1: none yet. */
  settledRevision = -1;
  readonly #rejected = new Map<string, Map<string, Rejection>>();

  constructor(node: EnvoyNode, worldName: string) {
    this.node = node;
    this.worldName = worldName;
  }

  /** Remembers that `resource`, sent alone, was refused. Returns undefined when that is no news. */
  reject(resource: EnvoyResource, message: string, nowMs: number): Rejection | undefined {
    const { kind, name, version } = resource;
    const isMachineFault = kind === "listener" && machineFault.test(message);
    const rejection: Rejection = {
      resource,
      message: shorten(message.trim()),
      ...isMachineFault ? { retryAtMs: nowMs + retryRejectedMs } : {},
    };
    const key = keyOf(kind, name);
    const versions = this.#rejected.get(key) ?? new Map<string, Rejection>();
    const isNews = versions.get(version)?.message !== rejection.message;
    versions.delete(version);
    versions.set(version, rejection);
    if (versions.size > rejectionsPerNameMax) versions.delete(versions.keys().next().value ?? "");
    this.#rejected.set(key, versions);
    return isNews ? rejection : undefined;
  }

  /** Envoy took this version. Returns whether it refused it before. */
  accept({ kind, name, version }: EnvoyResource): boolean {
    return this.#rejected.get(keyOf(kind, name))?.delete(version) === true;
  }

  #isRejected({ kind, name, version }: EnvoyResource): boolean {
    const rejection = this.#rejected.get(keyOf(kind, name))?.get(version);
    return rejection !== undefined && rejection.isTried !== true;
  }

  /** The newest version of the world that this Envoy does not refuse. */
  target(world: WorldRecord, kind: EnvoyKind, name: string): Target {
    const wanted = world.wanted(kind, name);
    if (!wanted) return { isWithdrawn: false };
    if (!this.#isRejected(wanted)) return { resource: wanted, isWithdrawn: false };
    const good = world.good(kind, name);
    return good && !this.#isRejected(good)
      ? { resource: good, isWithdrawn: false }
      : { isWithdrawn: true };
  }

  /** What of the world is refused now, in no order. */
  *rejections(world: WorldRecord): Generator<Rejection> {
    for (const versions of this.#rejected.values()) {
      for (const rejection of versions.values()) {
        const { kind, name, version } = rejection.resource;
        const wanted = world.wanted(kind, name);
        if (wanted?.version === version) yield { ...rejection, resource: wanted };
      }
    }
  }

  /** Forgets names that the world no longer has. */
  forget(kind: EnvoyKind, name: string): void {
    this.#rejected.delete(keyOf(kind, name));
  }

  /** Lets rejections be tried whose time has come; returns what they were about. */
  takeRetries(nowMs: number): EnvoyResource[] {
    const due: EnvoyResource[] = [];
    for (const versions of this.#rejected.values()) {
      for (const [version, { message, resource, retryAtMs }] of versions) {
        if (retryAtMs === undefined || retryAtMs > nowMs) continue;
        versions.set(version, { message, resource, isTried: true });
        due.push(resource);
      }
    }
    return due;
  }

  /** When the next rejection is to be tried. */
  nextRetryMs(): number | undefined {
    let next: number | undefined;
    for (const versions of this.#rejected.values()) {
      for (const { retryAtMs } of versions.values()) {
        if (retryAtMs !== undefined && (next === undefined || retryAtMs < next)) next = retryAtMs;
      }
    }
    return next;
  }
}

function keyOf(kind: EnvoyKind, name: string): string {
  return `${kind} ${name}`;
}

function shorten(message: string): string {
  return message.length <= messageMax ? message : `${message.slice(0, messageMax)}…`;
}
