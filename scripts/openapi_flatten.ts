/**
 * Kubernetes' own OpenAPI schemas in the form of structural ones: references resolved, and only what
 * the API server's decoder enforces. Pure.
 *
 * Its documents say of Go's types more than anybody checks: `required` and `default` come from struct
 * tags, while validation is code. What is kept: names, types, how lists and maps are merged.
 */

type Json = Record<string, unknown>;

/** Of what the decoder refuses; other formats are remarks. */
const formats: ReadonlySet<unknown> = new Set(["int32", "int64", "date-time"]);

/** Objects of this type are the store's. */
const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
/** Any JSON object. */
const freeForm = "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1";

const prefix = "#/components/schemas/";

/** Flattens the schemas of one document. */
export class OpenApiFlattener {
  readonly #schemas: Readonly<Record<string, Json>>;
  readonly #defaults: Readonly<Record<string, unknown>>;

  /**
   * @param schemas `components.schemas` of the document
   * @param defaults static defaults by the path of a field: `spec.ports.protocol`
   */
  constructor(
    schemas: Readonly<Record<string, Json>>,
    defaults: Readonly<Record<string, unknown>>,
  ) {
    this.#schemas = schemas;
    this.#defaults = defaults;
  }

  /** The schema of `name`, without `apiVersion`, `kind` and `metadata`. */
  root(name: string): Json {
    const { properties, ...rest } = this.#flat({ $ref: prefix + name }, "");
    const { apiVersion: _, kind: __, metadata: ___, ...own } = properties as Record<string, Json>;
    return { ...rest, properties: own };
  }

  #flat(field: Json, path: string): Json {
    const schema = this.#resolved(field);
    const description = field["description"] ?? schema["description"];
    const flat: Json = description === undefined ? {} : { description };
    const fallback = this.#defaults[path];
    if (fallback !== undefined) flat["default"] = fallback;
    if (schema["format"] === "int-or-string") {
      return { ...flat, "x-kubernetes-int-or-string": true };
    }
    // A quantity: a text or a number.
    if (schema["oneOf"] !== undefined) return flat;
    flat["type"] = schema["type"];
    if (formats.has(schema["format"])) flat["format"] = schema["format"];
    if (schema["x-free-form"] === true) flat["x-kubernetes-preserve-unknown-fields"] = true;
    this.#addChildren(flat, schema, path);
    addMergeRules(flat, { ...schema, ...field });
    return flat;
  }

  #addChildren(flat: Json, schema: Json, path: string): void {
    const { properties, items, additionalProperties } = schema;
    if (properties !== undefined) {
      flat["properties"] = Object.fromEntries(
        Object.entries(properties as Record<string, Json>).map(([name, child]) => {
          return [name, this.#flat(child, path === "" ? name : `${path}.${name}`)];
        }),
      );
    }
    if (items !== undefined) flat["items"] = this.#flat(items as Json, path);
    if (additionalProperties !== undefined) {
      flat["additionalProperties"] = this.#flat(additionalProperties as Json, path);
    }
  }

  #resolved(field: Json): Json {
    const [only] = (field["allOf"] ?? []) as Json[];
    const reference = field["$ref"] ?? only?.["$ref"];
    if (typeof reference !== "string") return field;
    const name = reference.slice(prefix.length);
    if (name === objectMeta || name === freeForm) return { type: "object", "x-free-form": true };
    const schema = this.#schemas[name];
    if (schema === undefined) throw new Error(`Cannot resolve "${reference}": no such schema`);
    return schema;
  }
}

/**
 * Lists of these kinds are checked by code, so their keys are for merging alone, and a set is like any
 * other list.
 */
function addMergeRules(flat: Json, schema: Json): void {
  const keys = schema["x-kubernetes-list-map-keys"];
  const mergeKey = schema["x-kubernetes-patch-merge-key"];
  if (keys !== undefined) flat["mergeKeys"] = keys;
  else if (mergeKey !== undefined) flat["mergeKeys"] = [mergeKey];
  else if (schema["x-kubernetes-list-type"] === "atomic") flat["x-kubernetes-list-type"] = "atomic";
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType !== undefined) flat["x-kubernetes-map-type"] = mapType;
}
