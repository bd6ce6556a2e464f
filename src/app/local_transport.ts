/**
 * The local cluster as the cluster that weir's own writers ask, without a socket: what writes Events or
 * a Lease into a real cluster writes them here with the same requests.
 *
 * Whole answers only; what reads the local cluster follows its store.
 */

import { type ClusterError, clusterErrorOf } from "../kube/cluster_error.ts";
import type { ClusterRequest } from "../kube/cluster_transport.ts";
import { administrator } from "../localkube/api/access.ts";
import type { ApiRequest } from "../localkube/api/api_request.ts";
import { KubeApi, type KubeApiOptions } from "../localkube/api/kube_api.ts";

/** What it is made on. */
export type LocalTransportOptions = Omit<KubeApiOptions, "authenticator" | "isReady">;

/** See the file's header. */
export class LocalTransport {
  readonly #api: KubeApi;

  constructor(options: LocalTransportOptions) {
    const identify = () => Promise.resolve(administrator("weir"));
    this.#api = new KubeApi({ ...options, authenticator: { identify }, isReady: () => true });
  }

  /** Asks, and reads the answer as JSON. @throws ClusterError */
  async request(request: ClusterRequest): Promise<unknown> {
    request.signal.throwIfAborted();
    const answer = await this.#api.handle(toApiRequest(request));
    if (!("text" in answer)) throw streamed();
    const body: unknown = JSON.parse(answer.text);
    if (answer.status >= 400) throw clusterErrorOf(answer.status, body);
    return body;
  }
}

function toApiRequest({ method, path, query, body, contentType }: ClusterRequest): ApiRequest {
  const text = body === undefined ? "" : JSON.stringify(body);
  return {
    method: method ?? "GET",
    path,
    query: new URLSearchParams(query),
    accept: "application/json",
    contentType: contentType ?? "application/json",
    userAgent: "weir",
    authorization: "",
    readBytes: () => Promise.resolve(new TextEncoder().encode(text)),
  };
}

function streamed(): ClusterError {
  return clusterErrorOf(400, { kind: "Status", message: "a watch is no whole answer" });
}
