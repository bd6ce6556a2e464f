/**
 * Makes the compact schema files of the local cluster from the Gateway API's CustomResourceDefinitions.
 *
 * The CRDs are more than a megabyte of YAML in which the same sub-schemas are repeated hundreds of
 * times. The result holds every distinct node once (children are indexes into one table), both
 * release channels side by side, the CEL rules with their expressions already parsed, and no
 * descriptions; those go to a second file that is read only when somebody asks for one.
 *
 * Run it again when the Gateway API is upgraded; the output is a pure function of the input files.
 */

import { parse as parseYaml } from "yaml";
import { SchemaTable } from "./schema_table.ts";
import { DescriptionTable } from "./description_table.ts";

const usage = "usage: make_schemas.ts --crds DIR --version vX.Y.Z --out DIR";
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

/** The value of `--name` in `args`; ends the process with the usage when it is missing. */
function option(args: readonly string[], name: string): string {
  const value = args[args.indexOf(`--${name}`) + 1];
  if (!args.includes(`--${name}`) || value === undefined) throw new Error(usage);
  return value;
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

async function main(args: readonly string[]): Promise<void> {
  const crds = option(args, "crds");
  const release = option(args, "version");
  const out = option(args, "out");
  const provenance = {
    project: "kubernetes-sigs/gateway-api",
    version: release,
    licence: "Apache-2.0",
    files: [] as string[],
  };
  const table = new SchemaTable();
  const descriptions = new DescriptionTable();
  const roots: Record<string, Record<string, Record<string, VersionEntry>>> = {};
  for (const channel of channels) {
    const kinds: Record<string, Record<string, VersionEntry>> = {};
    for (const { file, crd } of await readCrds(`${crds}/${channel}`)) {
      provenance.files.push(`${channel}/${file}`);
      const kind = crd.spec.names.kind;
      const versions: Record<string, VersionEntry> = {};
      for (const version of crd.spec.versions) {
        if (!version.served) continue;
        versions[version.name] = versionEntry(version, kind, table);
        // The experimental schema of the newest version describes every field there is.
        if (channel === "experimental" && version.name === crd.spec.versions[0]?.name) {
          descriptions.add(kind, version.schema.openAPIV3Schema);
        }
      }
      kinds[kind] = versions;
    }
    roots[channel] = kinds;
  }
  const schema = { provenance, channels: roots, ...table.toJSON() };
  await Deno.writeTextFile(`${out}/gateway_api.json`, `${JSON.stringify(schema)}\n`);
  const described = { provenance, ...descriptions.toJSON() };
  await Deno.writeTextFile(
    `${out}/gateway_api_descriptions.json`,
    `${JSON.stringify(described)}\n`,
  );
}

if (import.meta.main) await main(Deno.args);
