/**
 * Objects in the form that a client asked for: whole, as metadata alone, or as rows of a table.
 *
 * The form is chosen by `Accept`, as the API server does; a type that is not served falls back to
 * plain JSON when the client takes it. Pure.
 */

import { isRecord } from "../../kube/json_value.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { ApiResource } from "./api_resources.ts";
import { inVersion } from "./api_resources.ts";
import { ApiRefusal } from "./api_status.ts";
import type { ImpliedOwners } from "./implied_owners.ts";
import type { ListPage } from "./list_query.ts";
import { columnsOf } from "./table_columns.ts";

/** `Table` and `Partial` in a version of `meta.k8s.io`. */
export type ObjectForm =
  | { readonly type: "whole" }
  | { readonly type: "table" | "partial"; readonly version: string };

/** One entry of an `Accept` header. */
export interface MediaRange {
  readonly media: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The entries of `accept` in order; an absent header takes anything. */
export function parseAccept(accept: string): readonly MediaRange[] {
  const text = accept.trim() === "" ? "*/*" : accept.slice(0, 4096);
  return text.split(",").map((entry) => {
    const [media = "", ...rest] = entry.split(";").map((part) => part.trim());
    const parameters = rest.map((part): [string, string] => {
      const at = part.indexOf("=");
      return at < 0
        ? [part.toLowerCase(), ""]
        : [part.slice(0, at).toLowerCase(), part.slice(at + 1)];
    });
    return { media: media.toLowerCase(), parameters: new Map(parameters) };
  });
}

/** Whether `range` takes JSON. */
export function takesJson({ media }: MediaRange): boolean {
  return media === "application/json" || media === "application/*" || media === "*/*";
}

/** The first form of `accept` that is served. @throws {ApiRefusal} 406 */
export function readForm(accept: string): ObjectForm {
  for (const range of parseAccept(accept)) {
    if (!takesJson(range)) continue;
    const as = range.parameters.get("as");
    const version = range.parameters.get("v") ?? "";
    if (as === undefined) return { type: "whole" };
    if (range.parameters.get("g") !== "meta.k8s.io" || !/^v1(beta1)?$/.test(version)) continue;
    if (as === "Table") return { type: "table", version };
    if (as === "PartialObjectMetadata" || as === "PartialObjectMetadataList") {
      return { type: "partial", version };
    }
  }
  const message = "only the following media types are accepted: application/json";
  throw new ApiRefusal({ code: 406, reason: "NotAcceptable", message });
}

/** How objects are shown. */
export interface RenderOptions {
  readonly resource: ApiResource;
  readonly form: ObjectForm;
  /** What rows of a table carry: `Metadata` unless it is asked otherwise. */
  readonly includeObject: string;
  readonly nowMs: number;
  /** Adds owners that are implied to whole objects; rows and metadata alone do without. */
  readonly owners: Pick<ImpliedOwners, "shown">;
}

/** One object. */
export function renderObject(object: KubeObject, options: RenderOptions): object {
  const { form } = options;
  const { resourceVersion } = object.metadata;
  if (form.type === "table") return tableOf([object], { resourceVersion }, options, true);
  return renderItem(object, options);
}

/** A page of a list. */
export function renderList(page: ListPage, options: RenderOptions): object {
  const { form, resource } = options;
  const metadata = {
    resourceVersion: page.resourceVersion,
    ...(page.continueToken === undefined ? {} : { continue: page.continueToken }),
    ...(page.remainingItemCount === undefined
      ? {}
      : { remainingItemCount: page.remainingItemCount }),
  };
  if (form.type === "table") return tableOf(page.items, metadata, options, true);
  const items = page.items.map((item) => renderItem(item, options));
  return form.type === "partial"
    ? { kind: "PartialObjectMetadataList", apiVersion: metaVersion(form.version), metadata, items }
    : { kind: `${resource.kind}List`, apiVersion: resource.apiVersion, metadata, items };
}

/** One object of a watch; only the first table of a stream has the columns' names. */
export function renderWatched(
  object: KubeObject,
  options: RenderOptions,
  isFirst: boolean,
): object {
  const { resourceVersion } = object.metadata;
  if (options.form.type !== "table") return renderItem(object, options);
  return tableOf([object], { resourceVersion }, options, isFirst);
}

/** A bookmark: nothing but how far the stream is. */
export function renderBookmark(
  resourceVersion: string,
  endsInitialEvents: boolean,
  { form, resource }: RenderOptions,
): object {
  const metadata = {
    resourceVersion,
    creationTimestamp: null,
    ...(endsInitialEvents ? { annotations: { "k8s.io/initial-events-end": "true" } } : {}),
  };
  if (form.type === "whole") {
    return { kind: resource.kind, apiVersion: resource.apiVersion, metadata };
  }
  const apiVersion = metaVersion(form.version);
  return form.type === "partial"
    ? { kind: "PartialObjectMetadata", apiVersion, metadata }
    : { kind: "Table", apiVersion, metadata, columnDefinitions: null, rows: [] };
}

function renderItem(object: KubeObject, { form, resource, owners }: RenderOptions): object {
  if (form.type === "partial") return partialOf(object, form.version);
  return inVersion(owners.shown(object, resource.info), resource);
}

/** An object as shown before it is stored: it has no version yet. */
export function withoutVersion(shown: object): object {
  if (!("metadata" in shown) || !isRecord(shown.metadata)) return shown;
  const { resourceVersion: _, ...metadata } = shown.metadata;
  return { ...shown, metadata };
}

function partialOf({ metadata }: KubeObject, version: string): object {
  return { kind: "PartialObjectMetadata", apiVersion: metaVersion(version), metadata };
}

function metaVersion(version: string): string {
  return `meta.k8s.io/${version}`;
}

function tableOf(
  items: readonly KubeObject[],
  metadata: object,
  { resource, form, includeObject, nowMs }: RenderOptions,
  hasHeaders: boolean,
): object {
  const columns = columnsOf(resource.kind);
  const version = form.type === "whole" ? "v1" : form.version;
  return {
    kind: "Table",
    apiVersion: metaVersion(version),
    metadata,
    columnDefinitions: hasHeaders
      ? columns.map(({ name, type, priority, description }) => ({
        name,
        type,
        format: name === "Name" ? "name" : "",
        description,
        priority,
      }))
      : null,
    rows: items.map((item) => ({
      cells: columns.map(({ cell }) => cell(item, nowMs)),
      ...(includeObject === "None" ? {} : {
        object: includeObject === "Object" ? inVersion(item, resource) : partialOf(item, version),
      }),
    })),
  };
}
