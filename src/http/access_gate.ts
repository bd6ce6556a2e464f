/**
 * Who may use the routes of a server where the network place proves nothing, decided before anything of
 * a body is read.
 *
 * Probes of `/livez` and `/readyz` that show no token are let in and told the code alone. Everything
 * else is for the access control, by the method and the path: a path with two readings is refused. An
 * answer that goes on is decided about again and again; when the caller may no more, it ends.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { AccessAction, AccessControl, AccessVerdict } from "../auth/access.ts";
import { isPlainPath } from "../auth/plain_path.ts";
import type { Clock } from "../base/clock.ts";
import type { Refusal } from "./refusal.ts";
import { pathOf } from "./request_gate.ts";

/** What a request that was let in may have. */
export interface AccessGrant {
  /** Whether the reasons of health may be told. */
  readonly hasDetails: boolean;
  /** Aborts when the caller may read no more; absent: never. */
  readonly ended?: AbortSignal;
}

/** Of a server that trusts whoever reaches it. */
export const fullGrant: AccessGrant = { hasDetails: true };

/** Of a probe, and of a request that nobody decided about. */
export const probeGrant: AccessGrant = { hasDetails: false };

/** What the gate is made of. */
export interface AccessGateOptions {
  readonly control: AccessControl;
  readonly clock: Pick<Clock, "after" | "monotonicMs">;
  readonly limits?: AccessGateLimits;
}

/** The times of the gate. */
export interface AccessGateLimits {
  /** Between two decisions about an answer that goes on, milliseconds. */
  readonly recheckMs: number;
  /** How long such an answer goes on while nobody can decide, milliseconds. */
  readonly undecidedMs: number;
  /** How long an answer may take to end after the caller may no more, milliseconds. */
  readonly endMs: number;
}

const defaultLimits: AccessGateLimits = {
  recheckMs: 30_000,
  // Clients read on through the restart of an API server.
  undecidedMs: 300_000,
  endMs: 10_000,
};

/** Paths of which everybody may know the code. */
const probePaths: readonly string[] = ["/livez", "/readyz"];

/** The gate's answer. */
export type Admission = { readonly grant: AccessGrant } | { readonly refusal: Refusal };

/** See the file's header. */
export class AccessGate {
  readonly #control: AccessControl;
  readonly #clock: AccessGateOptions["clock"];
  readonly #limits: AccessGateLimits;

  constructor({ control, clock, limits = defaultLimits }: AccessGateOptions) {
    this.#control = control;
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Decides about a request that the host guard has let in; never rejects. */
  async admit(
    incoming: Pick<IncomingMessage, "method" | "url" | "rawHeaders">,
    outgoing: Pick<ServerResponse, "once" | "destroy" | "destroyed">,
  ): Promise<Admission> {
    const { method = "GET", url: target = "/" } = incoming;
    const path = pathOf(target);
    const authorizations = authorizationsOf(incoming.rawHeaders);
    if (isProbe(method, path) && authorizations.length === 0) return { grant: probeGrant };
    if (!isPlainPath(path)) return { refusal: { ...notPlain, instance: path } };
    const verb = method === "HEAD" ? "get" : method.toLowerCase();
    const action: AccessAction = { verb, path: rightOf(path) };
    const check = (): Promise<AccessVerdict> => this.#control.check(authorizations, action);
    const verdict = await check();
    if (!verdict.allowed) return { refusal: { ...verdict, instance: path } };
    if (outgoing.destroyed) return { grant: fullGrant };
    return { grant: { hasDetails: true, ended: this.#watch(outgoing, check) } };
  }

  /** Decides again while the answer goes on; aborts when the caller may no more. */
  #watch(
    outgoing: Pick<ServerResponse, "once" | "destroy">,
    check: () => Promise<AccessVerdict>,
  ): AbortSignal {
    const { recheckMs, undecidedMs, endMs } = this.#limits;
    const controller = new AbortController();
    let isOver = false;
    let decidedMs = this.#clock.monotonicMs();
    const again = async (): Promise<void> => {
      const verdict = await check();
      if (isOver) return;
      const nowMs = this.#clock.monotonicMs();
      const isDecided = verdict.allowed || verdict.status === 401 || verdict.status === 403;
      if (isDecided) decidedMs = nowMs;
      if (verdict.allowed || (!isDecided && nowMs - decidedMs < undecidedMs)) {
        cancel = this.#clock.after(recheckMs, again);
        return;
      }
      cancel = this.#clock.after(endMs, () => outgoing.destroy());
      controller.abort();
    };
    let cancel = this.#clock.after(recheckMs, again);
    outgoing.once("close", () => {
      isOver = true;
      cancel();
    });
    return controller.signal;
  }
}

/** The grant of a request that came through a server; others are trusted: nobody else calls the app. */
export function grantOf(env: unknown): AccessGrant {
  const isGranted = typeof env === "object" && env !== null && "grant" in env;
  return isGranted && isGrant(env.grant) ? env.grant : fullGrant;
}

function isGrant(value: unknown): value is AccessGrant {
  return typeof value === "object" && value !== null && "hasDetails" in value;
}

/** Only the paths as they stand: a probe has no reason to spell them otherwise. */
function isProbe(method: string, path: string): boolean {
  return (method === "GET" || method === "HEAD") && probePaths.includes(path);
}

/**
 * The path that the right is about. Every cluster gives all who have a token the right to get `/api/*`,
 * `/openapi/*` and `/readyz`, meaning those of its API server (role `system:discovery`): ours have a name
 * of their own. `/metrics` is given to scrapers alone, and means that of every server.
 */
function rightOf(path: string): string {
  return path === "/metrics" ? path : `/weir.dev${path}`;
}

/** Every line: `Headers` would join or drop what is sent twice. */
function authorizationsOf(rawHeaders: readonly string[]): readonly string[] {
  return rawHeaders.filter((_, index) =>
    index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "authorization"
  );
}

const notPlain = {
  status: 400,
  reason: "PathNotPlain",
  detail: "Read request: its path can be read in two ways, wanted it without escapes, dots and //",
} as const;
