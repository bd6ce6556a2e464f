/**
 * A backend that answers with what it received: the quickstart's stand-in for an application.
 *
 * `node:http` and raw headers, so that the answer shows exactly what the gateway sent.
 */

import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";

/** Bodies beyond this are counted but not kept. Bytes. */
const bodyShownMax = 4096;

/** One echo server. */
export interface EchoBackend {
  readonly name: string;
  /** Resolves when the server listens; rejects with a message that names the address. */
  readonly listening: Promise<void>;
  /** Stops at once; open connections are cut. */
  close(): Promise<void>;
}

/** Starts an echo server that calls itself `name` in its answers. */
export function startEcho(name: string, hostname: string, port: number): EchoBackend {
  const server = createServer((request, response) => void answer(name, request, response));
  const listening = new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      reject(
        new Error(`Cannot start echo backend "${name}" on ${hostname}:${port}`, {
          cause: error,
        }),
      );
    });
    server.listen(port, hostname, () => resolve());
  });
  return {
    name,
    listening,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request);
  if (body === undefined) return;
  const echo = {
    backend: name,
    method: request.method,
    path: request.url,
    headers: headerLines(request.rawHeaders),
    ...(body.bytes > 0 ? { body: body.text, bodyBytes: body.bytes } : {}),
  };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(`${JSON.stringify(echo, null, 2)}\n`);
}

/** The body's size and its beginning; `undefined` when the client went away. */
async function readBody(
  request: IncomingMessage,
): Promise<{ text: string; bytes: number } | undefined> {
  let text = "";
  let bytes = 0;
  const decoder = new TextDecoder();
  try {
    for await (const chunk of request) {
      bytes += chunk.length;
      if (text.length < bodyShownMax) text += decoder.decode(chunk, { stream: true });
    }
  } catch {
    // The client went away in the middle of its request: there is nobody to answer.
    return undefined;
  }
  return { text: text.slice(0, bodyShownMax), bytes };
}

function headerLines(rawHeaders: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
  }
  return lines;
}
