/**
 * Bodies in the API's protobuf form, which typed clients such as `kubectl create` send for built-in
 * kinds. Read only: answers are JSON, which those clients take as well. Pure.
 *
 * The form: four magic bytes, then an envelope with apiVersion, kind and the message itself.
 */

import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { badRequest, unsupportedMediaType } from "./api_status.ts";
import { protobufMessages } from "./protobuf_messages.ts";

/** The media type. */
export const protobufMedia = "application/vnd.kubernetes.protobuf";

const magic = [0x6b, 0x38, 0x73, 0x00];
/** Deeper messages are refused; the deepest of the table is less. */
const depthMax = 16;

interface Field {
  readonly name: string;
  readonly type: string;
  readonly form: "one" | "list" | "map";
}

/** Leaves the recursion; never leaves this file. */
class FormFault extends Error {}

const tables = new Map<string, ReadonlyMap<number, Field>>();

/** The object in `bytes`. @throws {ApiRefusal} 400, or 415 for a kind without a protobuf form here */
export function parseProtobuf(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  if (magic.some((byte, at) => bytes[at] !== byte)) throw malformed();
  try {
    const envelope = readMessage(bytes.subarray(magic.length), envelopeTable, 0);
    const { typeMeta, raw } = envelope;
    const { apiVersion, kind } = isObject(typeMeta) ? typeMeta : {};
    if (typeof kind !== "string" || typeof apiVersion !== "string") throw malformed();
    const own = `${apiVersion} ${kind}`;
    const name = Object.hasOwn(protobufMessages, own) ? own : kind;
    if (!Object.hasOwn(protobufMessages, name)) {
      throw unsupportedMediaType(protobufMedia, ["application/json", "application/yaml"]);
    }
    const message = raw instanceof Uint8Array ? readMessage(raw, tableOf(name), 0) : {};
    return { apiVersion, kind, ...message };
  } catch (error) {
    if (error instanceof FormFault) throw malformed();
    throw error;
  }
}

const envelopeTable: ReadonlyMap<number, Field> = new Map([
  [1, { name: "typeMeta", type: "TypeMeta", form: "one" }],
  [2, { name: "raw", type: "raw", form: "one" }],
]);
const typeMetaTable: ReadonlyMap<number, Field> = new Map([
  [1, { name: "apiVersion", type: "string", form: "one" }],
  [2, { name: "kind", type: "string", form: "one" }],
]);

function tableOf(message: string): ReadonlyMap<number, Field> {
  if (message === "TypeMeta") return typeMetaTable;
  const known = tables.get(message);
  if (known) return known;
  const fields = (protobufMessages[message] ?? "").split(", ").map((row): [number, Field] => {
    const [number = "", name = "", type = ""] = row.split(" ");
    const form = type.startsWith("[]") ? "list" : type.startsWith("{") ? "map" : "one";
    return [Number(number), { name, type: type.replaceAll(/[[\]{}]/g, ""), form }];
  });
  const table = new Map(fields);
  tables.set(message, table);
  return table;
}

function readMessage(
  bytes: Uint8Array,
  table: ReadonlyMap<number, Field>,
  depth: number,
): Record<string, unknown> {
  if (depth > depthMax) throw new FormFault();
  const lists = new Map<string, unknown[]>();
  const maps = new Map<string, Map<string, unknown>>();
  const values = new Map<string, unknown>();
  for (const { number, value } of fieldsOf(bytes)) {
    const field = table.get(number);
    // What is not known is what a newer client knows.
    if (!field) continue;
    if (field.form === "map") {
      const [key, item] = readEntry(value, field.type, depth);
      maps.set(field.name, (maps.get(field.name) ?? new Map()).set(key, item));
    } else if (field.form === "list") {
      const list = lists.get(field.name) ?? [];
      list.push(readValue(value, field.type, depth));
      lists.set(field.name, list);
    } else {
      const item = readValue(value, field.type, depth);
      if (!isNothing(item, field.type)) values.set(field.name, item);
    }
  }
  for (const [name, map] of maps) values.set(name, Object.fromEntries(map));
  return Object.fromEntries([...values, ...lists]);
}

/** Go sends empty values of fields that JSON leaves out. */
function isNothing(value: unknown, type: string): boolean {
  if (type === "bool") return false;
  return value === undefined || value === "" || value === 0 && type !== "IntOrString" ||
    value === false || (isObject(value) && Object.keys(value).length === 0);
}

function readEntry(value: WireValue, type: string, depth: number): readonly [string, unknown] {
  let key = "";
  let item: unknown = type === "string" || type === "bytes" ? "" : {};
  for (const part of fieldsOf(asBytes(value))) {
    if (part.number === 1) key = decodeText(asBytes(part.value));
    if (part.number === 2) item = readValue(part.value, type, depth);
  }
  return [key, item];
}

function readValue(value: WireValue, type: string, depth: number): unknown {
  switch (type) {
    case "string":
      return decodeText(asBytes(value));
    case "bytes":
      return asBytes(value).toBase64();
    case "raw":
      return asBytes(value);
    case "bool":
    case "flag":
      return asInteger(value) !== 0;
    case "int32":
    case "int64":
      return asInteger(value);
    case "Time":
      return readTime(asBytes(value), false);
    case "MicroTime":
      return readTime(asBytes(value), true);
    case "FieldsV1":
      return readFields(asBytes(value));
    case "IntOrString":
      return readIntOrString(asBytes(value));
    case "ExtraValue":
      return readMessage(asBytes(value), tableOf(type), depth + 1).items ?? [];
    default:
      return readMessage(asBytes(value), tableOf(type), depth + 1);
  }
}

/** Absent when it is Go's zero time. */
function readTime(bytes: Uint8Array, hasMicros: boolean): string | undefined {
  let seconds: number | undefined;
  let nanos = 0;
  for (const { number, value } of fieldsOf(bytes)) {
    if (number === 1) seconds = asInteger(value);
    if (number === 2) nanos = asInteger(value);
  }
  // Before year 1 or after 9999 there is nothing that JSON could say.
  if (seconds === undefined || seconds <= -62_135_596_800 || seconds > 253_402_300_799) {
    return undefined;
  }
  const micros = hasMicros ? `.${String(Math.floor(nanos / 1000)).padStart(6, "0")}` : "";
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}${micros}Z`;
}

function readFields(bytes: Uint8Array): unknown {
  for (const { number, value } of fieldsOf(bytes)) {
    if (number !== 1) continue;
    try {
      return JSON.parse(decodeText(asBytes(value)));
    } catch {
      // Its own JSON is broken.
      throw new FormFault();
    }
  }
  return undefined;
}

function readIntOrString(bytes: Uint8Array): number | string {
  let isText = false;
  let integer = 0;
  let text = "";
  for (const { number, value } of fieldsOf(bytes)) {
    if (number === 1) isText = asInteger(value) === 1;
    if (number === 2) integer = asInteger(value);
    if (number === 3) text = decodeText(asBytes(value));
  }
  return isText ? text : integer;
}

type WireValue = bigint | Uint8Array;

/** The fields of a message on the wire, in order. */
function* fieldsOf(
  bytes: Uint8Array,
): Generator<{ readonly number: number; readonly value: WireValue }> {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) yield readField(reader, bytes);
}

function readField(
  reader: BinaryReader,
  bytes: Uint8Array,
): { readonly number: number; readonly value: WireValue } {
  try {
    const [number, wireType] = reader.tag();
    if (wireType === WireType.Varint) return { number, value: BigInt(reader.int64()) };
    if (wireType === WireType.LengthDelimited) return { number, value: reader.bytes() };
    // Numbers of fixed size are in none of the messages here.
    const start = reader.pos;
    reader.skip(wireType, number);
    return { number, value: bytes.subarray(start, reader.pos) };
  } catch {
    // Whatever the library says: these bytes are no message.
    throw new FormFault();
  }
}

function asBytes(value: WireValue): Uint8Array {
  if (typeof value === "bigint") throw new FormFault();
  return value;
}

function asInteger(value: WireValue): number {
  if (typeof value !== "bigint") throw new FormFault();
  return Number(BigInt.asIntN(64, value));
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // The decoder has one fault only.
    throw new FormFault();
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !(value instanceof Uint8Array);
}

function malformed(): Error {
  return badRequest("the body of the request is not the API's protobuf form");
}
