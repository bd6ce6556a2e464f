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

  /** The next endpoint; undefined: there is none. */
  next(): EndpointConnections | undefined {
    const endpoint = this.#endpoints[this.#next];
    this.#next = this.#next + 1 >= this.#endpoints.length ? 0 : this.#next + 1;
    return endpoint;
  }
}
