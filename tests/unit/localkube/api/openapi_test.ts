/**
 * OpenAPI of the local cluster's API. What a user would lose: `kubectl explain`, and a kubectl that
 * lets the server check fields and dry runs.
 */

import { assert, assertEquals } from "@std/assert";
import { type Json, TestKubeApi } from "../../../fakes/kube_api.ts";

Deno.test("every document of the index exists and names the kinds of its version", async () => {
  const api = new TestKubeApi();
  const { json: index } = await api.ask("GET", "/openapi/v3");
  const urls = Object.values<Json>(index.paths).map(({ serverRelativeURL }) => serverRelativeURL);
  assert(urls.includes("/openapi/v3/api/v1"));
  for (const url of urls) {
    const { status, json } = await api.ask("GET", url);
    assertEquals([status, json.openapi], [200, "3.0.0"]);
    const kinds = Object.values<Json>(json.components.schemas)
      .flatMap((schema) => schema["x-kubernetes-group-version-kind"] ?? []);
    assert(kinds.length > 0, url);
  }
  assertEquals((await api.ask("GET", "/openapi/v3/apis/none/v1")).status, 404);
});

Deno.test("a field has its type and its text", async () => {
  const api = new TestKubeApi();
  const url = "/openapi/v3/apis/gateway.networking.k8s.io/v1";
  const { json } = await api.ask("GET", url);
  const route = json.components.schemas["io.k8s.networking.gateway.v1.HTTPRoute"];
  const { hostnames } = route.properties.spec.properties;
  assertEquals([hostnames.type, hostnames.items.type], ["array", "string"]);
  assert(hostnames.description.length > 20);
});

Deno.test("every built-in kind has texts, Events in the words of each of their groups", async () => {
  const api = new TestKubeApi();
  const { json: core } = await api.ask("GET", "/openapi/v3/api/v1");
  for (const kind of ["ConfigMap", "Event", "Namespace", "Pod", "Secret", "Service"]) {
    const { description, properties } = core.components.schemas[`io.k8s.api.core.v1.${kind}`];
    assert(description.length > 20, kind);
    assert(properties.metadata, kind);
  }
  const event = core.components.schemas["io.k8s.api.core.v1.Event"];
  assert(event.properties.involvedObject.description.length > 20);
  const { json: other } = await api.ask("GET", "/openapi/v3/apis/events.k8s.io/v1");
  const { properties } = other.components.schemas["io.k8s.events.v1.Event"];
  assert(properties.regarding && !properties.involvedObject);
});

Deno.test("a patch takes the parameters that kubectl looks for", async () => {
  const api = new TestKubeApi();
  const { json } = await api.ask("GET", "/openapi/v3/api/v1");
  const { patch } = json.paths["/api/v1/namespaces/{namespace}/services/{name}"];
  const names = patch.parameters.map(({ name }: Json) => name);
  assertEquals(names, ["dryRun", "fieldManager", "fieldValidation", "force"]);
  assertEquals(patch["x-kubernetes-group-version-kind"].kind, "Service");
  const { ports } =
    json.components.schemas["io.k8s.api.core.v1.Service"].properties.spec.properties;
  assertEquals(ports["x-kubernetes-patch-merge-key"], "port");
  assertEquals(ports["x-kubernetes-list-map-keys"], ["port", "protocol"]);
});
