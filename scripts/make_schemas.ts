/**
 * Makes the compact schema files of the local cluster from the Gateway API's CustomResourceDefinitions.
 *
 * The CRDs are more than a megabyte of YAML in which the same sub-schemas are repeated hundreds of
 * times. The result holds every distinct node once (children are indexes into one table), both
 * release channels side by side, the CEL rules with their expressions already parsed, and no
 * descriptions; those go to a second file that is read only when somebody asks for one.
 *
 * Run it again when the Gateway API is upgraded; the output is a pure function of the input files:
 *
 *     deno run --allow-read --allow-write --ignore-env scripts/make_schemas.ts \
 *       --crds DIR --out src/localkube/schema
 */

// deno-lint-ignore-file no-console -- A script talks to the terminal.

import { parse as parseYaml } from "yaml";
import { SchemaTable } from "./schema_table.ts";
import { DescriptionTable } from "./description_table.ts";

const usage = "usage: make_schemas.ts --crds DIR --out DIR (DIR holds experimental/ and standard/)";
const versionAnnotation = "gateway.networking.k8s.io/bundle-version";
const group = "gateway.networking.k8s.io";
/** Experimental first: its nodes get the small indexes, and it is the default channel. */
const channels = ["experimental", "standard"] as const;

/** A part of a CRD that the script reads; everything else of it is ignored. */
interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema: { readonly openAPIV3Schema: Record<string, unknown> };
}

interface Crd {
  readonly kind: string;
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly CrdVersion[];
  };
}

interface VersionEntry {
  readonly root: number;
  readonly deprecationWarning?: string;
}

/** The value of `--name` in `args`. */
function option(args: readonly string[], name: string): string | undefined {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? undefined : args[at + 1];
}

/** The CRDs of the Gateway API's own group in `folder`, by file name. */
async function readCrds(folder: string): Promise<{ readonly file: string; readonly crd: Crd }[]> {
  const names: string[] = [];
  for await (const entry of Deno.readDir(folder)) {
    if (entry.name.startsWith(`${group}_`) && entry.name.endsWith(".yaml")) names.push(entry.name);
  }
  const found = [];
  for (const file of names.sort()) {
    const text = await Deno.readTextFile(`${folder}/${file}`);
    // The folder also holds an admission policy, which is a stream of several documents.
    if (/^kind: ValidatingAdmissionPolicy$/m.test(text)) continue;
    const crd = parseYaml(text) as Crd;
    if (crd.kind === "CustomResourceDefinition" && crd.spec.group === group) {
      found.push({ file, crd });
    }
  }
  return found;
}

function versionEntry(version: CrdVersion, kind: string, table: SchemaTable): VersionEntry {
  const root = table.add(version.schema.openAPIV3Schema);
  if (version.deprecated !== true) return { root };
  return {
    root,
    deprecationWarning: version.deprecationWarning ??
      `${group}/${version.name} ${kind} is deprecated`,
  };
}

/** The one release that all definitions are of. Throws when there are several, or none. */
function releaseOf(crds: readonly Crd[]): string {
  const releases = new Set(crds.map((crd) => crd.metadata.annotations?.[versionAnnotation]));
  const [release] = releases;
  if (releases.size === 1 && release !== undefined) return release;
  throw new Error(`Cannot make schemas: releases ${[...releases].join(", ")}, wanted one`);
}

/** The texts of both files, from the CRDs in `folder`. */
async function makeSchemas(folder: string): Promise<{ schemas: string; descriptions: string }> {
  const files: string[] = [];
  const all: Crd[] = [];
  const table = new SchemaTable();
  const descriptions = new DescriptionTable();
  const roots: Record<string, Record<string, Record<string, VersionEntry>>> = {};
  for (const channel of channels) {
    const kinds: Record<string, Record<string, VersionEntry>> = {};
    for (const { file, crd } of await readCrds(`${folder}/${channel}`)) {
      files.push(`${channel}/${file}`);
      all.push(crd);
      const kind = crd.spec.names.kind;
      const served = crd.spec.versions.filter((version) => version.served);
      kinds[kind] = Object.fromEntries(
        served.map((version) => [version.name, versionEntry(version, kind, table)]),
      );
      // The experimental schema of the newest version describes every field there is.
      const [newest] = served;
      if (channel === "experimental" && newest !== undefined) {
        descriptions.add(kind, newest.schema.openAPIV3Schema);
      }
    }
    roots[channel] = kinds;
  }
  const provenance = {
    project: "kubernetes-sigs/gateway-api",
    version: releaseOf(all),
    licence: "Apache-2.0",
    files,
  };
  return {
    schemas: JSON.stringify({ provenance, channels: roots, ...table.toJSON() }),
    descriptions: JSON.stringify({ provenance, ...descriptions.toJSON() }),
  };
}

if (import.meta.main) {
  const crds = option(Deno.args, "crds");
  const out = option(Deno.args, "out");
  if (crds === undefined || out === undefined) {
    console.error(usage);
    Deno.exit(2);
  }
  const { schemas, descriptions } = await makeSchemas(crds);
  await Deno.writeTextFile(`${out}/gateway_api.json`, `${schemas}\n`);
  await Deno.writeTextFile(`${out}/gateway_api_descriptions.json`, `${descriptions}\n`);
}
