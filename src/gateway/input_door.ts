/**
 * The door of the inputs: only what this instance manages comes in.
 *
 * Ours are: classes with our controllerName, Gateways of such a class (of those that `gateways`
 * names, when it names any), routes that name such a Gateway. No class means that nothing is managed,
 * never everything. Other kinds come in as they are. Of what stays outside only keys are kept, by
 * what they wait for; when that comes, the object is read again from the slim cache. Nothing outside
 * costs a computation, moves the revision or gets an output.
 */

import type { ObjectOf } from "../kube/decode/decode.ts";
import type { Kind } from "../kube/kinds.ts";
import { type ObjectKey, objectKey } from "../kube/object.ts";
import { GroupIndex } from "./group_index.ts";
import { type Inputs, keyOfInput } from "./inputs.ts";
import { gatewayParentKeys } from "./parent_keys.ts";

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
  /** Every route by the Gateways that it names, managed or not. */
  readonly #routesByGateway = new GroupIndex<ObjectKey>();

  constructor(inputs: Inputs, filter: InputFilter, cache: SlimCache) {
    this.#inputs = inputs;
    this.#filter = filter;
    this.#cache = cache;
  }

  /** How many keys are known of Gateways and routes, managed or not. */
  get knownCount(): number {
    return this.#gatewaysByClass.size + this.#routesByGateway.size;
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
    if (kind === "HTTPRoute") this.#routesByGateway.set(key, []);
    return this.#inputs.remove(kind, key);
  }

  readonly #upsertClass = (object: ObjectOf["GatewayClass"]): boolean => {
    const key = keyOfInput(object);
    if (object.spec.controllerName !== this.#filter.controllerName) return this.#removeClass(key);
    const isNew = this.#inputs.get("GatewayClass", key) === undefined;
    const changed = this.#inputs.put("GatewayClass", object);
    if (isNew) this.#readAgain("Gateway", this.#gatewaysByClass.members(key), this.#upsertGateway);
    return changed;
  };

  readonly #upsertGateway = (object: ObjectOf["Gateway"]): boolean => {
    const key = keyOfInput(object);
    if (this.#filter.gateways?.has(key) === false) return false;
    const classKey = objectKey(undefined, object.spec.gatewayClassName);
    this.#gatewaysByClass.set(key, [classKey]);
    if (this.#inputs.get("GatewayClass", classKey) === undefined) return this.#removeGateway(key);
    const isNew = this.#inputs.get("Gateway", key) === undefined;
    const changed = this.#inputs.put("Gateway", object);
    if (isNew) this.#readAgain("HTTPRoute", this.#routesByGateway.members(key), this.#upsertRoute);
    return changed;
  };

  readonly #upsertRoute = (object: ObjectOf["HTTPRoute"]): boolean => {
    const key = keyOfInput(object);
    const gateways = gatewayParentKeys(object);
    this.#routesByGateway.set(key, gateways);
    return gateways.some(this.#isManagedGateway)
      ? this.#inputs.put("HTTPRoute", object)
      : this.#inputs.remove("HTTPRoute", key);
  };

  readonly #special: { readonly [K in Kind]?: (object: ObjectOf[K]) => boolean } = {
    GatewayClass: this.#upsertClass,
    Gateway: this.#upsertGateway,
    HTTPRoute: this.#upsertRoute,
  };

  #removeClass(key: ObjectKey): boolean {
    if (!this.#inputs.remove("GatewayClass", key)) return false;
    for (const gateway of this.#gatewaysByClass.members(key)) this.#removeGateway(gateway);
    return true;
  }

  #removeGateway(key: ObjectKey): boolean {
    if (!this.#inputs.remove("Gateway", key)) return false;
    for (const route of this.#routesByGateway.members(key)) {
      const isWanted = this.#routesByGateway.groupsOf(route).some(this.#isManagedGateway);
      if (!isWanted) this.#inputs.remove("HTTPRoute", route);
    }
    return true;
  }

  /** Those that are inside already are left alone: their newest version came in by itself. */
  #readAgain<K extends Kind>(
    kind: K,
    keys: readonly ObjectKey[],
    upsert: (object: ObjectOf[K]) => boolean,
  ): void {
    for (const key of keys) {
      if (this.#inputs.get(kind, key) !== undefined) continue;
      const object = this.#cache.get(kind, key);
      if (object !== undefined) upsert(object);
    }
  }

  readonly #isManagedGateway = (key: ObjectKey): boolean =>
    this.#inputs.get("Gateway", key) !== undefined;
}
