/**
 * The schemas of all kinds, by apiVersion and kind.
 *
 * There is a file of the Gateway API and one of Kubernetes' own kinds. Each is parsed when the first
 * of its kinds is asked for, a kind's nodes are built when the kind is asked for, and a rule is planned
 * when it is first evaluated.
 */

import gatewayApiText from "../schema/gateway_api.json" with { type: "text" };
import kubernetesText from "../schema/kubernetes.json" with { type: "text" };
import type { CelEnv } from "@bufbuild/cel";
import { CelProgram, createCelEnv } from "./cel_program.ts";
import { decodeKubernetesSchemaFile, decodeSchemaFile } from "./decode_schema_file.ts";
import type { Re2Patterns } from "./re2_patterns.ts";
import type { KubernetesSchemaFile, RawVersion, SchemaFile } from "./schema_file.ts";
import { SchemaBuilder, type SchemaNode } from "./schema_node.ts";

/** The release channel whose fields, kinds and versions exist. */
export type Channel = "experimental" | "standard";

/** The schema of one version of a kind. */
export interface KindSchema {
  readonly root: SchemaNode;
  readonly deprecationWarning: string | undefined;
}

const gatewayApiGroup = "gateway.networking.k8s.io";

/** Finds schemas. */
export class SchemaCatalog {
  readonly #channel: Channel;
  readonly #patterns: Re2Patterns;
  readonly #schemas = new Map<string, KindSchema | undefined>();
  readonly #programs = new Map<number, CelProgram>();
  #file: SchemaFile | undefined;
  #gatewayApi: SchemaBuilder | undefined;
  #kubernetesFile: KubernetesSchemaFile | undefined;
  #kubernetes: SchemaBuilder | undefined;
  #env: CelEnv | undefined;

  constructor(channel: Channel, patterns: Re2Patterns) {
    this.#channel = channel;
    this.#patterns = patterns;
  }

  /** The schema of `kind` in `apiVersion`; undefined when that version is not served. */
  find(apiVersion: string, kind: string): KindSchema | undefined {
    const id = `${apiVersion}/${kind}`;
    const known = this.#schemas.get(id);
    if (known !== undefined) return known;
    const slash = apiVersion.lastIndexOf("/");
    const found = this.#load(
      apiVersion.slice(0, Math.max(slash, 0)),
      apiVersion.slice(slash + 1),
      kind,
    );
    if (found !== undefined) this.#schemas.set(id, found);
    return found;
  }

  #load(group: string, version: string, kind: string): KindSchema | undefined {
    if (group === gatewayApiGroup) {
      const file = this.#file ??= decodeSchemaFile(gatewayApiText);
      this.#gatewayApi ??= new SchemaBuilder(file, (index) => this.#program(file, index));
      return toSchema(file.channels[this.#channel][kind]?.[version], this.#gatewayApi);
    }
    const file = this.#kubernetesFile ??= decodeKubernetesSchemaFile(kubernetesText);
    this.#kubernetes ??= new SchemaBuilder({ nodes: file.nodes, rules: [] }, () => {
      throw new RangeError("Cannot find a CEL expression: Kubernetes' own kinds have none");
    });
    const served = file.kinds[group === "" ? version : `${group}/${version}`] ?? {};
    return toSchema(Object.hasOwn(served, kind) ? served[kind] : undefined, this.#kubernetes);
  }

  #program(file: SchemaFile, index: number): CelProgram {
    const known = this.#programs.get(index);
    if (known !== undefined) return known;
    const expression = file.expressions[index];
    if (expression === undefined) {
      throw new RangeError(`Cannot find CEL expression ${index}: out of range`);
    }
    const made = new CelProgram(expression, () => this.#env ??= createCelEnv(this.#patterns));
    this.#programs.set(index, made);
    return made;
  }
}

function toSchema(version: RawVersion | undefined, builder: SchemaBuilder): KindSchema | undefined {
  return version === undefined
    ? undefined
    : { root: builder.node(version.root), deprecationWarning: version.deprecationWarning };
}
