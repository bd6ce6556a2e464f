/**
 * OpenAPI v3 of what the API serves: one document for each group and version, from the schemas that
 * admission uses. It is what `kubectl explain` shows, and how kubectl learns that the server checks
 * fields itself. Pure but for the texts, which are loaded when the first document is asked for.
 */

import type {
  DescriptionEntry,
  DescriptionFile,
  Descriptions,
} from "../admission/decode_description_file.ts";
import { loadDescriptions } from "../admission/field_descriptions.ts";
import type { SchemaNode } from "../admission/schema_node.ts";
import { type ApiResource, apiResources } from "./api_resources.ts";
import { unknownPath } from "./api_status.ts";
import type { SchemaSource } from "./object_writer.ts";
import { objectMetaSchema } from "./object_meta_schema.ts";

type Schema = Readonly<Record<string, unknown>>;

const metaName = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/** `/openapi/v3`: where the documents are. */
export function openApiIndex(): object {
  const versions = new Set(apiResources.map(({ apiVersion }) => apiVersion));
  const paths = [...versions].map((apiVersion): [string, object] => {
    const path = apiVersion.includes("/") ? `apis/${apiVersion}` : `api/${apiVersion}`;
    return [path, { serverRelativeURL: `/openapi/v3/${path}` }];
  });
  return { paths: Object.fromEntries(paths) };
}

/** Documents as text, each made once. */
export class OpenApiDocuments {
  readonly #schemas: SchemaSource;
  readonly #version: string;
  readonly #texts = new Map<string, string>();

  constructor(schemas: SchemaSource, version: string) {
    this.#schemas = schemas;
    this.#version = version;
  }

  /** The document of a group's version. @throws {ApiRefusal} 404 */
  async text(apiVersion: string): Promise<string> {
    const known = this.#texts.get(apiVersion);
    if (known !== undefined) return known;
    const resources = apiResources.filter((resource) => resource.apiVersion === apiVersion);
    if (resources.length === 0) throw unknownPath();
    const text = JSON.stringify(this.#document(resources, await loadDescriptions()));
    this.#texts.set(apiVersion, text);
    return text;
  }

  #document(resources: readonly ApiResource[], descriptions: Descriptions): Schema {
    const schemas: [string, Schema][] = [[metaName, objectMetaSchema]];
    const paths: [string, object][] = [];
    for (const resource of resources) {
      const root = this.#schemas(resource.apiVersion, resource.kind);
      if (!root) continue;
      const { file, key } = textsOf(descriptions, resource);
      const entry = Object.hasOwn(file.kinds, key) ? file.kinds[key] : undefined;
      schemas.push([nameOf(resource), rootSchema(resource, root, file, entry)]);
      paths.push(...pathsOf(resource));
    }
    return {
      openapi: "3.0.0",
      info: { title: "Kubernetes", version: `weir ${this.#version}` },
      paths: Object.fromEntries(paths),
      components: { schemas: Object.fromEntries(schemas) },
    };
  }
}

/** The file of a kind's texts, and what the kind is called in it. */
function textsOf(
  { gatewayApi, kubernetes }: Descriptions,
  { kind, group, apiVersion }: ApiResource,
): { readonly file: DescriptionFile; readonly key: string } {
  return group === "gateway.networking.k8s.io"
    ? { file: gatewayApi, key: kind }
    : { file: kubernetes, key: `${apiVersion}/${kind}` };
}

function nameOf({ group, version, kind }: ApiResource): string {
  const reversed = group === "" ? "io.k8s.api.core" : group.split(".").reverse().join(".");
  return `${reversed}.${version}.${kind}`;
}

function gvkOf({ group, version, kind }: ApiResource): object {
  return { group, version, kind };
}

function rootSchema(
  resource: ApiResource,
  root: SchemaNode,
  descriptions: DescriptionFile,
  entry: DescriptionEntry | undefined,
): Schema {
  const schema = schemaOf(root, descriptions, entry);
  const known = typeof schema.properties === "object" ? schema.properties : {};
  return {
    ...schema,
    type: "object",
    properties: {
      apiVersion: { type: "string", description: "The group and version of the object's kind" },
      kind: { type: "string", description: "The kind of the object" },
      ...known,
      metadata: {
        allOf: [{ $ref: `#/components/schemas/${metaName}` }],
        description: "Name, labels and what else every object has",
      },
    },
    "x-kubernetes-group-version-kind": [gvkOf(resource)],
  };
}

/** Keywords that are the same in a schema file and in OpenAPI. */
const plainKeywords = [
  "type",
  "format",
  "pattern",
  "enum",
  "default",
  "required",
  "nullable",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
] as const;

function schemaOf(
  node: SchemaNode,
  descriptions: DescriptionFile,
  entry: DescriptionEntry | undefined,
): Schema {
  const { raw, properties, items, additionalProperties } = node;
  const text = entry === undefined
    ? undefined
    : descriptions.texts[typeof entry === "number" ? entry : entry[0]];
  const fields = typeof entry === "object" ? entry[1] : {};
  const plain = plainKeywords.filter((name) => raw[name] !== undefined)
    .map((name): [string, unknown] => [name, raw[name]]);
  const below = properties && [...properties].map(([name, child]): [string, Schema] => {
    const inner = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return [name, schemaOf(child, descriptions, inner)];
  });
  return {
    ...(text === undefined ? {} : { description: text }),
    ...Object.fromEntries(plain),
    ...(below ? { properties: Object.fromEntries(below) } : {}),
    ...(items ? { items: schemaOf(items, descriptions, entryBelow(entry)) } : {}),
    ...(typeof additionalProperties === "object"
      ? { additionalProperties: schemaOf(additionalProperties, descriptions, entryBelow(entry)) }
      : {}),
    ...extensionsOf(node),
  };
}

/** Items have no text of their own, and the fields of their list's entry. */
function entryBelow(entry: DescriptionEntry | undefined): DescriptionEntry | undefined {
  return typeof entry === "object" ? [-1, entry[1]] : undefined;
}

function extensionsOf({ raw }: SchemaNode): Schema {
  const mergeKey = raw.mergeKeys?.[0];
  const listType = raw.mergeKeys ? "map" : raw.listType;
  const keys = raw.mergeKeys ?? raw.listMapKeys;
  return {
    ...(listType === undefined ? {} : { "x-kubernetes-list-type": listType }),
    ...(keys === undefined ? {} : { "x-kubernetes-list-map-keys": keys }),
    ...(raw.mapType === undefined ? {} : { "x-kubernetes-map-type": raw.mapType }),
    ...(raw.intOrString === true ? { "x-kubernetes-int-or-string": true } : {}),
    ...(raw.preserveUnknownFields === true ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
    ...(mergeKey === undefined ? {} : {
      "x-kubernetes-patch-merge-key": mergeKey,
      "x-kubernetes-patch-strategy": "merge",
    }),
  };
}

function query(name: string, type: string): object {
  return { name, in: "query", schema: { type, uniqueItems: true } };
}

const writeParameters = [
  query("dryRun", "string"),
  query("fieldManager", "string"),
  query("fieldValidation", "string"),
];

function pathsOf(resource: ApiResource): readonly [string, object][] {
  const { apiVersion, info } = resource;
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const place = info.namespaced ? `${root}/namespaces/{namespace}` : root;
  const reference = { $ref: `#/components/schemas/${nameOf(resource)}` };
  const content = { "application/json": { schema: reference } };
  const operation = (action: string, parameters: readonly object[]): object => ({
    operationId: `${action}${resource.kind}`,
    parameters,
    responses: { 200: { description: "OK", content } },
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": gvkOf(resource),
  });
  const patch = [...writeParameters, query("force", "boolean")];
  return [
    [`${place}/${info.plural}`, {
      get: operation("list", []),
      post: operation("post", writeParameters),
    }],
    [`${place}/${info.plural}/{name}`, {
      get: operation("get", []),
      put: operation("put", writeParameters),
      patch: operation("patch", patch),
      delete: operation("delete", [query("dryRun", "string")]),
    }],
  ];
}
