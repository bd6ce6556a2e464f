/**
 * Sets of inputs that are read together: who names whom.
 *
 * Each is kept by the objects that name, so that a new one wakes only those who asked for its group.
 */

import type { ObjectOf } from "../kube/decode/decode.ts";
import type { BackendObjectReference } from "../kube/decode/backend_reference.ts";
import type { Kind } from "../kube/kinds.ts";
import { type ObjectKey, objectKey } from "../kube/object.ts";
import type { Database } from "../query/database.ts";
import { InputSets } from "../query/input_sets.ts";
import {
  defaultGateways,
  gatewayOfSet,
  gatewayParent,
  isDefaultScope,
  type ParentKey,
  parentKeysOf,
  type RouteWithParents,
} from "./parent_keys.ts";
import {
  type ByRouteKind,
  byRouteKind,
  isRouteKind,
  type RouteId,
  routeId,
  type RouteKind,
  routeKinds,
} from "./route_kinds.ts";

/** A filter as far as indexes are concerned. */
interface IndexedFilter {
  readonly requestMirror?: { readonly backendRef: BackendObjectReference };
  readonly externalAuth?: { readonly backendRef: BackendObjectReference };
}

/** A rule as far as indexes are concerned; those of connections have no filters. */
interface IndexedRule {
  readonly backendRefs:
    readonly (BackendObjectReference & { readonly filters?: readonly IndexedFilter[] })[];
  readonly filters?: readonly IndexedFilter[];
}

/** A route as far as indexes are concerned. */
interface IndexedRoute extends RouteWithParents {
  readonly spec: RouteWithParents["spec"] & { readonly rules: readonly IndexedRule[] };
}

/** See the file's header. For the owner of the inputs. */
export class InputIndexes {
  /** The routes of each parent, as a source of members. */
  readonly routesByParent: ByRouteKind<InputSets<ParentKey, ObjectKey>>;
  /**
   * The HTTPRoutes, GRPCRoutes and TLSRoutes that name each Service, in filters too, as a source of
   * members. The connections of other routes are nobody's to secure.
   */
  readonly routesByService: InputSets<ObjectKey, RouteId>;
  readonly setsByGateway: InputSets<ObjectKey, ObjectKey>;
  readonly policiesByService: InputSets<ObjectKey, ObjectKey>;
  readonly grantsByNamespace: InputSets<string, ObjectKey>;
  readonly slicesByService: InputSets<ObjectKey, ObjectKey>;
  readonly gatewaysByAddress: InputSets<string, ObjectKey>;
  /** What routes that use default Gateways name as parents. */
  readonly #named = byRouteKind(() => new Map<ObjectKey, readonly ParentKey[]>());
  /** By {@linkcode defaultGateways}, the one name there is. */
  readonly gatewaysByDefault: InputSets<ParentKey, ObjectKey>;

  constructor(database: Database) {
    this.routesByParent = byRouteKind((kind) => new InputSets(database, `${kind}s of`));
    this.routesByService = new InputSets(database, "routes to Service");
    this.setsByGateway = new InputSets(database, "ListenerSets of Gateway");
    this.policiesByService = new InputSets(database, "policies of Service");
    this.grantsByNamespace = new InputSets(database, "grants");
    this.slicesByService = new InputSets(database, "slices of Service");
    this.gatewaysByAddress = new InputSets(database, "Gateways at");
    this.gatewaysByDefault = new InputSets(database, "default Gateways");
  }

  /** Takes `object` in, which is new or has changed. */
  put<K extends Kind>(kind: K, key: ObjectKey, object: ObjectOf[K]): void {
    this.#indexers[kind]?.(key, object);
  }

  /** Takes the object out. */
  remove(kind: Kind, key: ObjectKey): void {
    if (isRouteKind(kind)) this.#setRoute(kind, key, [], []);
    else if (kind === "ReferenceGrant") this.grantsByNamespace.set(key, []);
    else if (kind === "EndpointSlice") this.slicesByService.set(key, []);
    else if (kind === "ListenerSet") this.setsByGateway.set(key, []);
    else if (kind === "BackendTLSPolicy") this.policiesByService.set(key, []);
    else if (kind === "Gateway") {
      this.gatewaysByAddress.set(key, []);
      this.#setDefault(key, false);
    }
  }

  readonly #indexers: { readonly [K in Kind]?: (key: ObjectKey, object: ObjectOf[K]) => void } = {
    ...byRouteKind((kind) => (key: ObjectKey, route: RouteWithParents) =>
      this.#setRoute(kind, key, parentKeysOf(route), [])
    ),
    HTTPRoute: (key, route) => this.#putRoute("HTTPRoute", key, route),
    GRPCRoute: (key, route) => this.#putRoute("GRPCRoute", key, route),
    TLSRoute: (key, route) => this.#putRoute("TLSRoute", key, route),
    ReferenceGrant: (key, { metadata }) => this.grantsByNamespace.set(key, [metadata.namespace]),
    EndpointSlice: (key, { metadata, serviceName }) =>
      this.slicesByService.set(
        key,
        serviceName === undefined ? [] : [objectKey(metadata.namespace, serviceName)],
      ),
    Gateway: (key, { spec }) => this.#setDefault(key, isDefaultScope(spec.defaultScope)),
    ListenerSet: (key, set) => {
      const gateway = gatewayOfSet(set);
      this.setsByGateway.set(key, gateway === undefined ? [] : [gateway]);
    },
    BackendTLSPolicy: (key, { metadata, spec }) => {
      const services = spec.targetRefs.filter(isService).map(({ name }) =>
        objectKey(metadata.namespace, name)
      );
      this.policiesByService.set(key, [...new Set(services)]);
    },
  };

  /** Routes that use default Gateways are routes of this one too, or no more. */
  #setDefault(gateway: ObjectKey, isDefault: boolean): void {
    if (!this.gatewaysByDefault.set(gateway, isDefault ? [defaultGateways] : [])) return;
    for (const kind of routeKinds) {
      const routes = this.routesByParent[kind];
      for (const route of routes.membersOf(defaultGateways)) {
        routes.set(route, this.#withDefaults(this.#named[kind].get(route) ?? []));
      }
    }
  }

  #withDefaults(parents: readonly ParentKey[]): readonly ParentKey[] {
    const defaults = this.gatewaysByDefault.membersOf(defaultGateways).map(gatewayParent);
    return [...new Set([...parents, ...defaults])];
  }

  #putRoute(kind: RouteKind, key: ObjectKey, route: IndexedRoute): void {
    const services = new Set<ObjectKey>();
    for (const rule of route.spec.rules) {
      for (const reference of referencesOf(rule)) {
        if (!isService(reference)) continue;
        services.add(objectKey(reference.namespace ?? route.metadata.namespace, reference.name));
      }
    }
    this.#setRoute(kind, key, parentKeysOf(route), [...services]);
  }

  #setRoute(
    kind: RouteKind,
    key: ObjectKey,
    parents: readonly ParentKey[],
    services: readonly ObjectKey[],
  ): void {
    const isDefaulted = parents.includes(defaultGateways);
    if (isDefaulted) this.#named[kind].set(key, parents);
    else this.#named[kind].delete(key);
    this.routesByParent[kind].set(key, isDefaulted ? this.#withDefaults(parents) : parents);
    this.routesByService.set(routeId(kind, key), services);
  }
}

/** Everything that requests of a rule are sent to. */
function* referencesOf(
  { backendRefs, filters = [] }: IndexedRule,
): Generator<BackendObjectReference> {
  yield* backendRefs;
  const all = [...filters, ...backendRefs.flatMap((reference) => reference.filters ?? [])];
  for (const { requestMirror, externalAuth } of all) {
    if (requestMirror) yield requestMirror.backendRef;
    if (externalAuth) yield externalAuth.backendRef;
  }
}

function isService({ group, kind }: { readonly group: string; readonly kind: string }): boolean {
  return group === "" && kind === "Service";
}
