/**
 * Holds answers of the HTTP API to what `/openapi.json` promises: status, content type, body, reason
 * of a problem, events of a stream. An answer that the document does not know is a fault like one
 * that breaks it, so neither of the two can go its own way.
 */

import { assert, assertEquals } from "@std/assert";
import { resolveReference, schemaFaults } from "./json_schema.ts";

type Json = Readonly<Record<string, unknown>>;

/** An answer, read whole. */
export interface ReadAnswer {
  readonly status: number;
  /** The header, or the empty string. */
  readonly contentType: string;
  readonly body: string;
}

const problemType = "application/problem+json";
const anyProblem = { $ref: "#/components/responses/AnyProblem" };

/** See the file's header. */
export class OpenApiCheck {
  readonly #document: Json;

  constructor(document: unknown) {
    assert(isObject(document) && isObject(document["paths"]), "there is an OpenAPI document");
    this.#document = document;
  }

  /** @throws AssertionError with every fault when the answer is none that the document knows */
  checkAnswer(method: string, target: string, answer: ReadAnswer): void {
    const { status, contentType, body } = answer;
    const what = `${method} ${target}: ${status} ${contentType}`;
    const operation = this.#operationOf(method, target);
    // Answered for every path, and not worth a line in each.
    if (method === "OPTIONS" && status === 204) return assertEquals(body, "", what);
    const response = this.#responseOf(operation, status);
    const media = this.#mediaOf(response, contentType, what);
    if (method === "HEAD") return assertEquals(body, "", what);
    if (isStream(contentType)) return;
    const isJson = /^application\/(problem\+)?json$/.test(mediaTypeOf(contentType));
    const value = isJson ? parseJson(body, what) : body;
    const faults = schemaFaults(this.#document, media["schema"], value);
    assert(faults.length === 0, `${what}:\n${faults.join("\n")}\n${body.slice(0, 500)}`);
    if (mediaTypeOf(contentType) === problemType) this.#checkProblem(response, status, value, what);
  }

  /** @throws AssertionError when the stream at `target` has no such event */
  checkEvent(target: string, event: string, data: string): void {
    const what = `event "${event}" of ${target}`;
    const response = this.#responseOf(this.#operationOf("GET", target), 200);
    const schemas = this.#mediaOf(response, "text/event-stream", what)["x-events"];
    assert(isObject(schemas) && Object.hasOwn(schemas, event), `${what} is not in the document`);
    const faults = schemaFaults(this.#document, schemas[event], parseJson(data, what));
    assert(faults.length === 0, `${what}:\n${faults.join("\n")}\n${data.slice(0, 500)}`);
  }

  #operationOf(method: string, target: string): Json | undefined {
    const [path = ""] = target.replace(/^[a-z]+:\/\/[^/?#]*/i, "").split(/[?#]/);
    const segments = path.split("/");
    const paths = this.#document["paths"];
    assert(isObject(paths));
    // Letters win over parameters.
    const [found] = Object.keys(paths).filter((path) => matches(path.split("/"), segments))
      .toSorted((a, b) => a.split("{").length - b.split("{").length);
    const operations = found === undefined ? undefined : paths[found];
    const name = method === "HEAD" ? "get" : method.toLowerCase();
    const operation = isObject(operations) ? operations[name] : undefined;
    return isObject(operation) ? operation : undefined;
  }

  /** What the document says of `status`; of a path or method that it does not know, any problem. */
  #responseOf(operation: Json | undefined, status: number): Json {
    const responses = operation?.["responses"];
    const known = isObject(responses)
      ? responses[String(status)] ?? responses["default"]
      : anyProblem;
    const response = isObject(known) && typeof known["$ref"] === "string"
      ? resolveReference(this.#document, known["$ref"])
      : known;
    assert(isObject(response), `the document says what ${status} is`);
    return response;
  }

  #mediaOf({ content }: Json, contentType: string, what: string): Json {
    assert(isObject(content), what);
    const media = content[mediaTypeOf(contentType)];
    assert(isObject(media), `${what}: the document has ${Object.keys(content).join(", ")}`);
    return media;
  }

  #checkProblem(response: Json, status: number, value: unknown, what: string): void {
    assert(isObject(value));
    assertEquals(value["status"], status, what);
    const reasons = response["x-reasons"];
    assert(Array.isArray(reasons), `${what}: the document lists reasons`);
    assert(reasons.includes(value["reason"]), `${what}: reason "${value["reason"]}" is not listed`);
  }
}

/** Whether `contentType` is that of a stream of events. */
export function isStream(contentType: string): boolean {
  return mediaTypeOf(contentType) === "text/event-stream";
}

function mediaTypeOf(contentType: string): string {
  return contentType.split(";")[0]?.trim().toLowerCase() ?? "";
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.length === segments.length &&
    pattern.every((part, index) =>
      part === segments[index] || part.startsWith("{") && segments[index] !== ""
    );
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${what} is not JSON: ${text.slice(0, 200)}`, { cause: error });
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
