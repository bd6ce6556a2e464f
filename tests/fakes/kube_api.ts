/**
 * The Kubernetes API over an empty in-memory cluster with real admission, asked without a socket.
 */

import type { Authenticator } from "../../src/localkube/api/access.ts";
import { openAuthenticator } from "../../src/localkube/api/access.ts";
import type { ApiAnswer, ApiRequest } from "../../src/localkube/api/api_request.ts";
import { KubeApi } from "../../src/localkube/api/kube_api.ts";
import { Re2Patterns } from "../../src/localkube/admission/re2_patterns.ts";
import { SchemaAdmission } from "../../src/localkube/admission/schema_admission.ts";
import { SchemaCatalog } from "../../src/localkube/admission/schema_catalog.ts";
import { MemoryCluster } from "../../src/localkube/store.ts";
import type { StoreLimits } from "../../src/localkube/store_options.ts";
import { FakeClock } from "./fake_clock.ts";

/** JSON that a test looks into. */
// deno-lint-ignore no-explicit-any -- A test names the fields that it wants, and fails where one is missing.
export type Json = any;

/** What a test may add to a request. */
export interface Asked {
  readonly body?: unknown;
  /** The body as it is, instead of `body`. */
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly contentType?: string;
  readonly accept?: string;
  readonly authorization?: string;
}

/** A whole answer, read. */
export interface Told {
  readonly status: number;
  readonly json: Json;
  readonly warnings: readonly string[];
  readonly contentType: string;
}

/** See the file's header. */
export class TestKubeApi {
  readonly clock: FakeClock = new FakeClock();
  readonly cluster: MemoryCluster;
  readonly api: KubeApi;
  #uids = 0;

  constructor(
    options: {
      readonly authenticator?: Authenticator;
      readonly limits?: Partial<StoreLimits>;
    } = {},
  ) {
    const newUid = () => `00000000-0000-4000-8000-${String(this.#uids++).padStart(12, "0")}`;
    this.cluster = new MemoryCluster({
      admission: new SchemaAdmission(),
      clock: this.clock,
      newUid,
      freezesObjects: true,
      ...(options.limits ? { limits: options.limits } : {}),
    });
    const catalog = new SchemaCatalog("experimental", new Re2Patterns());
    this.api = new KubeApi({
      cluster: this.cluster,
      schemas: (apiVersion, kind) => catalog.find(apiVersion, kind)?.root,
      authenticator: options.authenticator ?? openAuthenticator,
      clock: this.clock,
      random: () => 0,
      newUid,
      version: "0.0.0-test",
      isReady: () => true,
    });
  }

  /** Asks for a whole answer; `target` may have a query. */
  async ask(method: string, target: string, asked: Asked = {}): Promise<Told> {
    const answer = await this.#handle(method, target, asked);
    if ("start" in answer) throw new Error(`${target} is answered by a stream`);
    const { status, text, warnings, contentType } = answer;
    const json = contentType.startsWith("application/json") ? JSON.parse(text) : text;
    return { status, json, warnings, contentType };
  }

  /** Opens a watch; events are added to `events` as they happen. */
  async watch(target: string, asked: Asked = {}): Promise<OpenWatch> {
    const answer = await this.#handle("GET", target, asked);
    if (!("start" in answer)) throw new Error(`${target} is answered by ${answer.text}`);
    const events: Json[] = [];
    const watch = { events, isOver: false, stop: () => {} };
    watch.stop = answer.start({
      send: (line) => events.push(JSON.parse(line)),
      end: () => watch.isOver = true,
    });
    return watch;
  }

  #handle(method: string, target: string, asked: Asked): Promise<ApiAnswer> {
    const [path = "", query = ""] = target.split("?");
    const text = asked.text ?? (asked.body === undefined ? "" : JSON.stringify(asked.body));
    const request: ApiRequest = {
      method,
      path,
      query: new URLSearchParams(query),
      accept: asked.accept ?? "",
      contentType: asked.contentType ?? "application/json",
      userAgent: "test/1.0",
      authorization: asked.authorization ?? "",
      readBytes: () => Promise.resolve(asked.bytes ?? new TextEncoder().encode(text)),
    };
    return this.api.handle(request);
  }
}

/** A watch that a test follows. */
export interface OpenWatch {
  readonly events: readonly Json[];
  readonly isOver: boolean;
  readonly stop: () => void;
}

/** Where the objects of most tests live. */
export const configMaps = "/api/v1/namespaces/default/configmaps";
/** The same for Services. */
export const services = "/api/v1/namespaces/default/services";
/** The same for routes. */
export const routes = "/apis/gateway.networking.k8s.io/v1/namespaces/default/httproutes";

/** A ConfigMap as a client sends it. */
export function configMap(name: string, data: Readonly<Record<string, string>> = {}): Json {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

/** A Service with named ports. */
export function service(name: string, ports: readonly object[]): Json {
  return { apiVersion: "v1", kind: "Service", metadata: { name }, spec: { ports } };
}

/** A route with one hostname. */
export function route(name: string, hostname = "a.example.com"): Json {
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    metadata: { name },
    spec: { hostnames: [hostname] },
  };
}
