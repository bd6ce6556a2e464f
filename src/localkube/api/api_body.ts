/**
 * Bodies of requests as values, checked for form and size before anything walks them. Pure.
 *
 * Faults never quote the text, which may hold a secret.
 */

import { isRecord, type JsonRecord } from "../../kube/json_value.ts";
import { readDocuments } from "../manifests/parse_chunk.ts";
import { findYamlFault } from "../manifests/yaml_fault.ts";
import { toPlainValue } from "../manifests/yaml_value.ts";
import { jsonSize } from "../object_size.ts";
import { tooLarge } from "../status_errors.ts";
import type { ObjectInput } from "../store_contract.ts";
import { ApiRefusal, badRequest, unsupportedMediaType } from "./api_status.ts";
import { parseProtobuf, protobufMedia } from "./protobuf_body.ts";

/** The value of a body as JSON, UTF-8 bytes; what is larger is no object that could be stored. */
const valueBytesMax = 3 * 1024 * 1024;
/** UTF-16 units of a YAML body: parsing it holds the event loop, much longer than JSON does. */
const yamlLengthMax = 256 * 1024;

const json = "application/json";
const yaml = "application/yaml";

/** The media type of a `Content-Type`, in lower case and without parameters. */
export function mediaTypeOf(contentType: string): string {
  return contentType.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** An object in JSON, YAML or protobuf. @throws {ApiRefusal} 400, 413, 415 */
export function parseObject(body: Uint8Array, contentType: string): JsonRecord {
  const media = mediaTypeOf(contentType);
  if (media === protobufMedia) return checked(parseProtobuf(body));
  if (media !== json && media !== yaml && media !== "") {
    throw unsupportedMediaType(contentType, [json, yaml, protobufMedia]);
  }
  return asObject(media === yaml ? parseYaml(textOf(body)) : parseJson(body));
}

/** An object in YAML, of which JSON is a part. @throws {ApiRefusal} 400, 413 */
export function parseYamlObject(body: Uint8Array): JsonRecord {
  const text = textOf(body);
  return asObject(/^\s*\{/.test(text) ? parseJson(body) : parseYaml(text));
}

/** Any JSON value. @throws {ApiRefusal} 400, 413 */
export function parseJson(body: Uint8Array): unknown {
  const text = textOf(body);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The error of the platform would quote the text.
    throw badRequest("the body of the request is not JSON");
  }
  checkSize(value);
  return value;
}

function parseYaml(text: string): unknown {
  if (text.length > yamlLengthMax) throw new ApiRefusal(tooLarge(yamlLengthMax));
  let documents: ReturnType<typeof readDocuments>;
  try {
    documents = readDocuments(text);
  } catch (error) {
    // The library recurses: deep nesting exhausts the stack.
    if (!(error instanceof RangeError)) throw error;
    throw badRequest("the body of the request is nested too deeply");
  }
  const [document] = documents;
  if (!document || documents.length > 1) {
    throw badRequest("the body of the request is not one YAML document");
  }
  const fault = findYamlFault(document, text);
  if (fault) throw badRequest(`the body of the request is not YAML: ${fault.message}`);
  const data = toPlainValue(document);
  if (!data.ok) throw badRequest(`the body of the request is not YAML: ${data.fault.message}`);
  checkSize(data.value);
  return data.value;
}

function checked(value: JsonRecord): JsonRecord {
  checkSize(value);
  return value;
}

function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    // The decoder has one fault only; which byte it was helps nobody.
    throw badRequest("the body of the request is not UTF-8");
  }
}

function checkSize(value: unknown): void {
  if (jsonSize(value, valueBytesMax) > valueBytesMax) throw new ApiRefusal(tooLarge(valueBytesMax));
}

function asObject(value: unknown): JsonRecord {
  if (isRecord(value)) return value;
  throw badRequest("the body of the request is not an object");
}

/** `value` as an object of the API. @throws {ApiRefusal} 400 when it does not say what it is */
export function toObjectInput(value: JsonRecord): ObjectInput {
  const { apiVersion, kind, metadata } = value;
  if (typeof kind !== "string" || kind === "") {
    throw badRequest("Object 'Kind' is missing in the body of the request");
  }
  if (typeof apiVersion !== "string" || apiVersion === "") {
    throw badRequest("Object 'apiVersion' is missing in the body of the request");
  }
  if (metadata !== undefined && metadata !== null && !isRecord(metadata)) {
    throw badRequest("the metadata of the object is not an object");
  }
  return { ...value, apiVersion, kind, metadata: isRecord(metadata) ? metadata : {} };
}
