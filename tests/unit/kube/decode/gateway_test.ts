/**
 * Gateways at the door: a default that is not the API's opens a listener to namespaces or clients
 * that its author did not let in.
 */

import { assertEquals } from "@std/assert";
import { decodeStatusAddresses } from "../../../../src/kube/decode/gateway.ts";
import { gateway, type Json } from "../../../fakes/gateway_objects.ts";
import { decoded } from "../../../fakes/gateway_world.ts";

Deno.test("Gateway listeners default to routes of their own namespace and to TLS termination", () => {
  const { listeners, addresses } = decoded(
    "Gateway",
    gateway("g", [{ name: "a", port: 443, protocol: "HTTPS", tls: {} }], { addresses: [{}] }),
  ).spec;
  assertEquals<unknown>(listeners, [{
    name: "a",
    port: 443,
    protocol: "HTTPS",
    tls: { mode: "Terminate", certificateRefs: [], options: {} },
    allowedRoutes: { kinds: [], namespaces: { from: "Same" } },
  }]);
  assertEquals<unknown>(addresses, [{ type: "IPAddress", value: "" }]);
});

Deno.test("Gateway lets no ListenerSet join unless it says from where", () => {
  const allowed = (spec: Json): unknown =>
    decoded("Gateway", gateway("g", [], spec)).spec.allowedListeners;
  for (const spec of [{}, { allowedListeners: {} }, { allowedListeners: { namespaces: {} } }]) {
    assertEquals(allowed(spec), { namespaces: { from: "None" } });
  }
  const namespaces = { from: "Selector", selector: { matchLabels: { a: "b" } } };
  assertEquals(allowed({ allowedListeners: { namespaces } }), {
    namespaces: { from: "Selector", selector: { matchLabels: { a: "b" }, matchExpressions: [] } },
  });
});

Deno.test("Gateway validates clients as it says for all ports and for some, strictly by default", () => {
  const caCertificateRefs = [{ group: "", kind: "ConfigMap", name: "ca", namespace: "a" }];
  const { tls } = decoded(
    "Gateway",
    gateway("g", [], {
      tls: {
        frontend: {
          default: { validation: { caCertificateRefs } },
          perPort: [
            {
              port: 8443,
              tls: { validation: { caCertificateRefs, mode: "AllowInsecureFallback" } },
            },
            { port: 9443, tls: {} },
          ],
        },
      },
    }),
  ).spec;
  assertEquals<unknown>(tls?.frontend, {
    default: { validation: { caCertificateRefs, mode: "AllowValidOnly" } },
    perPort: [
      { port: 8443, tls: { validation: { caCertificateRefs, mode: "AllowInsecureFallback" } } },
      { port: 9443, tls: {} },
    ],
  });
});

Deno.test("Gateway keeps what it asks of its infrastructure", () => {
  const infrastructure = (value: Json): unknown =>
    decoded("Gateway", gateway("g", [], { infrastructure: value })).spec.infrastructure;
  assertEquals(infrastructure({}), { labels: {}, annotations: {} });
  const all = {
    labels: { a: "b" },
    annotations: { c: "d" },
    parametersRef: { group: "", kind: "ConfigMap", name: "e" },
  };
  assertEquals(infrastructure(all), all);
});

Deno.test("decodeStatusAddresses() reads IP addresses, and nothing from a status that has none", () => {
  const status = {
    addresses: [{ type: "IPAddress", value: "10.0.0.1" }, { type: "Hostname", value: "a" }],
  };
  assertEquals(decodeStatusAddresses({ ...gateway("g"), status }), ["10.0.0.1"]);
  assertEquals(decodeStatusAddresses(gateway("g")), []);
  assertEquals(decodeStatusAddresses({ ...gateway("g"), status: { addresses: "no" } }), []);
});
