/**
 * A whole set of inputs in a test's hands: objects in, outputs computed from scratch.
 *
 * Every Gateway has its own address unless told otherwise, and a data plane that has acknowledged
 * nothing until {@linkcode GatewayWorld.acknowledge} is called.
 */

import { assert } from "@std/assert";
import type { Refusal } from "../../src/dataplane/data_plane.ts";
import { type GatewayConfig, gatewayKey } from "../../src/dataplane/model.ts";
import { RegexCache } from "../../src/dataplane/regex.ts";
import type { DataPlaneCapabilities } from "../../src/gateway/capabilities.ts";
import { ScratchView } from "../../src/gateway/compute/scratch_view.ts";
import { computeOutputs } from "../../src/gateway/compute_outputs.ts";
import { InputDoor, type InputFilter } from "../../src/gateway/input_door.ts";
import { Inputs } from "../../src/gateway/inputs.ts";
import type { RouteKind } from "../../src/gateway/route_kinds.ts";
import type { Outputs, StatusKind } from "../../src/gateway/outputs.ts";
import { decodeObject, type ObjectOf } from "../../src/kube/decode/decode.ts";
import type {
  DesiredCondition,
  DesiredListener,
  DesiredStatus,
} from "../../src/kube/desired_status.ts";
import { isKind, type Kind } from "../../src/kube/kinds.ts";
import { keyOf, type KubeObject, type ObjectKey, objectKey } from "../../src/kube/object.ts";
import { controllerName, deepFreeze } from "./gateway_objects.ts";

/** What the data plane of a test can do. */
export const testCapabilities: DataPlaneCapabilities = {
  name: "test",
  supportedFeatures: ["ReferenceGrant", "HTTPRoute", "Gateway"],
  features: new Set(["ReferenceGrant", "HTTPRoute", "Gateway"]),
  protocols: ["HTTP", "HTTPS"],
  routeKinds: ["HTTPRoute"],
  appProtocols: [],
};

/** Decodes an object that a test holds to be valid, and freezes what comes out. */
export function decoded<K extends Kind>(kind: K, object: KubeObject): ObjectOf[K] {
  const result = decodeObject(kind, object);
  assert(result.ok, `the test's ${kind} must decode: ${result.ok ? "" : result.reason}`);
  return deepFreeze(result.value);
}

/** The kind of an object that a test built. */
export function kindOf(object: KubeObject): Kind {
  assert(isKind(object.kind), `the test's kind "${object.kind}" must be known`);
  return object.kind;
}

/** See the file's header. */
export class GatewayWorld {
  readonly inputs = new Inputs();
  readonly #objects = new Map<string, KubeObject>();
  readonly #capabilities: DataPlaneCapabilities;
  readonly #door: InputDoor;

  /** @param capabilities where the data plane differs from {@linkcode testCapabilities} */
  constructor(
    filter: Partial<InputFilter> = {},
    capabilities: Partial<DataPlaneCapabilities> = {},
  ) {
    this.#capabilities = { ...testCapabilities, ...capabilities };
    this.#door = new InputDoor(this.inputs, { controllerName, ...filter }, {
      get: (kind, key) => {
        const object = this.#objects.get(`${kind} ${key}`);
        return object && decoded(kind, object);
      },
    });
  }

  /** Puts objects in, in order; true when the inputs changed. */
  put(...objects: readonly KubeObject[]): boolean {
    const before = this.inputs.revision;
    for (const object of objects) {
      const kind = kindOf(object);
      this.#objects.set(`${kind} ${keyOf(object)}`, object);
      this.#door.upsert(kind, decoded(kind, object));
      if (kind === "Gateway") this.#assignDefault(keyOf(object));
    }
    return this.inputs.revision !== before;
  }

  delete(kind: Kind, key: string): boolean {
    const before = this.inputs.revision;
    this.#objects.delete(`${kind} ${key}`);
    this.#door.delete(kind, toKey(key));
    return this.inputs.revision !== before;
  }

  /** How many keys the door knows, of objects that are ours or not. */
  get knownCount(): number {
    return this.#door.knownCount;
  }

  /** Gives a Gateway addresses of the test's choice. */
  address(gateway: string, addresses: readonly string[], unusable: readonly string[] = []): void {
    this.inputs.setAddresses(toKey(gateway), { addresses, unusable });
  }

  /** The Service that stands before the data plane; set it before anything is computed. */
  publishService: ObjectKey | undefined;

  outputs(capabilities: Partial<DataPlaneCapabilities> = {}): Outputs {
    return computeOutputs(
      new ScratchView(this.inputs, {
        controllerName,
        dataPlane: { ...this.#capabilities, ...capabilities },
        regexes: new RegexCache(),
        ...this.publishService === undefined ? {} : { publishService: this.publishService },
      }),
    );
  }

  /** Lets the data plane acknowledge what is wanted of `gateway` now. */
  acknowledge(
    gateway: string,
    refusals: readonly Refusal[] = [],
    shiftBy = 0,
  ): void {
    const config = this.config(gateway);
    this.inputs.setAcknowledgement(toKey(gateway), {
      gateway: config.key,
      config,
      listeners: config.listeners.flatMap(({ name, origin, port }) =>
        config.addresses.map((address) => ({
          name,
          origin,
          address,
          port,
          boundPort: port + shiftBy,
        }))
      ),
      refusals,
    });
  }

  config(gateway: string): GatewayConfig {
    const [namespace = "", name = ""] = gateway.split("/");
    const config = this.outputs().dataPlane.gateways.get(gatewayKey(namespace, name));
    assert(config, `Gateway "${gateway}" must be served`);
    return config;
  }

  status(kind: StatusKind, key: string): DesiredStatus | undefined {
    return this.outputs().statuses[kind].get(toKey(key));
  }

  /** A condition of a GatewayClass or Gateway, as `True/Reason`. */
  condition(kind: StatusKind, key: string, type: string): string {
    const body = this.status(kind, key)?.body;
    assert(body?.shape === "conditions", `${kind} "${key}" must have conditions`);
    return show(body.conditions, type);
  }

  listener(gateway: string, name: string): DesiredListener {
    const body = this.status("Gateway", gateway)?.body;
    assert(body?.shape === "conditions", `Gateway "${gateway}" must have a status`);
    const found = body.listeners?.find((listener) => listener.name === name);
    assert(found, `listener "${name}" must have a status`);
    return found;
  }

  /** A condition of a listener, as `True/Reason`; `-` when it is absent. */
  listenerCondition(gateway: string, name: string, type: string): string {
    return show(this.listener(gateway, name).conditions, type);
  }

  /** The conditions of each parent of a route, in the order of the status. */
  parents(route: string, kind: RouteKind = "HTTPRoute"): readonly (readonly DesiredCondition[])[] {
    const body = this.status(kind, route)?.body;
    if (!body) return [];
    assert(body.shape === "parents", `${kind} "${route}" must have parents`);
    return body.parents.map(({ conditions }) => conditions);
  }

  /** A condition of a route's parent, as `True/Reason`; `-` when it is absent. */
  routeCondition(
    route: string,
    type: string,
    parentIndex = 0,
    kind: RouteKind = "HTTPRoute",
  ): string {
    return show(this.parents(route, kind)[parentIndex] ?? [], type);
  }

  routeMessage(route: string, type: string, parentIndex = 0): string {
    return this.parents(route)[parentIndex]?.find((found) => found.type === type)?.message ?? "";
  }

  #assignDefault(key: ObjectKey): void {
    if (this.inputs.addressesOf(key)) return;
    const count = this.inputs.keys("Gateway").length;
    this.inputs.setAddresses(key, { addresses: [`192.0.2.${count}`], unusable: [] });
  }
}

/** `namespace/name`, or a name alone for what has no namespace. */
export function toKey(text: string): ObjectKey {
  const [first = "", second] = text.split("/");
  return second === undefined ? objectKey(undefined, first) : objectKey(first, second);
}

function show(conditions: readonly DesiredCondition[], type: string): string {
  const found = conditions.find((condition) => condition.type === type);
  return found ? `${found.status}/${found.reason}` : "-";
}
