/**
 * `/api/v1/state`: what weir works with, and what it refused.
 *
 * Lists come in pages of at most 1,000 objects and 4 MiB, so that an answer has a bounded size. Kinds may be called by
 * kind, plural or short name, in any case, as kubectl takes them.
 */

import { StateListSchema, StateObjectSchema, StateSummarySchema } from "../api/state.ts";
import {
  clusterScopedParameters,
  findKind,
  kindParameter,
  type NamedObject,
  namespacedParameters,
  notFound,
  objectOfPath,
} from "./object_path.ts";
import { decodePageToken, encodePageToken } from "./page_token.ts";
import { RefusedError } from "./problem.ts";
import {
  jsonResponse,
  jsonTextResponse,
  type Route,
  type RouteGroup,
  type RouteRequest,
} from "./route_group.ts";
import type { KindNames, PageQuery, StateView } from "./views.ts";

/** Objects on a page when `limit` is left out. */
const limitDefault = 500;
/** Objects on a page at most. */
const limitMax = 1000;
/** UTF-16 units of a page; a page of larger objects has fewer of them. */
export const pageCharsMax = 4 * 1024 * 1024;

/** The header that says which revision of the inputs an object was read at. */
const revisionHeader = "weir-revision";

/** Routes that read `state`. */
export function createStateGroup(state: StateView): RouteGroup {
  const summary: Route = {
    method: "GET",
    path: "/api/v1/state",
    summary: "Epoch, revision, objects by kind, problems of manifests or of the cluster",
    parameters: [],
    responses: [jsonAnswer("The summary", StateSummarySchema)],
    problems: {},
    handle: () => jsonResponse(state.summary()),
  };
  const list: Route = {
    method: "GET",
    path: "/api/v1/state/{kind}",
    summary: "The objects of a kind with their statuses, in pages",
    parameters: [
      kindParameter,
      { name: "namespace", in: "query", description: "Only objects of this namespace" },
      {
        name: "limit",
        in: "query",
        description: `Objects on a page, 1 to ${limitMax}; ${limitDefault} when left out`,
      },
      { name: "continue", in: "query", description: "`continue` of the page before" },
    ],
    responses: [jsonAnswer("A page", StateListSchema)],
    problems: { 400: ["InvalidParameter"], 404: ["UnknownKind"] },
    handle: (request) => answerList(state, request),
  };
  const clusterScoped: Route = {
    method: "GET",
    path: "/api/v1/state/{kind}/{name}",
    summary: "One object of a kind without namespaces",
    parameters: clusterScopedParameters,
    responses: [jsonAnswer("The object", StateObjectSchema)],
    problems: { 404: ["UnknownKind", "NotFound"] },
    handle: ({ path }) => answerObject(state, objectOfPath(state.kinds, path)),
  };
  const namespaced: Route = {
    method: "GET",
    path: "/api/v1/state/{kind}/{namespace}/{name}",
    summary: "One object",
    parameters: namespacedParameters,
    responses: [jsonAnswer("The object", StateObjectSchema)],
    problems: { 404: ["UnknownKind", "NotFound"] },
    handle: ({ path }) => answerObject(state, objectOfPath(state.kinds, path)),
  };
  return { routes: [summary, list, clusterScoped, namespaced] };
}

function answerList(state: StateView, { path, query }: RouteRequest): Response {
  const names = findKind(state.kinds, path["kind"] ?? "");
  const page = state.list(names.kind, parsePageQuery(names, query));
  const texts = takeTexts(page.items, pageCharsMax);
  const remaining = page.remaining + page.items.length - texts.length;
  const last = page.items[texts.length - 1];
  const head = JSON.stringify({
    revision: state.revision(),
    kind: names.kind,
    remainingItemCount: remaining,
    ...(last && remaining > 0 ? { continue: encodePageToken(names.kind, last.metadata) } : {}),
  });
  // Joined by hand, so that no item is written twice to find out how long it is.
  return jsonTextResponse(`${head.slice(0, -1)},"items":[${texts.join(",")}]}`);
}

/** The JSON of the first items, as many as fit into `charsMax`, and at least one. */
function takeTexts(items: readonly unknown[], charsMax: number): readonly string[] {
  const texts: string[] = [];
  let left = charsMax;
  for (const item of items) {
    const text = JSON.stringify(item);
    left -= text.length;
    if (left < 0 && texts.length > 0) break;
    texts.push(text);
  }
  return texts;
}

function parsePageQuery(names: KindNames, query: RouteRequest["query"]): PageQuery {
  const { namespace, limit: limitText, continue: token } = query;
  if (namespace !== undefined && !names.namespaced) {
    throw invalid(`"namespace" is given, but ${names.kind} has no namespaces`);
  }
  const limit = limitText === undefined ? limitDefault : Number(limitText);
  if (
    limitText !== undefined && !(/^\d{1,4}$/.test(limitText) && limit >= 1 && limit <= limitMax)
  ) {
    throw invalid(`"limit" is out of range, wanted a number from 1 to ${limitMax}`);
  }
  const after = token === undefined ? undefined : decodePageToken(names.kind, token);
  if (token !== undefined && after === undefined) {
    throw invalid(`"continue" is not from a list of ${names.plural}, wanted it as it was given`);
  }
  return {
    limit,
    ...(namespace === undefined ? {} : { namespace }),
    ...(after === undefined ? {} : { after }),
  };
}

function answerObject(state: StateView, { names, name }: NamedObject): Response {
  const object = state.get(names.kind, name);
  if (!object) throw notFound(`there is no such ${names.kind}`);
  return jsonResponse(object, { [revisionHeader]: state.revision() });
}

function jsonAnswer(
  description: string,
  schema: Route["responses"][number]["content"][string],
): Route["responses"][number] {
  return { status: 200, description, content: { "application/json": schema } };
}

function invalid(fault: string): RefusedError {
  return new RefusedError(400, "InvalidParameter", `Read query: ${fault}`);
}
