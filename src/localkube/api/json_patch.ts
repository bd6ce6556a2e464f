/**
 * JSON patches (RFC 6902) and merge patches (RFC 7386) on JSON values. Pure: nothing is mutated.
 *
 * A patch that does not fit is a value with the reason, not an exception. Names that reach into an
 * object's prototype are names like any other here: they only ever become own fields.
 */

import { equalJson, isRecord, type JsonRecord } from "../../kube/json_value.ts";

/** The patched value, or why the patch does not fit. */
export type PatchResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: string };

/** Operations of one JSON patch: each copies what it changes, on the loop that also proxies. */
const operationsMax = 1_000;

/** Applies a JSON patch. All of it or nothing. */
export function applyJsonPatch(target: unknown, patch: unknown): PatchResult {
  if (!Array.isArray(patch)) return fault("the patch is not a list of operations");
  if (patch.length > operationsMax) {
    return fault(`the patch has ${patch.length} operations, wanted at most ${operationsMax}`);
  }
  let value = target;
  for (const operation of patch) {
    const result = isRecord(operation)
      ? applyOperation(value, operation)
      : fault("an operation is not an object");
    if (!result.ok) return result;
    value = result.value;
  }
  return { ok: true, value };
}

/** Applies a merge patch: null removes, objects merge, everything else replaces. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result = new Map(isRecord(target) ? Object.entries(target) : []);
  for (const [key, item] of Object.entries(patch)) {
    if (item === null) result.delete(key);
    else result.set(key, applyMergePatch(result.get(key), item));
  }
  return Object.fromEntries(result);
}

function applyOperation(document: unknown, operation: JsonRecord): PatchResult {
  const { op, path, from, value } = operation;
  const to = parsePointer(path);
  if (!to) return fault(`the path ${show(path)} is no JSON pointer`);
  switch (op) {
    case "add":
      if (value === undefined) return fault(`"add" at ${show(path)} has no value`);
      return edit(document, to, { type: "add", value });
    case "replace":
      if (value === undefined) return fault(`"replace" at ${show(path)} has no value`);
      return edit(document, to, { type: "replace", value });
    case "remove":
      return edit(document, to, { type: "remove" });
    case "test": {
      const found = read(document, to);
      if (found.ok && equalJson(found.value, value)) return { ok: true, value: document };
      return fault(`testing value ${show(path)} failed`);
    }
    case "copy":
    case "move":
      return transfer(document, parsePointer(from), to, op);
    default:
      return fault(`the operation ${show(op)} does not exist`);
  }
}

function transfer(
  document: unknown,
  from: readonly string[] | undefined,
  to: readonly string[],
  op: "copy" | "move",
): PatchResult {
  if (!from) return fault(`"${op}" has no "from" that is a JSON pointer`);
  const found = read(document, from);
  if (!found.ok) return found;
  const isBelow = to.length > from.length && from.every((step, index) => step === to[index]);
  if (op === "move" && isBelow) return fault("a value cannot be moved into itself");
  const rest = op === "move" ? edit(document, from, { type: "remove" }) : found;
  if (!rest.ok) return rest;
  const base = op === "move" ? rest.value : document;
  return edit(base, to, { type: "add", value: found.value });
}

type Edit =
  | { readonly type: "add" | "replace"; readonly value: unknown }
  | { readonly type: "remove" };

function edit(value: unknown, path: readonly string[], change: Edit): PatchResult {
  const [step, ...rest] = path;
  if (step === undefined) {
    return change.type === "remove"
      ? fault("the whole object cannot be removed")
      : { ok: true, value: change.value };
  }
  return Array.isArray(value)
    ? editList(value, step, rest, change)
    : isRecord(value)
    ? editObject(value, step, rest, change)
    : missing(step);
}

function editList(
  list: readonly unknown[],
  step: string,
  rest: readonly string[],
  change: Edit,
): PatchResult {
  const adds = rest.length === 0 && change.type === "add";
  const index = step === "-" && adds ? list.length : indexOf(step);
  if (index === undefined || index > list.length || (index === list.length && !adds)) {
    return missing(step);
  }
  if (adds) return { ok: true, value: list.toSpliced(index, 0, change.value) };
  if (rest.length === 0 && change.type === "remove") {
    return { ok: true, value: list.toSpliced(index, 1) };
  }
  const inner = edit(list[index], rest, change);
  return inner.ok ? { ok: true, value: list.with(index, inner.value) } : inner;
}

function editObject(
  object: JsonRecord,
  step: string,
  rest: readonly string[],
  change: Edit,
): PatchResult {
  const entries = new Map(Object.entries(object));
  const adds = rest.length === 0 && change.type === "add";
  if (!entries.has(step) && !adds) return missing(step);
  if (rest.length === 0 && change.type === "remove") {
    entries.delete(step);
  } else {
    const inner = adds ? { ok: true, value: change.value } as const : edit(
      entries.get(step),
      rest,
      change,
    );
    if (!inner.ok) return inner;
    entries.set(step, inner.value);
  }
  return { ok: true, value: Object.fromEntries(entries) };
}

function read(value: unknown, path: readonly string[]): PatchResult {
  let current = value;
  for (const step of path) {
    if (Array.isArray(current)) {
      const index = indexOf(step);
      if (index === undefined || index >= current.length) return missing(step);
      current = current[index];
    } else {
      if (!isRecord(current) || !Object.hasOwn(current, step)) return missing(step);
      current = current[step];
    }
  }
  return { ok: true, value: current };
}

/** The steps of a JSON pointer (RFC 6901). */
function parsePointer(pointer: unknown): readonly string[] | undefined {
  if (pointer === "") return [];
  if (typeof pointer !== "string" || !pointer.startsWith("/")) return undefined;
  const steps = pointer.slice(1).split("/");
  if (steps.length > 200 || steps.some((step) => /~(?![01])/.test(step))) return undefined;
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function indexOf(step: string): number | undefined {
  return /^(0|[1-9]\d{0,8})$/.test(step) ? Number(step) : undefined;
}

function missing(step: string): PatchResult {
  return fault(`there is nothing at ${show(step)}`);
}

function fault(text: string): PatchResult {
  return { ok: false, fault: text };
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 200) ?? "undefined";
}
