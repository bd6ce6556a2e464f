/** The memos of one kind of route: rules, bindings, and the routes of each parent. */

import type { ObjectKey } from "../../kube/object.ts";
import { Fold } from "../../query/fold.ts";
import type { MemoTable } from "../../query/memo_table.ts";
import { Query } from "../../query/query.ts";
import type { Inputs } from "../inputs.ts";
import type { ParentKey } from "../parent_keys.ts";
import type { RouteKind } from "../route_kinds.ts";
import type {
  ComputeView,
  EntryOf,
  ParentBinding,
  ParentMeetings,
  RouteRules,
  RuleOf,
} from "./compute_view.ts";
import { keepSameParts } from "./parent_shadows.ts";
import { type ParentRoutes, ParentRoutesState } from "./parent_routes.ts";
import { computeRouteBindings, keepBindings } from "./route_bindings.ts";
import { routeComputations } from "./route_computations.ts";
import { computeRouteMeetings } from "./route_meetings.ts";

/** See the file's header. Two memos for each route; meetings are made only where rivals ask. */
export class RouteQueries<K extends RouteKind> {
  readonly rules: Query<ObjectKey, RouteRules<RuleOf[K]>>;
  readonly meetings: Query<ObjectKey, readonly ParentMeetings[]>;
  readonly bindings: Query<ObjectKey, readonly ParentBinding<EntryOf[K]>[]>;
  /** The routes of a parent, by listener. */
  readonly ofParent: Fold<
    ParentKey,
    ObjectKey,
    readonly ParentBinding<EntryOf[K]>[],
    ParentRoutesState<EntryOf[K]>,
    ParentRoutes<EntryOf[K]>
  >;

  constructor(view: ComputeView, inputs: Inputs, kind: K) {
    const { database } = inputs;
    const { computeRules, entries } = routeComputations[kind];
    this.rules = new Query(database, {
      name: `${kind} rules`,
      compute: (key) => computeRules(view, key),
    });
    this.meetings = new Query(database, {
      name: `${kind} meetings`,
      compute: (key) => computeRouteMeetings(view, kind, key),
    });
    this.bindings = new Query(database, {
      name: `${kind} bindings`,
      compute: (key) => computeRouteBindings(view, kind, key),
      keep: keepBindings,
    });
    this.ofParent = new Fold(database, {
      name: `${kind}s of parent`,
      members: inputs.indexes.routesByParent[kind],
      parts: this.bindings,
      start: (parent) => new ParentRoutesState(parent, entries),
      update: (state, changes) => state.update(changes),
      keep: keepSameParts,
    });
  }

  /** All of them. */
  get tables(): readonly MemoTable<string, unknown>[] {
    return [this.rules, this.meetings, this.bindings, this.ofParent];
  }
}
