/**
 * The parameters of lists and watches, and what a list answers. Pure but for the snapshots.
 *
 * The rules are those of the API server: which `resourceVersion` goes with which match, pages that
 * show one moment, and 410 with a token to go on when that moment is no longer kept.
 */

import type { KubeObject } from "../../kube/object.ts";
import type { StoredKind } from "../../kube/kinds.ts";
import type { StatusError } from "../store_contract.ts";
import { expired, fromTheFuture } from "../status_errors.ts";
import { ApiRefusal, badRequest } from "./api_status.ts";
import { parseFieldSelector } from "./field_selector.ts";
import { parseLabelSelector } from "./label_selector.ts";

/** Which objects are asked for. */
export interface Selection {
  readonly matches: (object: KubeObject) => boolean;
  /** Whether everything is selected. */
  readonly isAll: boolean;
}

/** Reads both selectors of a request. @throws {ApiRefusal} 400 */
export function readSelection(kind: StoredKind, query: URLSearchParams, name?: string): Selection {
  const labels = parseLabelSelector(query.get("labelSelector") ?? "");
  const fields = parseFieldSelector(kind, query.get("fieldSelector") ?? "");
  return {
    isAll: !labels && !fields && name === undefined,
    matches: (object) =>
      (name === undefined || object.metadata.name === name) &&
      (labels?.(object.metadata.labels ?? {}) ?? true) && (fields?.(object) ?? true),
  };
}

/** A page of a list. */
export interface ListPage {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
  readonly continueToken: string | undefined;
  readonly remainingItemCount: number | undefined;
}

/** A whole number that is not negative, or undefined when it is absent. @throws {ApiRefusal} 400 */
export function readCount(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? "";
  if (text === "") return undefined;
  if (!/^\d{1,15}$/.test(text)) {
    throw badRequest(`${name}: Invalid value: ${JSON.stringify(text.slice(0, 100))}`);
  }
  return Number(text);
}

/** Checks `resourceVersion` and `resourceVersionMatch` of a list. @throws {ApiRefusal} */
function checkListVersion(query: URLSearchParams, current: string, oldest: string): void {
  const version = query.get("resourceVersion") ?? "";
  const match = query.get("resourceVersionMatch") ?? "";
  if (query.get("sendInitialEvents") !== null) throw invalidOption("sendInitialEvents", "list");
  if (match !== "" && match !== "Exact" && match !== "NotOlderThan") {
    throw badRequest(`resourceVersionMatch: Unsupported value: ${JSON.stringify(match)}`);
  }
  if (match !== "" && version === "") throw invalidOption("resourceVersionMatch", "no version");
  if (match !== "" && query.get("continue")) {
    throw invalidOption("resourceVersionMatch", "continue");
  }
  if (version === "") return;
  if (!/^\d{1,15}$/.test(version)) {
    throw badRequest(`resourceVersion: Invalid value: ${JSON.stringify(version.slice(0, 100))}`);
  }
  if (Number(version) > Number(current)) {
    throw new ApiRefusal(fromTheFuture(Number(version), Number(current)));
  }
  if (match !== "Exact") return;
  if (version === "0") throw invalidOption("resourceVersionMatch", "resourceVersion 0");
  // What a list of that moment held is not kept, unless nothing has happened since.
  if (version !== current) throw new ApiRefusal(expired(Number(version), Number(oldest)));
}

function invalidOption(name: string, why: string): ApiRefusal {
  return badRequest(`${name} is forbidden for this request: ${why}`);
}

/** Lists whose later pages somebody may still ask for. */
interface Snapshot {
  readonly id: number;
  readonly scope: string;
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
}

/** Snapshots that are kept; the oldest goes first. */
const snapshotsMax = 32;

/** Cuts lists into pages that all show the moment of the first. */
export class ListPager {
  #snapshots: Snapshot[] = [];
  #nextId = 1;

  /**
   * The page that `query` asks for.
   *
   * @param scope what is listed and how it is selected: a token is good for the same only
   * @throws {ApiRefusal} 400, 410, 504
   */
  page(
    list: { readonly items: readonly KubeObject[]; readonly resourceVersion: string },
    selection: Selection,
    query: URLSearchParams,
    scope: string,
  ): ListPage {
    checkListVersion(query, list.resourceVersion, list.resourceVersion);
    const limit = readCount(query, "limit") ?? 0;
    const token = query.get("continue") ?? "";
    const from = token === "" ? undefined : readToken(token);
    const found = from && this.#snapshots.find(({ id }) => id === from.id);
    if (from && (found?.scope ?? scope) !== scope) throw badRequest("continue key is not valid");
    if (from && from.id > 0 && !found) throw expiredPage(from.last);
    const { resourceVersion } = found ?? list;
    const selected = found?.items ?? list.items.filter(selection.matches);
    const start = from ? selected.findIndex((item) => sortKey(item) > from.last) : 0;
    const rest = start < 0 ? [] : selected.slice(start);
    if (limit === 0 || rest.length <= limit) {
      return pageOf(rest, resourceVersion, undefined, undefined);
    }
    const items = rest.slice(0, limit);
    const last = items.at(-1);
    const id = found?.id ?? this.#keep({ scope, items: selected, resourceVersion });
    const next = last && writeToken({ id, last: sortKey(last) });
    const left = selection.isAll ? rest.length - limit : undefined;
    return pageOf(items, resourceVersion, next, left);
  }

  #keep(snapshot: Omit<Snapshot, "id">): number {
    const id = this.#nextId++;
    this.#snapshots.push({ ...snapshot, id });
    if (this.#snapshots.length > snapshotsMax) this.#snapshots = this.#snapshots.slice(1);
    return id;
  }
}

function pageOf(
  items: readonly KubeObject[],
  resourceVersion: string,
  continueToken: string | undefined,
  remainingItemCount: number | undefined,
): ListPage {
  return { items, resourceVersion, continueToken, remainingItemCount };
}

/** Orders as lists are: by namespace, then by name. No name holds the separator. */
function sortKey({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ""}\u0000${metadata.name}`;
}

/** Id 0: go on in the list of now. */
interface PageToken {
  readonly id: number;
  readonly last: string;
}

function writeToken({ id, last }: PageToken): string {
  return new TextEncoder().encode(`${id}\u0000${last}`).toBase64({ alphabet: "base64url" });
}

function readToken(token: string): PageToken {
  try {
    const bytes = Uint8Array.fromBase64(token, { alphabet: "base64url" });
    const text = new TextDecoder().decode(bytes);
    const end = text.indexOf("\u0000");
    const id = text.slice(0, Math.max(end, 0));
    if (/^\d{1,15}$/.test(id)) return { id: Number(id), last: text.slice(end + 1) };
  } catch {
    // Not even base64: said below.
  }
  throw badRequest("continue key is not valid");
}

function expiredPage(last: string): ApiRefusal {
  const message = "The provided continue parameter is too old to display a consistent list " +
    "result. You can start a new list without the continue parameter, or use the continue token " +
    "in this response to retrieve the remainder of the results.";
  const error: StatusError = { code: 410, reason: "Expired", message };
  return new ApiRefusal(error, writeToken({ id: 0, last }));
}
