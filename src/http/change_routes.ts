/**
 * `/api/v1/changes`: every change of the outputs as it is made, with its causes.
 *
 * Without `since` the stream begins now. A client that comes back says where it was, as browsers do
 * by themselves (`Last-Event-ID`); when that is not known any more an event `gap` says so first.
 */

import { ChangeEventSchema, EndEventSchema, GapEventSchema } from "../api/changes.ts";
import { RefusedError } from "./problem.ts";
import type { EventStreams } from "./event_streams.ts";
import type { Route, RouteGroup, RouteRequest } from "./route_group.ts";
import type { ChangesView } from "./views.ts";

/** Beginnings of the paths that are streams; the server guards them like changes. */
export const changeStreamPaths: readonly string[] = ["/api/v1/changes"];

const revision = /^[0-9a-zA-Z]{1,64}\.[0-9]{1,16}$/;

/** The route that follows `changes`. */
export function createChangeGroup(changes: ChangesView, streams: EventStreams): RouteGroup {
  const route: Route = {
    method: "GET",
    path: "/api/v1/changes",
    summary: "Changes of statuses and of what is served, with their causes, as they are made",
    parameters: [{
      name: "since",
      in: "query",
      description: "EPOCH.COUNT: changes after this revision first; Last-Event-ID says the same",
      example: "1f0c7a9e.42",
    }],
    responses: [{
      status: 200,
      description: "Events: change (ChangeEvent), gap (GapEvent), end (EndEvent)",
      content: { "text/event-stream": "text" },
      events: { change: ChangeEventSchema, gap: GapEventSchema, end: EndEventSchema },
    }],
    problems: { 400: ["InvalidParameter"], 503: ["TooManyStreams", "Draining"] },
    handle: (request) => {
      const since = readSince(request);
      const { cut, grant } = request;
      return streams.open((sink) => changes.follow(since, sink), cut, grant.ended);
    },
  };
  return { routes: [route] };
}

/** A header that says nothing is left out: it is the browser's, not the caller's. */
function readSince({ query, lastEventId }: RouteRequest): string | undefined {
  if (revision.test(lastEventId)) return lastEventId;
  const { since } = query;
  if (since === undefined || revision.test(since)) return since;
  throw new RefusedError(
    400,
    "InvalidParameter",
    `Read query: "since" is not a revision, wanted EPOCH.COUNT as /api/v1/state says it`,
  );
}
