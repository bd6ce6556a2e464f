/**
 * Makes the compact schema files of Kubernetes' own kinds from its OpenAPI v3 documents, which are in
 * its source (`api/openapi-spec/v3`).
 *
 * As `make_schemas.ts` does for the Gateway API: every distinct node once, and the descriptions in a
 * file of their own. The output is a pure function of the input files:
 *
 *     deno run --allow-read --allow-write --ignore-env scripts/make_kubernetes_schemas.ts \
 *       --openapi DIR --release v1.36.3 --out src/localkube/schema
 */

// deno-lint-ignore-file no-console -- A script talks to the terminal.

import { DescriptionTable } from "./description_table.ts";
import { OpenApiFlattener } from "./openapi_flatten.ts";
import { SchemaTable } from "./schema_table.ts";

const usage = "usage: make_kubernetes_schemas.ts --openapi DIR --release VERSION --out DIR";

/** The document of a group and version, what Go calls its package, and the kinds that are taken. */
const sources = [
  {
    apiVersion: "v1",
    file: "api__v1_openapi.json",
    prefix: "io.k8s.api.core.v1",
    kinds: ["ConfigMap", "Event", "Namespace", "Pod", "Secret", "Service"],
  },
  {
    apiVersion: "events.k8s.io/v1",
    file: "apis__events.k8s.io__v1_openapi.json",
    prefix: "io.k8s.api.events.v1",
    kinds: ["Event"],
  },
  {
    apiVersion: "discovery.k8s.io/v1",
    file: "apis__discovery.k8s.io__v1_openapi.json",
    prefix: "io.k8s.api.discovery.v1",
    kinds: ["EndpointSlice"],
  },
  {
    apiVersion: "coordination.k8s.io/v1",
    file: "apis__coordination.k8s.io__v1_openapi.json",
    prefix: "io.k8s.api.coordination.v1",
    kinds: ["Lease"],
  },
] as const;

/** The static defaults, which are code in Kubernetes: `defaults.go` beside each version's types. */
const defaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Service: {
    "spec": {},
    "spec.ports.protocol": "TCP",
    "spec.sessionAffinity": "None",
    "spec.type": "ClusterIP",
  },
  EndpointSlice: { "ports.name": "", "ports.protocol": "TCP" },
  Secret: { "type": "Opaque" },
};

function option(name: string): string | undefined {
  const at = Deno.args.indexOf(`--${name}`);
  return at < 0 ? undefined : Deno.args[at + 1];
}

/** The texts of both files, from the documents in `folder`. */
async function makeSchemas(
  folder: string,
  release: string,
): Promise<{ readonly schemas: string; readonly descriptions: string }> {
  const table = new SchemaTable();
  const descriptions = new DescriptionTable();
  const roots: Record<string, Record<string, { readonly root: number }>> = {};
  for (const { apiVersion, file, prefix, kinds } of sources) {
    const document = JSON.parse(await Deno.readTextFile(`${folder}/${file}`));
    for (const kind of kinds) {
      const flattener = new OpenApiFlattener(document.components.schemas, defaults[kind] ?? {});
      const schema = flattener.root(`${prefix}.${kind}`);
      (roots[apiVersion] ??= {})[kind] = { root: table.add(schema) };
      descriptions.add(`${apiVersion}/${kind}`, schema);
    }
  }
  const provenance = {
    project: "kubernetes/kubernetes",
    version: release,
    licence: "Apache-2.0",
    files: sources.map(({ file }) => `api/openapi-spec/v3/${file}`),
  };
  const { nodes } = table.toJSON();
  return {
    schemas: JSON.stringify({ provenance, kinds: roots, nodes }),
    descriptions: JSON.stringify({ provenance, ...descriptions.toJSON() }),
  };
}

if (import.meta.main) {
  const [folder, release, out] = [option("openapi"), option("release"), option("out")];
  if (folder === undefined || release === undefined || out === undefined) {
    console.error(usage);
    Deno.exit(2);
  }
  const { schemas, descriptions } = await makeSchemas(folder, release);
  await Deno.writeTextFile(`${out}/kubernetes.json`, `${schemas}\n`);
  await Deno.writeTextFile(`${out}/kubernetes_descriptions.json`, `${descriptions}\n`);
}
