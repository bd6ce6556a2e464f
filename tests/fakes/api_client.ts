/**
 * A client of the HTTP API that believes nothing: every answer and every event is held to the
 * document that the same server serves.
 */

import { assert } from "@std/assert";
import { isStream, OpenApiCheck } from "./openapi_check.ts";

/** An event of a stream. */
export interface ApiEvent {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

/** Sends one request; `fetch` or the app itself. */
export type SendRequest = (path: string, init?: RequestInit) => Response | Promise<Response>;

/** See the file's header. */
export class ApiClient {
  readonly #send: SendRequest;
  #check: Promise<OpenApiCheck> | undefined;

  /**
   * @param send what answers: the origin of a server, or something that takes requests
   * @param headers of every request to the server of an origin
   */
  constructor(send: string | SendRequest, headers: Readonly<Record<string, string>> = {}) {
    this.#send = typeof send === "string"
      ? (path, init = {}) => {
        const all = new Headers(init.headers);
        for (const [name, value] of Object.entries(headers)) all.set(name, value);
        return fetch(send + path, { ...init, headers: all });
      }
      : send;
  }

  /** The answer, held to the document; its body can be read once more. */
  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.#send(path, init);
    const contentType = response.headers.get("content-type") ?? "";
    const { status, statusText, headers } = response;
    const method = init.method ?? "GET";
    const check = await this.#document();
    if (isStream(contentType)) {
      check.checkAnswer(method, path, { status, contentType, body: "" });
      return response;
    }
    const body = await response.text();
    check.checkAnswer(method, path, { status, contentType, body });
    return new Response(status === 204 ? null : body, { status, statusText, headers });
  }

  /** The JSON of an answer with status 200. */
  async json(path: string, init: RequestInit = {}): Promise<unknown> {
    const response = await this.request(path, init);
    const text = await response.text();
    assert(response.status === 200, `${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  /** An open stream: its events without marks and comments, each held to the document. */
  async stream(path: string, init: RequestInit = {}): Promise<AsyncGenerator<ApiEvent>> {
    const response = await this.request(path, init);
    assert(response.body && response.status === 200, `${path}: ${response.status}`);
    return checkEvents(await this.#document(), path, response.body);
  }

  #document(): Promise<OpenApiCheck> {
    this.#check ??= (async () => {
      const response = await this.#send("/openapi.json");
      return new OpenApiCheck(await response.json());
    })();
    return this.#check;
  }
}

async function* checkEvents(
  check: OpenApiCheck,
  path: string,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ApiEvent> {
  for await (const event of readEvents(body)) {
    check.checkEvent(path, event.event, event.data);
    yield event;
  }
}

/** Reads events as browsers do, as far as our streams use it. */
async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<ApiEvent> {
  let text = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const fields = new Map(
        text.slice(0, end).split("\n").map((line) => {
          const colon = line.indexOf(": ");
          return [line.slice(0, colon), line.slice(colon + 2)];
        }),
      );
      text = text.slice(end + 2);
      const event = fields.get("event");
      if (event === undefined) continue;
      yield { event, id: fields.get("id") ?? "", data: fields.get("data") ?? "" };
    }
  }
}
