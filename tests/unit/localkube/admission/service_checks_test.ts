/** Services: the defaults that routes rely on, and the faults that a cluster would find. */

import { assertEquals } from "@std/assert";
import { admitCore } from "../../../fakes/core_admission.ts";

function admit(spec: unknown) {
  return admitCore("Service", "v1", { spec });
}

const http = { port: 80 };

Deno.test("a Service gets the API server's defaults", () => {
  assertEquals(admit({ ports: [{ port: 80 }, { name: "a", port: 81, targetPort: "web" }] }), {
    causes: [
      "spec.ports[0].name Required value",
    ],
  });
  assertEquals(admit({ ports: [{ port: 80 }] }), {
    object: {
      spec: {
        ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
        sessionAffinity: "None",
        type: "ClusterIP",
        internalTrafficPolicy: "Cluster",
      },
    },
    warnings: [],
  });
  assertEquals(admit({ type: "LoadBalancer", ports: [{ port: 80, targetPort: 0 }] }), {
    object: {
      spec: {
        type: "LoadBalancer",
        ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
        sessionAffinity: "None",
        internalTrafficPolicy: "Cluster",
        externalTrafficPolicy: "Cluster",
        allocateLoadBalancerNodePorts: true,
      },
    },
    warnings: [],
  });
});

Deno.test("a headless Service and an ExternalName Service need no ports", () => {
  assertEquals(admit({ clusterIP: "None" }).causes, undefined);
  assertEquals(admit({ type: "ExternalName", externalName: "a.example.com." }).causes, undefined);
});

const refused: readonly (readonly [unknown, readonly string[]])[] = [
  [undefined, ["spec.ports Required value"]],
  [{ ports: [] }, ["spec.ports Required value"]],
  [{ ports: [{}] }, [
    "spec.ports[0].port Invalid value: 0: must be between 1 and 65535, inclusive",
    "spec.ports[0].targetPort Invalid value: 0: must be between 1 and 65535, inclusive",
  ]],
  [{ ports: [{ port: 70000, targetPort: 65536 }] }, [
    "spec.ports[0].port Invalid value: 70000: must be between 1 and 65535, inclusive",
    "spec.ports[0].targetPort Invalid value: 65536: must be between 1 and 65535, inclusive",
  ]],
  [{ ports: [{ port: "80" }] }, [
    'spec.ports[0].port Invalid value: "string": spec.ports[0].port in body must be of type integer: "string"',
  ]],
  [{ ports: [{ port: 80, targetPort: "a--b" }] }, [
    'spec.ports[0].targetPort Invalid value: "a--b": must not contain consecutive hyphens',
  ]],
  [{ ports: [{ port: 80, targetPort: "80" }] }, [
    'spec.ports[0].targetPort Invalid value: "80": must contain at least one letter (a-z)',
  ]],
  [{ ports: [{ port: 80, protocol: "tcp" }] }, [
    'spec.ports[0].protocol Unsupported value: "tcp": supported values: "SCTP", "TCP", "UDP"',
  ]],
  [{ ports: [{ name: "a", port: 80 }, { name: "a", port: 81 }] }, [
    'spec.ports[1].name Duplicate value: "a"',
  ]],
  [{ ports: [{ name: "a", port: 80 }, { name: "b", port: 80 }] }, [
    'spec.ports[1] Duplicate value: {"AppProtocol":null,"Name":"","NodePort":0,"Port":80,"Protocol":"TCP","TargetPort":0}',
  ]],
  [{ ports: [{ port: 80, appProtocol: "a/b/c" }] }, [
    "spec.ports[0].appProtocol Invalid value: \"a/b/c\": a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
  ]],
  [{ ports: [{ port: 80, nodePort: 30000 }] }, [
    "spec.ports[0].nodePort Forbidden: may not be used when `type` is 'ClusterIP'",
  ]],
  [{ ports: [http], type: "Cluster" }, [
    'spec.type Unsupported value: "Cluster": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
  ]],
  [{ ports: [http], sessionAffinity: "Cookie" }, [
    'spec.sessionAffinity Unsupported value: "Cookie": supported values: "ClientIP", "None"',
  ]],
  [{ type: "ExternalName" }, ["spec.externalName Required value"]],
  [{ type: "ExternalName", externalName: "a.example.com", clusterIP: "None" }, [
    "spec.clusterIPs[0] Forbidden: may not be used when `type` is 'ExternalName'",
  ]],
  [{ ports: [http], clusterIP: "10.0.0" }, [
    'spec.clusterIPs[0] Invalid value: "10.0.0": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ]],
  [{ ports: [http], selector: { app: 1 } }, [
    'spec.selector.app Invalid value: "integer": spec.selector.app in body must be of type string: "integer"',
  ]],
];

for (const [spec, causes] of refused) {
  Deno.test(`a Service is refused: ${JSON.stringify(spec)}`, () => {
    assertEquals(admit(spec), { causes: [...causes] });
  });
}

Deno.test("unknown fields of a Service are dropped, not refused", () => {
  const { object, warnings } = admit({ ports: [{ port: 80, prot: "TCP" }], Type: "x" });
  assertEquals(warnings, ['unknown field "spec.ports[0].prot"', 'unknown field "spec.Type"']);
  assertEquals(JSON.stringify(object).includes('prot"'), false);
});
