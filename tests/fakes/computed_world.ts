/**
 * Inputs in a test's hands with the incremental computation over them, by default for a data plane
 * that can do everything. Each step is held against a computation from scratch.
 */

import { assert, assertEquals } from "@std/assert";
import type { Refusal } from "../../src/dataplane/data_plane.ts";
import { type GatewayConfig, gatewayKey, type Listener } from "../../src/dataplane/model.ts";
import { RegexCache } from "../../src/dataplane/regex.ts";
import { findWrongOutput } from "../../src/gateway/check_outputs.ts";
import type { ComputeSettings } from "../../src/gateway/compute/input_view.ts";
import {
  IncrementalOutputs,
  type PublishedOutputs,
} from "../../src/gateway/incremental_outputs.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { fullCapabilities } from "./data_planes.ts";
import { controllerName } from "./gateway_objects.ts";
import { GatewayWorld, toKey } from "./gateway_world.ts";

/** See the file's header. */
export class ComputedWorld {
  readonly settings: ComputeSettings;
  readonly world: GatewayWorld;
  readonly computed: IncrementalOutputs;

  constructor(
    objects: readonly KubeObject[],
    dataPlane: ComputeSettings["dataPlane"] = fullCapabilities,
  ) {
    this.settings = { controllerName, dataPlane, regexes: new RegexCache() };
    this.world = new GatewayWorld({}, dataPlane);
    this.computed = new IncrementalOutputs(this.world.inputs, this.settings);
    this.step(...objects);
  }

  /** Puts objects in and recomputes. */
  step(...objects: readonly KubeObject[]): PublishedOutputs {
    this.world.put(...objects);
    const published = this.computed.step();
    assert(published);
    assertEquals(findWrongOutput(this.world.inputs, this.settings, published.outputs), undefined);
    return published;
  }

  /** The data plane serves all that is asked of it, but for what it refuses. */
  answer(...refusals: readonly Refusal[]): PublishedOutputs {
    for (const [key, config] of this.computed.outputs.dataPlane.gateways) {
      this.world.inputs.setAcknowledgement(toKey(key), {
        gateway: key,
        config,
        listeners: [],
        refusals,
      });
    }
    return this.step();
  }

  /** The configuration of a Gateway as it was last published. */
  config(gateway = "default/gw"): GatewayConfig {
    const [namespace = "", name = ""] = gateway.split("/");
    const config = this.computed.outputs.dataPlane.gateways.get(gatewayKey(namespace, name));
    assert(config, `Gateway "${gateway}" must be served`);
    return config;
  }

  /** A listener of it. */
  listener(name: string, gateway = "default/gw"): Listener {
    const found = this.config(gateway).listeners.find((listener) => listener.name === name);
    assert(found, `listener "${name}" must be served`);
    return found;
  }
}
