/**
 * Header modifiers one after the other as the one list that Envoy applies.
 *
 * Envoy has its own order of levels (backend before rule, removals before all else), the model has
 * another one: what comes later wins. So modifiers of several levels are composed here and written to
 * one level, and Envoy's order never matters.
 */

import type { HeaderModifier, HeaderValue } from "../../dataplane/http_filters.ts";
import type { HttpFilter } from "../../dataplane/model.ts";
import type { ProtoJson, ProtoObject } from "../codec.ts";
import { formattedText, isModifiable } from "./writable_text.ts";

/** One line that is set, in place of what there is, or added to it. */
interface Mutation extends HeaderValue {
  readonly replaces: boolean;
}

/** What modifiers come to: removals first. */
export interface HeaderMutations {
  /** Lower case, each once. */
  readonly remove: readonly string[];
  readonly lines: readonly Mutation[];
}

/** Changes nothing. */
export const noMutations: HeaderMutations = { remove: [], lines: [] };

/** The modifiers of one direction among `filters`, in their order. */
export function modifiersOf(
  filters: readonly HttpFilter[],
  type: "RequestHeaderModifier" | "ResponseHeaderModifier",
): readonly HeaderModifier[] {
  return filters.flatMap((filter) => filter.type === type ? [filter.headers] : []);
}

/**
 * What `modifiers` do in this order. Without what is not a route's to say, and without the Host line:
 * see {@linkcode hostOf}.
 */
export function composeModifiers(modifiers: readonly HeaderModifier[]): HeaderMutations {
  if (modifiers.length === 0) return noMutations;
  const remove = new Set<string>();
  let lines: Mutation[] = [];
  for (const modifier of modifiers) {
    const gone = new Set(modifier.remove.filter(isOrdinary).map((name) => name.toLowerCase()));
    lines = lines.filter(({ name }) => !gone.has(name.toLowerCase()));
    for (const name of gone) remove.add(name);
    lines.push(
      ...modifier.set.filter(({ name }) => isOrdinary(name)).map(toMutation(true)),
      ...modifier.add.filter(({ name }) => isOrdinary(name)).map(toMutation(false)),
    );
  }
  return { remove: [...remove], lines };
}

/** The Host line that `modifiers` set for the backend; undefined: none does. */
export function hostOf(modifiers: readonly HeaderModifier[]): string | undefined {
  return modifiers.flatMap(({ set }) => set)
    .findLast(({ name }) => name.toLowerCase() === "host")?.value;
}

/** The fields of a Route or a ClusterWeight. */
export function mutationFields(
  request: HeaderMutations,
  response: HeaderMutations,
): ProtoObject {
  return { ...fieldsFor("request", request), ...fieldsFor("response", response) };
}

function fieldsFor(side: "request" | "response", mutations: HeaderMutations): ProtoObject {
  const { remove, lines } = mutations;
  return {
    ...(lines.length > 0 ? { [`${side}HeadersToAdd`]: lines.map(toOption) } : {}),
    ...(remove.length > 0 ? { [`${side}HeadersToRemove`]: remove } : {}),
  };
}

function isOrdinary(name: string): boolean {
  return isModifiable(name) && name.toLowerCase() !== "host";
}

function toMutation(replaces: boolean): (line: HeaderValue) => Mutation {
  return ({ name, value }) => ({ name, value, replaces });
}

/** `config.core.v3.HeaderValueOption`. */
function toOption({ name, value, replaces }: Mutation): ProtoJson {
  return {
    header: { key: name, value: formattedText(value) },
    appendAction: replaces ? "OVERWRITE_IF_EXISTS_OR_ADD" : "APPEND_IF_EXISTS_OR_ADD",
    keepEmptyValue: true,
  };
}
