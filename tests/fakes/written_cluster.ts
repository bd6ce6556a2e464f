/**
 * An API server that a test writes to by the API itself, as somebody else than weir.
 */

import { assert } from "@std/assert";
import type { Clock } from "../../src/base/clock.ts";
import { ClusterError } from "../../src/kube/cluster_error.ts";
import type { ClusterRequest, ClusterTransport } from "../../src/kube/cluster_transport.ts";
import { isRecord, type JsonRecord } from "../../src/kube/json_value.ts";
import { apiVersionOf, type Kind, type KindInfo, kinds } from "../../src/kube/kinds.ts";
import type { KubeObject, ObjectKey } from "../../src/kube/object.ts";
import { parseObjectKey } from "../../src/kube/object.ts";
import { slimObject } from "../../src/kube/slim_object.ts";

/** A server with one namespace that is the test's own. */
export interface WritingTarget {
  readonly transport: ClusterTransport;
  readonly clock: Clock;
  readonly namespace: string;
  /** Lets the server and its clients work for a short time. */
  pass(): Promise<void>;
  close(): Promise<void>;
}

/** Rounds of `pass` after which what was waited for does not come. */
const roundsMax = 1000;
const mergePatch = "application/merge-patch+json";

/** See the file's header. */
export class WrittenCluster {
  readonly target: WritingTarget;
  readonly signal: AbortSignal;
  readonly #made = new Set<string>();

  constructor(target: WritingTarget, signal: AbortSignal) {
    this.target = target;
    this.signal = signal;
  }

  /** Where the object is in the API. */
  path(kind: Kind, name?: string): string {
    const info: KindInfo = kinds[kind];
    const version = apiVersionOf(info);
    const root = info.group === "" ? `/api/${version}` : `/apis/${version}`;
    const place = info.namespaced ? `/namespaces/${this.target.namespace}` : "";
    return `${root}${place}/${info.plural}${name === undefined ? "" : `/${name}`}`;
  }

  /** Asks; rejects with a ClusterError. */
  async ask(path: string, request: Partial<ClusterRequest> = {}): Promise<JsonRecord> {
    const answer = await this.target.transport.request({
      path,
      timeoutMs: 10_000,
      signal: this.signal,
      ...request,
    });
    return isRecord(answer) ? answer : {};
  }

  /** Asks, and tells as what kind it was refused; undefined when it was not. */
  async refused(path: string, request: Partial<ClusterRequest>): Promise<string | undefined> {
    try {
      await this.ask(path, request);
      return undefined;
    } catch (error) {
      if (error instanceof ClusterError) return error.kind;
      throw error;
    }
  }

  async create(kind: Kind, name: string, fields: JsonRecord = {}): Promise<KubeObject> {
    const { metadata, ...rest } = fields;
    const body = {
      apiVersion: apiVersionOf(kinds[kind]),
      kind,
      metadata: {
        name,
        ...kinds[kind].namespaced ? { namespace: this.target.namespace } : {},
        ...isRecord(metadata) ? metadata : {},
      },
      ...rest,
    };
    const answer = await this.ask(this.path(kind), { method: "POST", body });
    this.#made.add(this.path(kind, name));
    return this.#slim(kind, answer);
  }

  /** The object as it is, with everything. */
  whole(kind: Kind, name: string): Promise<JsonRecord> {
    return this.ask(this.path(kind, name));
  }

  /** The object as weir reads it. */
  async get(kind: Kind, name: string): Promise<KubeObject> {
    return this.#slim(kind, await this.whole(kind, name));
  }

  async find(kind: Kind, key: ObjectKey): Promise<KubeObject | undefined> {
    try {
      return await this.get(kind, parseObjectKey(key).name);
    } catch (error) {
      if (error instanceof ClusterError && error.kind === "not-found") return undefined;
      throw error;
    }
  }

  /** Merges `patch` into the object, or into its status. */
  merge(kind: Kind, name: string, patch: JsonRecord, subresource = ""): Promise<JsonRecord> {
    const path = this.path(kind, name) + subresource;
    return this.ask(path, {
      method: "PATCH",
      contentType: mergePatch,
      body: patch,
      query: { fieldManager: "somebody-else" },
    });
  }

  /** Replaces the status, as a controller that knows no server-side apply. */
  async putStatus(kind: Kind, name: string, status: JsonRecord): Promise<void> {
    const body = { ...await this.whole(kind, name), status };
    const query = { fieldManager: "somebody-else" };
    await this.ask(`${this.path(kind, name)}/status`, { method: "PUT", body, query });
  }

  async remove(kind: Kind, name: string): Promise<void> {
    this.#made.delete(this.path(kind, name));
    await this.ask(this.path(kind, name), { method: "DELETE" });
    for (let round = 0; round < roundsMax; round++) {
      if (await this.refused(this.path(kind, name), {}) === "not-found") return;
      await this.target.pass();
    }
  }

  async until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
    for (let round = 0; round < roundsMax; round++) {
      if (await isTrue()) return;
      await this.target.pass();
    }
    assert(false, "what was waited for did not come");
  }

  /** Has an object removed at the end that the test made in another way, or perhaps will. */
  willMake(kind: Kind, name: string): void {
    this.#made.add(this.path(kind, name));
  }

  /** Removes what was created. */
  async cleanUp(): Promise<void> {
    for (const path of this.#made) {
      await this.refused(path, {
        method: "PATCH",
        contentType: mergePatch,
        body: { metadata: { finalizers: null } },
      });
      await this.refused(path, { method: "DELETE" });
    }
  }

  #slim(kind: Kind, answer: JsonRecord): KubeObject {
    return slimObject(answer, { kind, apiVersion: apiVersionOf(kinds[kind]) });
  }
}

/** Registers tests of one server: each opens it anew, and what it made there is removed. */
export function writingTest(
  name: string,
  open: () => Promise<WritingTarget>,
): (promise: string, check: (cluster: WrittenCluster) => Promise<void>) => void {
  return (promise, check) =>
    Deno.test(`${name}: ${promise}`, async () => {
      const stop = new AbortController();
      const target = await open();
      const cluster = new WrittenCluster(target, stop.signal);
      try {
        await check(cluster);
      } finally {
        await cluster.cleanUp();
        stop.abort(new Error("The test is over"));
        await target.close();
      }
    });
}
