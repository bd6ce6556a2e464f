/**
 * A writable API server in memory for single objects of any kind: versions, conflicts, uids.
 *
 * It knows GET, POST, PUT, merge patches and DELETE of objects by their path, as the real one answers
 * them where weir relies on it: a PUT at an old version is refused, a name is taken once. No schema,
 * no lists, no watches.
 */

import { type ClusterError, clusterErrorOf } from "../../src/kube/cluster_error.ts";
import type { ClusterRequest } from "../../src/kube/cluster_transport.ts";
import { isRecord, type JsonRecord } from "../../src/kube/json_value.ts";

/** A write that took effect. */
export interface StoredWrite {
  readonly method: string;
  readonly path: string;
  readonly object: JsonRecord;
}

/** See the file's header. */
export class RestStore {
  readonly objects = new Map<string, JsonRecord>();
  readonly writes: StoredWrite[] = [];
  /** Answers a request in place of the server; undefined lets the server answer. */
  intercept: (request: ClusterRequest) => ClusterError | undefined = () => undefined;
  #version = 1;
  #uidCount = 0;

  /** Carries out one request. @throws ClusterError */
  handle(request: ClusterRequest): unknown {
    const early = this.intercept(request);
    if (early) throw early;
    const { method = "GET", path, body } = request;
    switch (method) {
      case "GET":
        return this.#existing(path);
      case "POST":
        return this.#create(path, asRecord(body));
      case "PUT":
        return this.#replace(path, asRecord(body));
      case "PATCH":
        return this.#patch(path, asRecord(body));
      case "DELETE":
        return this.remove(path);
    }
  }

  /** Removes an object. */
  remove(path: string): JsonRecord {
    const object = this.#existing(path);
    this.objects.delete(path);
    this.#version++;
    return object;
  }

  /** A state that the returned function goes back to, with its versions, as a restored etcd does. */
  save(): () => void {
    const objects = new Map(this.objects);
    const version = this.#version;
    return () => {
      this.objects.clear();
      for (const [path, object] of objects) this.objects.set(path, object);
      this.#version = version;
    };
  }

  #existing(path: string): JsonRecord {
    const object = this.objects.get(path);
    if (object === undefined) throw refusal(404, "NotFound", `"${path}" not found`);
    return object;
  }

  #create(collection: string, body: JsonRecord): JsonRecord {
    const path = `${collection}/${metadataOf(body).name}`;
    if (this.objects.has(path)) throw refusal(409, "AlreadyExists", "it already exists");
    return this.#store("POST", path, body, `uid-${++this.#uidCount}`);
  }

  #replace(path: string, body: JsonRecord): JsonRecord {
    const { uid, resourceVersion } = metadataOf(this.#existing(path));
    const wanted = metadataOf(body);
    if (wanted.uid !== undefined && wanted.uid !== uid) {
      throw refusal(409, "Conflict", "Precondition failed: UID in precondition");
    }
    if (wanted.resourceVersion !== resourceVersion) {
      throw refusal(409, "Conflict", "the object has been modified");
    }
    return this.#store("PUT", path, body, uid);
  }

  #patch(path: string, body: JsonRecord): JsonRecord {
    const object = this.#existing(path);
    return this.#store("PATCH", path, { ...object, ...body }, metadataOf(object).uid);
  }

  #store(method: string, path: string, body: JsonRecord, uid: unknown): JsonRecord {
    const metadata = { ...metadataOf(body), uid, resourceVersion: String(++this.#version) };
    const object = { ...body, metadata };
    this.objects.set(path, object);
    this.writes.push({ method, path, object });
    return object;
  }
}

function metadataOf({ metadata }: JsonRecord): JsonRecord {
  return isRecord(metadata) ? metadata : {};
}

function asRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

/** A refusal of the API, as the transport throws it. */
export function refusal(code: number, reason: string, message: string = reason): ClusterError {
  return clusterErrorOf(code, { kind: "Status", code, reason, message });
}
