/**
 * The Kubernetes API over the local cluster: from requests to answers.
 *
 * The order is that of the API server: who asks, what is asked, whether that is allowed, and only then
 * the body. A refusal is a `metav1.Status`. Between reading the body and the answer nothing waits, so
 * that every write is one step.
 */

import type { Clock } from "../../base/clock.ts";
import type { MemoryCluster } from "../store.ts";
import { type ApiUser, type Authenticator, isAllowed } from "./access.ts";
import { parseObject } from "./api_body.ts";
import { isReadOnly } from "./api_resources.ts";
import { type ApiPath, parseApiPath, type ResourceTarget } from "./api_path.ts";
import { type ApiAnswer, type ApiRequest, jsonAnswer, type TextAnswer } from "./api_request.ts";
import {
  ApiRefusal,
  methodNotAllowed,
  statusObject,
  type StatusSubject,
  successObject,
  unknownPath,
} from "./api_status.ts";
import { discoveryRoot, groupDocument, versionDocument, versionInfo } from "./discovery.ts";
import { ListPager, readSelection } from "./list_query.ts";
import { objectShape } from "./field_shapes.ts";
import { ImpliedOwners } from "./implied_owners.ts";
import { ObjectWriter, type SchemaSource } from "./object_writer.ts";
import {
  readForm,
  renderList,
  renderObject,
  type RenderOptions,
  withoutVersion,
} from "./render_objects.ts";
import { answerReview } from "./review_routes.ts";
import { OpenApiDocuments, openApiIndex } from "./openapi_document.ts";
import { patchObject } from "./patch_routes.ts";
import { isTrue, prepareWatch } from "./watch_feed.ts";
import { existing, readDryRun } from "./write_request.ts";
import {
  createObject,
  deleteCollection,
  deleteObject,
  updateObject,
  type WriteRouteOptions,
} from "./write_routes.ts";

/** What the API is served from. */
export interface KubeApiOptions {
  readonly cluster: MemoryCluster;
  readonly schemas: SchemaSource;
  readonly authenticator: Authenticator;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newUid: () => string;
  /** Of the program. */
  readonly version: string;
  /** Whether `/readyz` says so. */
  readonly isReady: () => boolean;
}

/** See the file's header. */
export class KubeApi {
  readonly #options: KubeApiOptions;
  readonly #pager = new ListPager();
  readonly #owners: ImpliedOwners;
  readonly #writes: WriteRouteOptions;
  readonly #openApi: OpenApiDocuments;

  constructor(options: KubeApiOptions) {
    this.#options = options;
    const { cluster, clock, schemas, newUid } = options;
    this.#owners = new ImpliedOwners((apiVersion, kind) => objectShape(schemas(apiVersion, kind)));
    const writer = new ObjectWriter(cluster, clock, schemas, this.#owners);
    this.#openApi = new OpenApiDocuments(schemas, options.version);
    this.#writes = { cluster, writer, schemas, newUid };
  }

  /** Answers; only what is wrong inside weir is thrown. */
  async handle(request: ApiRequest): Promise<ApiAnswer> {
    let subject: StatusSubject | undefined;
    try {
      const user = await this.#options.authenticator.identify(request.authorization);
      if (!user && !isProbe(request.path)) throw unauthorized();
      const path = parseApiPath(request.path);
      if (path.type === "resource") subject = subjectOf(path.target);
      return await this.#answer(path, request, user);
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      const status = statusObject(error.error, subject, error.continueToken);
      const answer = jsonAnswer(status, { status: error.error.code });
      return error.error.code === 429 ? { ...answer, retryAfterSeconds: 1 } : answer;
    }
  }

  async #answer(
    path: ApiPath,
    request: ApiRequest,
    user: ApiUser | undefined,
  ): Promise<ApiAnswer> {
    if (path.type === "resource") {
      if (!user) throw unauthorized();
      return await this.#resource(path.target, request, user);
    }
    if (path.type === "review") {
      if (request.method !== "POST" || !user) throw methodNotAllowed();
      const body = parseObject(await request.readBytes(), request.contentType);
      return jsonAnswer(answerReview(path.name, path.apiVersion, body, user), { status: 201 });
    }
    if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed();
    switch (path.type) {
      case "document":
        return this.#document(path.name, request);
      case "group":
        return jsonAnswer(groupDocument(path.group));
      case "version":
        return jsonAnswer(versionDocument(path.apiVersion));
      case "openapi": {
        const text = await this.#openApi.text(path.apiVersion);
        return { status: 200, contentType: "application/json", text, warnings: [] };
      }
    }
  }

  #document(name: string, { accept }: ApiRequest): TextAnswer {
    switch (name) {
      case "/api":
        return discoveryRoot("api", accept);
      case "/apis":
        return discoveryRoot("apis", accept);
      case "/openapi/v3":
        return jsonAnswer(openApiIndex());
      case "/version":
        return jsonAnswer(versionInfo(this.#options.version));
      case "/livez":
      case "/healthz":
        return textAnswer(200, "ok");
      case "/readyz":
        return this.#options.isReady() ? textAnswer(200, "ok") : textAnswer(503, "not ready");
      case "/":
        return jsonAnswer({
          paths: ["/api", "/apis", "/healthz", "/livez", "/openapi/v3", "/readyz", "/version"],
        });
      default:
        throw unknownPath();
    }
  }

  async #resource(
    target: ResourceTarget,
    request: ApiRequest,
    user: ApiUser,
  ): Promise<ApiAnswer> {
    const verb = verbOf(target, request);
    authorize(user, target, verb, request);
    const { method } = request;
    if (method === "GET" || method === "HEAD") return this.#read(target, request, verb);
    if (isReadOnly(target.resource)) throw methodNotAllowed();
    const body = await request.readBytes();
    const render = this.#render(target, request);
    if (verb === "create") {
      const { object, warnings } = createObject(this.#writes, target, request, body);
      const shown = renderObject(object, render);
      const isStored = !readDryRun(request.query.getAll("dryRun"));
      return jsonAnswer(isStored ? shown : withoutVersion(shown), { status: 201, warnings });
    }
    if (verb === "update") {
      const { object, warnings } = updateObject(this.#writes, target, request, body);
      return jsonAnswer(renderObject(object, render), { warnings });
    }
    if (verb === "patch") {
      const { object, warnings, isNew } = patchObject(
        this.#writes,
        target,
        request,
        body,
        () => authorize(user, target, "create", request),
      );
      return jsonAnswer(renderObject(object, render), { status: isNew ? 201 : 200, warnings });
    }
    if (verb === "delete") {
      const { metadata } = deleteObject(this.#writes, target, request, body);
      return jsonAnswer(successObject(subjectOf(target), metadata.uid));
    }
    const items = deleteCollection(this.#writes, target, request, body);
    const { resourceVersion } = this.#options.cluster;
    const page = {
      items,
      resourceVersion,
      continueToken: undefined,
      remainingItemCount: undefined,
    };
    return jsonAnswer(renderList(page, render));
  }

  #read(target: ResourceTarget, request: ApiRequest, verb: string): ApiAnswer {
    const { cluster, clock, random } = this.#options;
    const { resource, namespace, name } = target;
    const { query } = request;
    const render = this.#render(target, request);
    if (verb === "watch") {
      const options = { cluster, clock, random, render, namespace, name, query };
      return { contentType: "application/json;stream=watch", start: prepareWatch(options) };
    }
    if (name !== undefined) return jsonAnswer(renderObject(existing(cluster, target), render));
    const selection = readSelection(resource.kind, query);
    const scope = [
      resource.kind,
      namespace ?? "",
      query.get("labelSelector") ?? "",
      query.get("fieldSelector") ?? "",
    ].join("\u0000");
    const list = cluster.list(resource.kind, namespace);
    return jsonAnswer(renderList(this.#pager.page(list, selection, query, scope), render));
  }

  #render({ resource }: ResourceTarget, { accept, query }: ApiRequest): RenderOptions {
    return {
      resource,
      form: readForm(accept),
      includeObject: query.get("includeObject") || "Metadata",
      owners: this.#owners,
      nowMs: this.#options.clock.now(),
    };
  }
}

/** What a request does, in the words of RBAC. @throws {ApiRefusal} 405 */
function verbOf(target: ResourceTarget, { method, query }: ApiRequest): string {
  const isCollection = target.name === undefined;
  switch (method) {
    case "GET":
    case "HEAD":
      if (isTrue(query, "watch")) return "watch";
      return isCollection ? "list" : "get";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return isCollection ? "deletecollection" : "delete";
    default:
      throw methodNotAllowed();
  }
}

function authorize(
  user: ApiUser,
  { resource, namespace, name, subresource }: ResourceTarget,
  verb: string,
  { query }: ApiRequest,
): void {
  const { plural } = resource.info;
  const below = subresource === undefined ? plural : `${plural}/${subresource}`;
  // A list or watch of one name may be allowed where all of them are not.
  const [, selected] = /^metadata\.name=([^,=!]+)$/.exec(query.get("fieldSelector") ?? "") ?? [];
  const question = {
    verb,
    group: resource.group,
    resource: below,
    namespace,
    name: name ?? selected,
  };
  if (isAllowed(user, question)) return;
  const qualified = resource.group === "" ? plural : `${plural}.${resource.group}`;
  const place = namespace === undefined
    ? "at the cluster scope"
    : `in the namespace "${namespace}"`;
  const message = `${qualified}${name === undefined ? "" : ` "${name}"`} is forbidden: User ` +
    `"${user.name}" cannot ${verb} resource "${below}" in API group "${resource.group}" ${place}`;
  throw new ApiRefusal({ code: 403, reason: "Forbidden", message });
}

function unauthorized(): ApiRefusal {
  return new ApiRefusal({ code: 401, reason: "Unauthorized", message: "Unauthorized" });
}

/** Paths that a probe asks for without being anybody. */
function isProbe(path: string): boolean {
  return path === "/livez" || path === "/readyz" || path === "/healthz";
}

function subjectOf({ resource, name }: ResourceTarget): StatusSubject {
  return { group: resource.group, resource: resource.info.plural, name: name ?? "" };
}

function textAnswer(status: number, text: string): TextAnswer {
  return { status, contentType: "text/plain; charset=utf-8", text, warnings: [] };
}
