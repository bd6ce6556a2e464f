/** Asks a running weir over its HTTP API. What comes back is checked like any input. */

import { isRequestExplanation, type RequestExplanation } from "../api/explain.ts";
import { isStatusExplanation, type StatusExplanation } from "../api/explain_status.ts";
import { isPlan, type Plan } from "../api/plan.ts";
import type { RequestQuestion } from "../api/request_question.ts";
import type { Clock } from "../base/clock.ts";

/** How long an answer may take. */
const answerTimeoutMs = 10_000;
/** How long a plan may take: longer than the weir that is asked gives it. */
const planTimeoutMs = 60_000;
/** How long a weir that computes another plan is asked again. */
const planPatienceMs = 60_000;
/** Bytes of an answer. */
const answerBytesMax = 16 * 1024 * 1024;

/** Who would serve the request, by the weir at `origin`. Rejects with an Error that names it. */
export async function askRunning(
  origin: string,
  question: RequestQuestion,
): Promise<RequestExplanation> {
  const { method, host, path, port, gateway, headers } = question;
  const query = new URLSearchParams({ method, host, path, port: String(port) });
  if (gateway !== undefined) query.set("gateway", gateway);
  for (const { name, value } of headers) query.append("header", `${name}:${value}`);
  return await ask(origin, `/api/v1/explain/request?${query}`, isRequestExplanation);
}

/** Why the status of an object is what it is, by the weir at `origin`; rejects as above. */
export async function askRunningStatus(
  origin: string,
  kind: string,
  { namespace, name }: { readonly namespace?: string; readonly name: string },
): Promise<StatusExplanation> {
  const object = namespace === undefined ? [name] : [namespace, name];
  const path = [kind, ...object].map(encodeURIComponent).join("/");
  return await ask(origin, `/api/v1/explain/${path}`, isStatusExplanation);
}

/**
 * What would change if `manifests` were applied to the objects of the weir at `origin` and others
 * deleted; rejects as above. While that weir computes another plan, it is asked again for some time.
 */
export async function askRunningPlan(
  origin: string,
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
  return await ask(origin, `/api/v1/plan?${query}`, isPlan, {
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
  origin: string,
  path: string,
  isAnswer: (value: unknown) => value is Answer,
  options: AskOptions = {},
): Promise<Answer> {
  const { status, value, retryAfter } = await getJson(origin + path, origin, options);
  if (status === 503 && retryAfter > 0 && await options.waits?.(retryAfter)) {
    return await ask(origin, path, isAnswer, options);
  }
  if (status !== 200) throw new Error(`Ask ${origin}: it answered ${status}${detailOf(value)}`);
  if (isAnswer(value)) return value;
  throw new Error(`Ask ${origin}: the answer is none of this version, wanted the same version`);
}

async function getJson(
  url: string,
  origin: string,
  { init, timeoutMs = answerTimeoutMs }: AskOptions,
): Promise<{ readonly status: number; readonly value: unknown; readonly retryAfter: number }> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { ...init, signal, redirect: "error" });
    const retryAfter = Number(response.headers.get("retry-after") ?? 0);
    return { status: response.status, value: JSON.parse(await readText(response)), retryAfter };
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new Error(`Ask ${origin}: the answer is not JSON, wanted the HTTP API of weir`, {
        cause: error,
      });
    }
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Ask ${origin}: there is no answer: ${why}`, { cause: error });
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
