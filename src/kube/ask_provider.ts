/** Asks a provider of identities over HTTPS, within limits of time and size; follows no redirect. */

import { systemClock } from "../base/clock.ts";
import type { AskProvider } from "./oidc_credentials.ts";

const timeoutMs = 15_000;
const answerBytesMax = 1 << 20;

/** See the file's header, and {@linkcode AskProvider}. */
export async function askProvider(
  { url, form, authorization, ca }: Parameters<AskProvider>[0],
): ReturnType<AskProvider> {
  using client = Deno.createHttpClient(ca === undefined ? {} : { caCerts: [ca] });
  const over = new AbortController();
  const cancel = systemClock.after(timeoutMs, () => over.abort(new Error("no answer in time")));
  try {
    const response = await fetch(url, {
      client,
      redirect: "manual",
      signal: over.signal,
      headers: authorization === undefined ? {} : { authorization },
      ...form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) },
    });
    return { status: response.status, text: await readText(response) };
  } finally {
    cancel();
  }
}

async function readText({ body }: Response): Promise<string> {
  let text = "";
  let size = 0;
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > answerBytesMax) throw new Error(`the answer has more than ${answerBytesMax} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}
