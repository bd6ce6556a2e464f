/** Asks a running weir over its HTTP API. What comes back is checked like any input. */

import { isRequestExplanation, type RequestExplanation } from "../api/explain.ts";
import { isStatusExplanation, type StatusExplanation } from "../api/explain_status.ts";
import { isPlan, type Plan } from "../api/plan.ts";
import type { RequestQuestion } from "../api/request_question.ts";
import type { Clock } from "../base/clock.ts";
import type { RunningApi } from "./running_api.ts";

/** How long an answer may take. */
const answerTimeoutMs = 10_000;
/** How long a plan may take: longer than the weir that is asked gives it. */
const planTimeoutMs = 60_000;
/** How long a weir that computes another plan is asked again. */
const planPatienceMs = 60_000;
/** Bytes of an answer. */
const answerBytesMax = 16 * 1024 * 1024;

/** Who would serve the request, by that weir. Rejects with an Error that names its origin. */
export async function askRunning(
  running: RunningApi,
  question: RequestQuestion,
): Promise<RequestExplanation> {
  const { method, host, path, port, gateway, headers } = question;
  const query = new URLSearchParams({ method, host, path, port: String(port) });
  if (gateway !== undefined) query.set("gateway", gateway);
  for (const { name, value } of headers) query.append("header", `${name}:${value}`);
  return await ask(running, `/api/v1/explain/request?${query}`, isRequestExplanation);
}

/** Why the status of an object is what it is, by that weir; rejects as above. */
export async function askRunningStatus(
  running: RunningApi,
  kind: string,
  { namespace, name }: { readonly namespace?: string; readonly name: string },
): Promise<StatusExplanation> {
  const object = namespace === undefined ? [name] : [namespace, name];
  const path = [kind, ...object].map(encodeURIComponent).join("/");
  return await ask(running, `/api/v1/explain/${path}`, isStatusExplanation);
}

/**
 * What would change if `manifests` were applied to the objects of that weir and others deleted; rejects as above. While that weir computes another plan, it is asked again for some time.
 */
export async function askRunningPlan(
  running: RunningApi,
  manifests: string,
  deletions: readonly string[],
  clock: Clock,
): Promise<Plan> {
  const query = new URLSearchParams(deletions.map((deletion) => ["delete", deletion]));
  const init: RequestInit = {
    method: "POST",
    headers: { "content-type": "application/yaml" },
    body: manifests,
  };
  const lastMs = clock.monotonicMs() + planPatienceMs;
  return await ask(running, `/api/v1/plan?${query}`, isPlan, {
    init,
    timeoutMs: planTimeoutMs,
    async waits(seconds) {
      if (clock.monotonicMs() + seconds * 1000 > lastMs) return false;
      await clock.sleep(seconds * 1000);
      return true;
    },
  });
}

/** How a question is asked. */
interface AskOptions {
  readonly init?: RequestInit;
  readonly timeoutMs?: number;
  /** Waits for so long as the answer says, when it is to be asked again. */
  readonly waits?: (seconds: number) => Promise<boolean>;
}

async function ask<Answer>(
  running: RunningApi,
  path: string,
  isAnswer: (value: unknown) => value is Answer,
  options: AskOptions = {},
): Promise<Answer> {
  const { origin } = running;
  const { status, value, retryAfter } = await getJson(running, path, options);
  if (status === 503 && retryAfter > 0 && await options.waits?.(retryAfter)) {
    return await ask(running, path, isAnswer, options);
  }
  if (status === 401) {
    throw new Error(`Ask ${origin}: it answered 401${detailOf(value)}, see --api-token-file`);
  }
  if (status !== 200) throw new Error(`Ask ${origin}: it answered ${status}${detailOf(value)}`);
  if (isAnswer(value)) return value;
  throw new Error(`Ask ${origin}: the answer is none of this version, wanted the same version`);
}

async function getJson(
  { origin, token }: RunningApi,
  path: string,
  { init, timeoutMs = answerTimeoutMs }: AskOptions,
): Promise<{ readonly status: number; readonly value: unknown; readonly retryAfter: number }> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = new Headers(init?.headers);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    // A redirect would carry the token elsewhere.
    const response = await fetch(origin + path, { ...init, headers, signal, redirect: "error" });
    const retryAfter = Number(response.headers.get("retry-after") ?? 0);
    return { status: response.status, value: JSON.parse(await readText(response)), retryAfter };
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new Error(`Ask ${origin}: the answer is not JSON, wanted the HTTP API of weir`, {
        cause: error,
      });
    }
    const why = error instanceof Error ? error.message : String(error);
    const wanted = "wanted the address of the ready line of a running weir";
    throw new Error(`Ask ${origin}: there is no answer: ${why}, ${wanted}`, { cause: error });
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > answerBytesMax) throw new Error(`it is larger than ${answerBytesMax} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** What a problem says (RFC 9457). */
function detailOf(value: unknown): string {
  const isProblem = typeof value === "object" && value !== null && "detail" in value;
  return isProblem && typeof value.detail === "string" ? `: ${value.detail}` : "";
}
