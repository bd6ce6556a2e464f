/**
 * Checks JSON against the schemas of our OpenAPI document, written for the keywords that it uses.
 *
 * Stricter than JSON Schema in one point: an object has no fields besides those that are listed,
 * unless its schema says what others are. Clients must bear with more; we want to hear of it. A
 * keyword that is not known here is an error of the test.
 */

type Json = Readonly<Record<string, unknown>>;

/** Keywords that say nothing about a value. */
const silent: ReadonlySet<string> = new Set(["title", "description", "example", "x-events"]);

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** The faults of `value` under `schema`, each behind its path; `document` is where references lead. */
export function schemaFaults(
  document: unknown,
  schema: unknown,
  value: unknown,
  path = "$",
): readonly string[] {
  if (!isObject(schema)) return [`${path}: the schema is ${JSON.stringify(schema)}`];
  const faults: string[] = [];
  const inner = (part: unknown, of: unknown, at: string): readonly string[] =>
    schemaFaults(document, part, of, at);
  for (const [keyword, wanted] of Object.entries(schema)) {
    if (silent.has(keyword)) continue;
    const check = checks[keyword];
    if (!check) faults.push(`${path}: keyword "${keyword}" is not known to the test`);
    else faults.push(...check({ wanted, value, schema, path, document, inner }));
  }
  return faults;
}

/** What `reference` leads to. */
export function resolveReference(document: unknown, reference: string): unknown {
  let found: unknown = document;
  for (const part of reference.split("/").slice(1)) {
    found = isObject(found) ? found[part] : undefined;
  }
  return found;
}

interface Checked {
  readonly wanted: unknown;
  readonly value: unknown;
  readonly schema: Json;
  readonly path: string;
  readonly document: unknown;
  readonly inner: (schema: unknown, value: unknown, path: string) => readonly string[];
}

type Check = (checked: Checked) => readonly string[];

const checks: Readonly<Record<string, Check>> = {
  $ref: ({ wanted, value, path, document, inner }) =>
    inner(resolveReference(document, String(wanted)), value, path),
  type: ({ wanted, value, path }) => {
    const types: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
    const found = typeOf(value);
    const isOne = types.includes(found) || found === "integer" && types.includes("number");
    return isOne ? [] : [`${path}: ${found}, wanted ${types.join(" or ")}`];
  },
  properties: ({ wanted, value, schema, path, inner }) => {
    if (!isObject(value) || !isObject(wanted)) return [];
    const unlisted = "additionalProperties" in schema
      ? []
      : Object.keys(value).filter((name) => !Object.hasOwn(wanted, name));
    return [
      ...unlisted.map((name) => `${path}.${name}: is not in the document`),
      ...Object.entries(wanted).flatMap(([name, part]) =>
        Object.hasOwn(value, name) ? inner(part, value[name], `${path}.${name}`) : []
      ),
    ];
  },
  required: ({ wanted, value, path }) =>
    isObject(value) && Array.isArray(wanted)
      ? wanted.filter((name) => !Object.hasOwn(value, name)).map((name) =>
        `${path}.${name}: is missing`
      )
      : [],
  additionalProperties: ({ wanted, value, schema, path, inner }) => {
    if (!isObject(value) || wanted === true) return [];
    const listed = isObject(schema["properties"]) ? schema["properties"] : {};
    return Object.entries(value).filter(([name]) => !Object.hasOwn(listed, name))
      .flatMap(([name, part]) => inner(wanted, part, `${path}.${name}`));
  },
  propertyNames: ({ wanted, value, path, inner }) =>
    isObject(value)
      ? Object.keys(value).flatMap((name) => inner(wanted, name, `${path} key "${name}"`))
      : [],
  items: ({ wanted, value, path, inner }) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => inner(wanted, item, `${path}[${index}]`))
      : [],
  enum: ({ wanted, value, path }) =>
    Array.isArray(wanted) && wanted.includes(value)
      ? []
      : [`${path}: ${JSON.stringify(value)}, wanted one of ${JSON.stringify(wanted)}`],
  const: ({ wanted, value, path }) =>
    value === wanted ? [] : [`${path}: ${JSON.stringify(value)}, wanted ${JSON.stringify(wanted)}`],
  oneOf: ({ wanted, value, path, inner }) => oneOf(wanted, value, path, inner, true),
  anyOf: ({ wanted, value, path, inner }) => oneOf(wanted, value, path, inner, false),
  minimum: ({ wanted, value, path }) =>
    typeof value === "number" && value < Number(wanted) ? [`${path}: ${value} < ${wanted}`] : [],
  maximum: ({ wanted, value, path }) =>
    typeof value === "number" && value > Number(wanted) ? [`${path}: ${value} > ${wanted}`] : [],
  pattern: ({ wanted, value, path }) =>
    typeof value === "string" && !new RegExp(String(wanted), "u").test(value)
      ? [`${path}: "${value}" does not match ${wanted}`]
      : [],
  format: ({ wanted, value, path }) => {
    if (wanted !== "date-time") return [`${path}: format "${wanted}" is not known to the test`];
    return rfc3339.test(String(value)) ? [] : [`${path}: "${value}" is no time`];
  },
};

function oneOf(
  wanted: unknown,
  value: unknown,
  path: string,
  inner: Checked["inner"],
  isExact: boolean,
): readonly string[] {
  const all = Array.isArray(wanted) ? wanted.map((schema) => inner(schema, value, path)) : [];
  const fitting = all.filter((faults) => faults.length === 0).length;
  if (fitting === 1 || fitting > 1 && !isExact) return [];
  const nearest = all.toSorted((a, b) => a.length - b.length)[0] ?? [];
  return [`${path}: ${fitting} of ${all.length} alternatives fit`, ...nearest];
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
