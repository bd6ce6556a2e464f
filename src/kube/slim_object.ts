/**
 * Objects as they are kept: what the decoders and the status writers read, and nothing else.
 *
 * `managedFields` and the annotation of `kubectl apply` are often larger than all the rest, and the
 * values of a Secret that nobody asks for have no place in this process. An object that is slimmed
 * decodes to the same as before.
 */

import { ClusterError } from "./cluster_error.ts";
import { asList, asNumber, asString, isRecord, type JsonRecord } from "./json_value.ts";
import type { Kind } from "./kinds.ts";
import type { KubeObject, ObjectMeta } from "./object.ts";

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";
const certificateData = ["tls.crt", "tls.key", "ca.crt"];

/** What is kept of kinds that are many or hold secrets; of the others everything is. */
const slimmers: { readonly [K in Kind]?: (object: JsonRecord) => JsonRecord } = {
  Namespace: () => ({}),
  Secret: ({ type, data }) => present({ type, data: pick(data, certificateData) }),
  ConfigMap: ({ data }) => present({ data: pick(data, ["ca.crt"]) }),
  Service: ({ spec, status }) =>
    present({
      spec: pick(spec, ["type", "clusterIP", "externalName", "ports"]),
      status: hasIngress(status) ? pick(status, ["loadBalancer"]) : undefined,
    }),
  EndpointSlice: ({ addressType, ports, endpoints }) =>
    present({
      addressType,
      ports,
      endpoints: Array.isArray(endpoints)
        ? endpoints.map((endpoint) => pick(endpoint, ["addresses", "conditions"]))
        : endpoints,
    }),
};

/** How the API names the collection that an object came from. */
export interface CollectionNames {
  readonly kind: Kind;
  readonly apiVersion: string;
}

/**
 * What is kept of `value`, an object of the API. Elements of a list carry no type; they are given it.
 *
 * @throws ClusterError of kind `garbled` when it has no identity
 */
export function slimObject(value: unknown, { kind, apiVersion }: CollectionNames): KubeObject {
  if (!isRecord(value)) throw notAnObject(kind);
  const { metadata, ...rest } = value;
  const slim = slimmers[kind];
  return {
    ...slim === undefined ? rest : slim(rest),
    apiVersion,
    kind,
    metadata: slimMetadata(metadata, kind),
  };
}

/** Whether a Service has a load balancer; most have none, and an empty status. */
function hasIngress(status: unknown): boolean {
  return isRecord(status) && isRecord(status.loadBalancer) &&
    asList(status.loadBalancer.ingress).length > 0;
}

function slimMetadata(value: unknown, kind: Kind): ObjectMeta {
  if (!isRecord(value)) throw notAnObject(kind);
  const { name, namespace, uid, resourceVersion, labels, annotations } = value;
  const isIdentified = typeof name === "string" && typeof uid === "string" &&
    typeof resourceVersion === "string";
  if (!isIdentified) throw notAnObject(kind);
  return {
    name,
    uid,
    resourceVersion,
    creationTimestamp: asString(value.creationTimestamp) ?? "",
    ...present({
      namespace: asString(namespace),
      generation: asNumber(value.generation),
      deletionTimestamp: asString(value.deletionTimestamp),
      labels: texts(labels),
      annotations: texts(annotations),
    }),
  };
}

function notAnObject(kind: Kind): ClusterError {
  return new ClusterError("garbled", `A ${kind} of the answer has no name, uid or resourceVersion`);
}

/** The texts of a map; undefined when there are none. */
function texts(map: unknown): Readonly<Record<string, string>> | undefined {
  if (!isRecord(map)) return undefined;
  const kept: Record<string, string> = {};
  let count = 0;
  for (const [name, text] of Object.entries(map)) {
    if (typeof text !== "string" || name === lastApplied) continue;
    kept[name] = text;
    count++;
  }
  return count === 0 ? undefined : kept;
}

/** The named fields of a record; what is no record stays, for the decoder to refuse. */
function pick(value: unknown, names: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(value, name)).map((name) => [name, value[name]]),
  );
}

function present<T extends Readonly<Record<string, unknown>>>(
  fields: T,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const kept: { [Name in keyof T]?: Exclude<T[Name], undefined> } = {};
  for (const name in fields) {
    const value = fields[name];
    if (isPresent(value)) kept[name] = value;
  }
  return kept;
}

function isPresent<T>(value: T): value is Exclude<T, undefined> {
  return value !== undefined;
}

/** The elements of a list of the API; nil is written as null. */
export function itemsOf(list: unknown): readonly unknown[] {
  return isRecord(list) ? asList(list.items) : [];
}
