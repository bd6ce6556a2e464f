/**
 * What a user would lose if these failed: their private keys and passwords, to everybody who can
 * reach the API. A Secret and a ConfigMap are planted with values in every place that can hold one, and
 * every byte of every answer is searched, headers and log included.
 */

import { assert, assertEquals } from "@std/assert";
import { createTestApi, plantedSecrets, type TestApi } from "../../fakes/http_api.ts";

/** Fails when a planted value stands in `text`. */
function assertClean(text: string, where: string): void {
  for (const secret of plantedSecrets) assert(!text.includes(secret), `${where} holds ${secret}`);
}

/** Every GET route with its parameters filled in, and as many spellings as there are. */
function pathsOf(api: TestApi): string[] {
  const paths = new Set<string>();
  for (const { path } of api.app.routes) {
    for (const kind of ["secrets", "Secret", "SECRET", "configmaps", "ConfigMap", "cm"]) {
      paths.add(
        path.replace(":kind", kind).replace(":namespace", "default").replace(":name", "planted")
          .replace("/*", "/"),
      );
    }
  }
  return [
    ...paths,
    "/api/v1/state/secrets?namespace=default&limit=1",
    "/api/v1/state/configmaps?namespace=default&limit=1",
    "/api/v1/explain/request?host=shop.example.com&path=/&port=443",
    "/readyz?verbose",
  ];
}

Deno.test("No answer holds a value of a Secret or of a ConfigMap", async () => {
  const api = createTestApi();
  api.problems.push({
    source: "a.yaml:1",
    object: "Secret default/planted",
    field: "data[tls.key]",
    message: `Invalid value: ${plantedSecrets[0]}: illegal base64 data at input byte 7`,
  }, {
    source: "a.yaml:1",
    object: "Secret default/planted",
    field: "",
    message: `Decode: unexpected "${plantedSecrets[1]}" and "a \\"${plantedSecrets[0]}\\""`,
  });
  api.problems.push({
    source: "a.yaml:1",
    object: "ConfigMap default/planted",
    field: "binaryData[blob]",
    message: `Invalid value: ${plantedSecrets[0]}: illegal base64 data at input byte 7`,
  });
  const paths = pathsOf(api);
  assert(paths.includes("/api/v1/state/secrets/default/planted"), paths.join(" "));
  for (const path of paths) {
    for (const accept of ["*/*", "application/json", "text/html"]) {
      const response = await api.app.request(path, { headers: { accept } });
      assertClean(JSON.stringify([...response.headers]), path);
      assertClean(await response.text(), path);
    }
  }
  assertClean(JSON.stringify(api.log.records), "the log");
});

Deno.test("A Secret is shown with its keys, so that a missing one can be found", async () => {
  const { app } = createTestApi();
  const response = await app.request("/api/v1/state/secrets/default/planted");
  const { metadata, ...rest } = await response.json();
  assertEquals(rest, {
    apiVersion: "v1",
    kind: "Secret",
    type: "kubernetes.io/tls",
    data: { "tls.crt": "[redacted]", "tls.key": "[redacted]" },
    stringData: { password: "[redacted]" },
  });
  assertEquals(metadata.labels, { app: "shop" });
  assertEquals(metadata.annotations, {
    "kubectl.kubernetes.io/last-applied-configuration": "[redacted]",
    "example.com/note": "[redacted]",
  });
  assertEquals([metadata.namespace, metadata.name], ["default", "planted"]);
});

Deno.test("A ConfigMap is shown with its keys as well, and nothing else that it holds", async () => {
  const { app } = createTestApi();
  const response = await app.request("/api/v1/state/configmaps/default/planted");
  const { metadata: _, ...rest } = await response.json();
  assertEquals(rest, {
    apiVersion: "v1",
    kind: "ConfigMap",
    data: { "ca.crt": "[redacted]" },
    binaryData: { blob: "[redacted]" },
  });
});
