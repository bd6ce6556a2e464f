/**
 * The door of the inputs: only what this instance manages comes in.
 *
 * Ours are: classes with our controllerName, Gateways of such a class (of those that `gateways`
 * names, when it names any), ListenerSets that name such a Gateway, routes that name one of both. No
 * class means that nothing is managed, never everything. Other kinds come in as they are. Of what
 * stays outside only keys are kept, by what they wait for; when that comes, the object is read again
 * from the slim cache. Nothing outside costs a computation, moves the revision or gets an output.
 */

import type { ObjectOf } from "../kube/decode/decode.ts";
import type { Kind } from "../kube/kinds.ts";
import { type ObjectKey, objectKey } from "../kube/object.ts";
import { GroupIndex } from "./group_index.ts";
import { type Inputs, keyOfInput } from "./inputs.ts";
import {
  defaultGateways,
  gatewayOfSet,
  gatewayParent,
  type ParentKey,
  parentKeysOf,
  parseParentKey,
  type RouteWithParents,
  setParent,
} from "./parent_keys.ts";
import { byRouteKind, isRouteKind, type RouteKind, routeKinds } from "./route_kinds.ts";

/** What one instance of weir manages. */
export interface InputFilter {
  /** `spec.controllerName` of the classes that are ours. */
  readonly controllerName: string;
  /** Limits the instance to these Gateways; absent: all of our classes. */
  readonly gateways?: ReadonlySet<ObjectKey>;
}

/** The latest objects of the source, for what stayed outside and is wanted later. */
export interface SlimCache {
  /** The object as last seen, or undefined when it is gone or was refused. */
  get<K extends Kind>(kind: K, key: ObjectKey): ObjectOf[K] | undefined;
}

/** See the file's header. Synchronous; the caller is mid-transition. */
export class InputDoor {
  readonly #inputs: Inputs;
  readonly #filter: InputFilter;
  readonly #cache: SlimCache;
  /** Every Gateway in scope by the name of its class, managed or not. */
  readonly #gatewaysByClass = new GroupIndex<ObjectKey>();
  /** Every ListenerSet by the Gateway that it names, managed or not. */
  readonly #setsByGateway = new GroupIndex<ObjectKey>();
  /** Every route by the parents that it names, managed or not. */
  readonly #routesByParent = byRouteKind(() => new GroupIndex<ParentKey>());

  constructor(inputs: Inputs, filter: InputFilter, cache: SlimCache) {
    this.#inputs = inputs;
    this.#filter = filter;
    this.#cache = cache;
  }

  /** How many keys are known of Gateways, ListenerSets and routes, managed or not. */
  get knownCount(): number {
    const routes = routeKinds.reduce((sum, kind) => sum + this.#routesByParent[kind].size, 0);
    return this.#gatewaysByClass.size + this.#setsByGateway.size + routes;
  }

  /** Lets `object` in when it is ours. True when the inputs changed. */
  upsert<K extends Kind>(kind: K, object: ObjectOf[K]): boolean {
    return this.#special[kind]?.(object) ?? this.#inputs.put(kind, object);
  }

  /** Takes the object out. True when the inputs changed. */
  delete(kind: Kind, key: ObjectKey): boolean {
    if (kind === "GatewayClass") return this.#removeClass(key);
    if (kind === "Gateway") {
      this.#gatewaysByClass.set(key, []);
      return this.#removeGateway(key);
    }
    if (kind === "ListenerSet") {
      this.#setsByGateway.set(key, []);
      return this.#removeSet(key);
    }
    if (isRouteKind(kind)) this.#routesByParent[kind].set(key, []);
    return this.#inputs.remove(kind, key);
  }

  readonly #upsertClass = (object: ObjectOf["GatewayClass"]): boolean => {
    const key = keyOfInput(object);
    if (object.spec.controllerName !== this.#filter.controllerName) return this.#removeClass(key);
    const isNew = !this.#inputs.has("GatewayClass", key);
    const changed = this.#inputs.put("GatewayClass", object);
    if (isNew) this.#readAgain("Gateway", this.#gatewaysByClass.members(key), this.#upsertGateway);
    return changed;
  };

  readonly #upsertGateway = (object: ObjectOf["Gateway"]): boolean => {
    const key = keyOfInput(object);
    if (this.#filter.gateways?.has(key) === false) return false;
    const classKey = objectKey(undefined, object.spec.gatewayClassName);
    this.#gatewaysByClass.set(key, [classKey]);
    if (!this.#inputs.has("GatewayClass", classKey)) return this.#removeGateway(key);
    const isNew = !this.#inputs.has("Gateway", key);
    const hadDefault = this.#hasDefault;
    const changed = this.#inputs.put("Gateway", object);
    if (isNew) {
      this.#readAgain("ListenerSet", this.#setsByGateway.members(key), this.#upsertSet);
      this.#readRoutesAgain(gatewayParent(key));
    }
    this.#noteDefault(hadDefault);
    return changed;
  };

  readonly #upsertSet = (object: ObjectOf["ListenerSet"]): boolean => {
    const key = keyOfInput(object);
    const gateway = gatewayOfSet(object);
    this.#setsByGateway.set(key, gateway === undefined ? [] : [gateway]);
    if (gateway === undefined || !this.#inputs.has("Gateway", gateway)) return this.#removeSet(key);
    const isNew = !this.#inputs.has("ListenerSet", key);
    const changed = this.#inputs.put("ListenerSet", object);
    if (isNew) this.#readRoutesAgain(setParent(key));
    return changed;
  };

  #upsertRoute<K extends RouteKind>(kind: K, object: ObjectOf[K] & RouteWithParents): boolean {
    const key = keyOfInput(object);
    const parents = parentKeysOf(object);
    this.#routesByParent[kind].set(key, parents);
    return parents.some(this.#isManaged)
      ? this.#inputs.put<K>(kind, object)
      : this.#inputs.remove(kind, key);
  }

  readonly #special: { readonly [K in Kind]?: (object: ObjectOf[K]) => boolean } = {
    GatewayClass: this.#upsertClass,
    Gateway: this.#upsertGateway,
    ListenerSet: this.#upsertSet,
    HTTPRoute: (object) => this.#upsertRoute("HTTPRoute", object),
    GRPCRoute: (object) => this.#upsertRoute("GRPCRoute", object),
    TLSRoute: (object) => this.#upsertRoute("TLSRoute", object),
    TCPRoute: (object) => this.#upsertRoute("TCPRoute", object),
    UDPRoute: (object) => this.#upsertRoute("UDPRoute", object),
  };

  #removeClass(key: ObjectKey): boolean {
    if (!this.#inputs.remove("GatewayClass", key)) return false;
    for (const gateway of this.#gatewaysByClass.members(key)) this.#removeGateway(gateway);
    return true;
  }

  #removeGateway(key: ObjectKey): boolean {
    const hadDefault = this.#hasDefault;
    if (!this.#inputs.remove("Gateway", key)) return false;
    this.#noteDefault(hadDefault);
    for (const set of this.#setsByGateway.members(key)) this.#removeSet(set);
    this.#removeRoutes(gatewayParent(key));
    return true;
  }

  #removeSet(key: ObjectKey): boolean {
    if (!this.#inputs.remove("ListenerSet", key)) return false;
    this.#removeRoutes(setParent(key));
    return true;
  }

  /** Whether there is a default Gateway among ours. */
  get #hasDefault(): boolean {
    return this.#inputs.indexes.gatewaysByDefault.membersOf(defaultGateways).length > 0;
  }

  /** The first default Gateway brings routes in, the last one takes them along. */
  #noteDefault(hadDefault: boolean): void {
    if (hadDefault === this.#hasDefault) return;
    if (hadDefault) this.#removeRoutes(defaultGateways);
    else this.#readRoutesAgain(defaultGateways);
  }

  /** Those that name no other parent that is ours. */
  #removeRoutes(parent: ParentKey): void {
    for (const kind of routeKinds) {
      const index = this.#routesByParent[kind];
      for (const route of index.members(parent)) {
        if (!index.groupsOf(route).some(this.#isManaged)) this.#inputs.remove(kind, route);
      }
    }
  }

  #readRoutesAgain(parent: ParentKey): void {
    for (const kind of routeKinds) {
      const index = this.#routesByParent[kind];
      const upsert = (object: ObjectOf[typeof kind]) => this.upsert(kind, object);
      this.#readAgain(kind, index.members(parent), upsert);
    }
  }

  /** Those that are inside already are left alone: their newest version came in by itself. */
  #readAgain<K extends Kind>(
    kind: K,
    keys: readonly ObjectKey[],
    upsert: (object: ObjectOf[K]) => boolean,
  ): void {
    for (const key of keys) {
      if (this.#inputs.has(kind, key)) continue;
      const object = this.#cache.get(kind, key);
      if (object !== undefined) upsert(object);
    }
  }

  readonly #isManaged = (parent: ParentKey): boolean => {
    if (parent === defaultGateways) return this.#hasDefault;
    const { kind, key } = parseParentKey(parent);
    return this.#inputs.has(kind, key);
  };
}
