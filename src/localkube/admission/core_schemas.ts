/**
 * Schemas of the kinds that Kubernetes itself defines, written by hand.
 *
 * They hold what the API server's decoder knows: the fields (others are dropped with a warning),
 * their types and the static defaults. What its validation adds is in one file per kind. Values that
 * a controller or an allocator would fill in, such as a cluster IP, are left alone.
 */

import type { Fields } from "./core_fields.ts";
import { checkEndpointSlice } from "./endpoint_slice_checks.ts";
import type { FaultList } from "./fault_list.ts";
import type { RawNode, RawVersion } from "./schema_file.ts";
import { checkConfigMap, checkSecret, prepareSecret } from "./secret_checks.ts";
import { checkService, prepareService } from "./service_checks.ts";

/** What is known of a kind of Kubernetes itself. */
export interface CoreKind {
  /** API group; the core group is the empty string. */
  readonly group: string;
  readonly versions: Readonly<Record<string, RawVersion>>;
  /** Fills in defaults that depend on other fields. */
  readonly prepare?: (fields: Fields) => Fields;
  /** Adds what is wrong beyond the schema. `old` is the stored object on an update. */
  readonly check?: (fields: Fields, old: Fields | undefined, faults: FaultList) => void;
}

const text: RawNode = { type: "string" };
const bool: RawNode = { type: "boolean" };
const int32: RawNode = { type: "integer", format: "int32" };
const texts = listOf(text);
const textMap: RawNode = { type: "object", additionalProperties: text };
const protocol: RawNode = { type: "string", default: "TCP" };

function object(properties: Readonly<Record<string, RawNode>>): RawNode {
  return { type: "object", properties };
}

function listOf(items: RawNode): RawNode {
  return { type: "array", items };
}

/** The one version of a kind with these fields; the fields that all kinds have are the store's. */
function v1(properties: Readonly<Record<string, RawNode>>): Readonly<Record<string, RawVersion>> {
  return { v1: { root: object(properties) } };
}

/** A list whose items are merged by these keys (`listType: map` in `k8s.io/api`). */
function keyedList(items: RawNode, ...mergeKeys: readonly string[]): RawNode {
  return { ...listOf(items), mergeKeys };
}

const conditions = keyedList(
  object({
    type: text,
    status: text,
    observedGeneration: { type: "integer", format: "int64" },
    lastTransitionTime: { type: "string", format: "date-time" },
    reason: text,
    message: text,
  }),
  "type",
);

const objectReference = object({
  apiVersion: text,
  fieldPath: text,
  kind: text,
  name: text,
  namespace: text,
  resourceVersion: text,
  uid: text,
});

const servicePort = object({
  name: text,
  protocol,
  appProtocol: text,
  port: int32,
  targetPort: { intOrString: true },
  nodePort: int32,
});

const serviceSpec = object({
  allocateLoadBalancerNodePorts: bool,
  clusterIP: text,
  clusterIPs: texts,
  externalIPs: texts,
  externalName: text,
  externalTrafficPolicy: text,
  healthCheckNodePort: int32,
  internalTrafficPolicy: text,
  ipFamilies: texts,
  ipFamilyPolicy: text,
  loadBalancerClass: text,
  loadBalancerIP: text,
  loadBalancerSourceRanges: texts,
  ports: keyedList(servicePort, "port", "protocol"),
  publishNotReadyAddresses: bool,
  selector: { ...textMap, mapType: "atomic" },
  sessionAffinity: { type: "string", default: "None" },
  sessionAffinityConfig: object({ clientIP: object({ timeoutSeconds: int32 }) }),
  trafficDistribution: text,
  type: { type: "string", default: "ClusterIP" },
});

const loadBalancerIngress = object({
  hostname: text,
  ip: text,
  ipMode: text,
  ports: listOf(object({ error: text, port: int32, protocol: text })),
});

const endpoint = object({
  addresses: texts,
  conditions: object({ ready: bool, serving: bool, terminating: bool }),
  deprecatedTopology: textMap,
  hints: object({
    forNodes: listOf(object({ name: text })),
    forZones: listOf(object({ name: text })),
  }),
  hostname: text,
  nodeName: text,
  targetRef: objectReference,
  zone: text,
});

const endpointPort = object({
  appProtocol: text,
  name: { type: "string", default: "" },
  port: int32,
  protocol,
});

/** The kinds by name. */
export const coreKinds: Readonly<Record<string, CoreKind>> = {
  Namespace: {
    group: "",
    versions: v1({
      spec: object({ finalizers: texts }),
      status: object({ phase: text, conditions }),
    }),
  },
  Service: {
    group: "",
    versions: v1({
      spec: { ...serviceSpec, default: {} },
      status: object({
        conditions,
        loadBalancer: object({ ingress: listOf(loadBalancerIngress) }),
      }),
    }),
    prepare: prepareService,
    check: checkService,
  },
  EndpointSlice: {
    group: "discovery.k8s.io",
    versions: v1({
      addressType: text,
      endpoints: listOf(endpoint),
      ports: listOf(endpointPort),
    }),
    check: checkEndpointSlice,
  },
  Secret: {
    group: "",
    versions: v1({
      data: textMap,
      immutable: bool,
      stringData: textMap,
      type: { type: "string", default: "Opaque" },
    }),
    prepare: prepareSecret,
    check: checkSecret,
  },
  ConfigMap: {
    group: "",
    versions: v1({ binaryData: textMap, data: textMap, immutable: bool }),
    check: checkConfigMap,
  },
};
