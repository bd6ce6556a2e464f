/**
 * What is remembered of one Envoy between its streams: the versions that it refused.
 *
 * A refused version is not sent again, because Envoy would refuse it again, and whatever is in the
 * same response would suffer from it. A refusal that lies in the machine and not in the content (an
 * address in use) is forgotten after a time, and so tried again.
 */

import type { EnvoyKind, EnvoyResource } from "../resources.ts";
import type { EnvoyNode } from "./delta_messages.ts";
import type { WorldRecord } from "./world_record.ts";

/** Envoy's answer to one version of one resource, sent alone. */
export interface Rejection {
  readonly resource: EnvoyResource;
  /** Envoy's words, without line breaks at the end. */
  readonly message: string;
  /** When it is tried again; absent: when the content changes. */
  readonly retryAtMs?: number;
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

  /** Remembers that `resource`, sent alone, was refused. */
  reject(resource: EnvoyResource, message: string, nowMs: number): Rejection {
    const { kind, name, version } = resource;
    const isMachineFault = kind === "listener" && machineFault.test(message);
    const rejection: Rejection = {
      resource,
      message: shorten(message.trim()),
      ...isMachineFault ? { retryAtMs: nowMs + retryRejectedMs } : {},
    };
    const key = keyOf(kind, name);
    const versions = this.#rejected.get(key) ?? new Map<string, Rejection>();
    versions.delete(version);
    versions.set(version, rejection);
    if (versions.size > rejectionsPerNameMax) versions.delete(versions.keys().next().value ?? "");
    this.#rejected.set(key, versions);
    return rejection;
  }

  /** Whether this version was refused. */
  rejection(resource: EnvoyResource): Rejection | undefined {
    return this.#rejected.get(keyOf(resource.kind, resource.name))?.get(resource.version);
  }

  /** The newest version of the world that this Envoy does not refuse. */
  target(world: WorldRecord, kind: EnvoyKind, name: string): Target {
    const wanted = world.wanted(kind, name);
    if (!wanted) return { isWithdrawn: false };
    if (!this.rejection(wanted)) return { resource: wanted, isWithdrawn: false };
    const good = world.good(kind, name);
    return good && !this.rejection(good)
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

  /** Forgets rejections whose time has come; returns what they were about. */
  takeRetries(nowMs: number): EnvoyResource[] {
    const due: EnvoyResource[] = [];
    for (const versions of this.#rejected.values()) {
      for (const [version, { resource, retryAtMs }] of versions) {
        if (retryAtMs === undefined || retryAtMs > nowMs) continue;
        versions.delete(version);
        due.push(resource);
      }
    }
    return due;
  }

  /** When the next rejection is forgotten. */
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
