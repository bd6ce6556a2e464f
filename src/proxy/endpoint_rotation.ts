/**
 * Round robin over the ready endpoints of a cluster.
 *
 * A rotation belongs to one state of the cluster and starts at a random endpoint, so that many
 * changes do not favour the first. Pure but for its position.
 */

import type { Cluster } from "../dataplane/model.ts";
import type { EndpointConnections } from "./upstream_pool.ts";

/** The endpoints of one cluster in turn. */
export class EndpointRotation {
  readonly cluster: Cluster;
  readonly #endpoints: readonly EndpointConnections[];
  #next: number;

  constructor(
    cluster: Cluster,
    endpoints: readonly EndpointConnections[],
    random: () => number,
  ) {
    this.cluster = cluster;
    this.#endpoints = endpoints;
    this.#next = Math.floor(random() * endpoints.length);
  }

  /** The number of endpoints. */
  get size(): number {
    return this.#endpoints.length;
  }

  /**
   * The next endpoint that is not among `tried`; undefined: there is none. One that could not be
   * reached a moment ago is left out as long as there are others.
   */
  next(tried: readonly EndpointConnections[], nowMs: number): EndpointConnections | undefined {
    let suspect: EndpointConnections | undefined;
    for (let step = 0; step < this.#endpoints.length; step++) {
      const endpoint = this.#endpoints[this.#next];
      this.#next = this.#next + 1 >= this.#endpoints.length ? 0 : this.#next + 1;
      if (endpoint === undefined || tried.includes(endpoint)) continue;
      if (endpoint.suspectUntilMs <= nowMs) return endpoint;
      suspect ??= endpoint;
    }
    return suspect;
  }
}
