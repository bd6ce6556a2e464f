/**
 * Reads and writes one Lease; every way in which that ends is a value.
 *
 * A write is a POST, or a PUT of the object at the resourceVersion that was read, so that it succeeds
 * only if nobody wrote since: the record is one statement with one author at a time, which
 * server-side apply, made for many authors of one object, would have to be talked out of with force
 * and a version. PUT also needs fewer rights (get, create, update), the ones that a cluster's
 * priority for leader election is usually given to.
 */

import { ClusterError } from "./cluster_error.ts";
import type { ClusterTransport } from "./cluster_transport.ts";
import type { JsonRecord } from "./json_value.ts";
import {
  decodeLease,
  type LeaseClaim,
  type LeasePlace,
  type LeaseRecord,
  renderLease,
} from "./lease_record.ts";

/** Why the Lease could not be read or written: a stable word. */
export type LeaseProblem =
  /** 401 or 403: the message names the right that is missing. */
  | "forbidden"
  /** 404 of a create: the cluster does not serve coordination.k8s.io/v1. */
  | "no-lease-api"
  /** 404 of a create, or 403 because it is being deleted. */
  | "no-namespace"
  /** Network, timeout, certificate, credential. */
  | "unreachable"
  /** 429 or 5xx. */
  | "overloaded"
  /** 400 or 422, or an answer that makes no sense. */
  | "refused";

/** All of them. */
export const leaseProblems: readonly LeaseProblem[] = [
  "forbidden",
  "no-lease-api",
  "no-namespace",
  "unreachable",
  "overloaded",
  "refused",
];

/** A request that did not do what was asked. */
export interface LeaseFailure {
  readonly outcome: "failed";
  readonly problem: LeaseProblem;
  readonly message: string;
  readonly retryAfterMs?: number;
}

/** What became of a look. */
export type LeaseRead =
  | { readonly outcome: "ok"; readonly record: LeaseRecord }
  /** It is not there. */
  | { readonly outcome: "absent" }
  | LeaseFailure;

/** What became of a write; after `conflict` and `failed` nobody here knows what the Lease says. */
export type LeaseWrite =
  | { readonly outcome: "ok"; readonly record: LeaseRecord }
  /** Somebody else wrote, or it is gone: look again. */
  | { readonly outcome: "conflict" }
  | LeaseFailure;

/** What a client is built from. */
export interface LeaseClientOptions {
  readonly transport: ClusterTransport;
  readonly place: LeasePlace;
  /** The limit of one request, milliseconds. */
  readonly answerMs: number;
  /** The duration of a Lease that names none, milliseconds. */
  readonly durationMs: number;
}

const group = "/apis/coordination.k8s.io/v1";

/** See the file's header. Rejects only with the signal's reason. */
export class LeaseClient {
  readonly #options: LeaseClientOptions;
  readonly #collection: string;

  constructor(options: LeaseClientOptions) {
    this.#options = options;
    this.#collection = `${group}/namespaces/${options.place.namespace}/leases`;
  }

  /** What the server has now. */
  async read(signal: AbortSignal): Promise<LeaseRead> {
    try {
      return { outcome: "ok", record: await this.#ask("GET", undefined, signal) };
    } catch (error) {
      const failure = asClusterError(error);
      return failure.kind === "not-found" ? { outcome: "absent" } : failureOf(failure, "read");
    }
  }

  /** Says `claim` in place of exactly the state `before`; undefined: makes the Lease. */
  async write(
    before: LeaseRecord | undefined,
    claim: LeaseClaim,
    signal: AbortSignal,
  ): Promise<LeaseWrite> {
    const method = before === undefined ? "POST" : "PUT";
    try {
      const body = renderLease(this.#options.place, before, claim);
      const record = await this.#ask(method, body, signal);
      if (record.holder === claim.holder) return { outcome: "ok", record };
      const message = "The answer to a write of the Lease names another holder";
      return { outcome: "failed", problem: "refused", message };
    } catch (error) {
      const failure = asClusterError(error);
      if (isConflict(failure, method)) return { outcome: "conflict" };
      return failureOf(failure, method === "POST" ? "create" : "update");
    }
  }

  async #ask(
    method: "GET" | "POST" | "PUT",
    body: JsonRecord | undefined,
    signal: AbortSignal,
  ): Promise<LeaseRecord> {
    const { transport, place, answerMs, durationMs } = this.#options;
    const path = method === "POST" ? this.#collection : `${this.#collection}/${place.name}`;
    const request = { method, path, timeoutMs: answerMs, signal };
    const answer = await transport.request(body === undefined ? request : { ...request, body });
    return decodeLease(answer, place, durationMs);
  }
}

/** @throws what is no failure of the cluster: the reason of an abort, a broken promise */
function asClusterError(error: unknown): ClusterError {
  if (error instanceof ClusterError) return error;
  throw error;
}

function isConflict({ kind }: ClusterError, method: "POST" | "PUT"): boolean {
  switch (kind) {
    case "stale-write":
    case "recreated":
    case "already-exists":
    case "being-deleted":
      return true;
    case "not-found":
      return method === "PUT";
    default:
      return false;
  }
}

function failureOf(error: ClusterError, action: "read" | "create" | "update"): LeaseFailure {
  const { retryAfterMs } = error;
  return {
    outcome: "failed",
    problem: problemOf(error),
    message: `Cannot ${action} the Lease: ${error.message}`,
    ...retryAfterMs === undefined ? {} : { retryAfterMs },
  };
}

function problemOf({ kind, message }: ClusterError): LeaseProblem {
  switch (kind) {
    case "forbidden":
    case "unauthorized":
      return "forbidden";
    case "namespace-terminating":
      return "no-namespace";
    case "not-found":
      return message.includes("namespaces") ? "no-namespace" : "no-lease-api";
    case "overloaded":
    case "unavailable":
      return "overloaded";
    case "unreachable":
    case "timeout":
    case "untrusted":
    case "no-credential":
      return "unreachable";
    default:
      return "refused";
  }
}
