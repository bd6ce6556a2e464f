/**
 * Reads the schema files that `scripts/make_schemas.ts` and its sibling for Kubernetes wrote.
 *
 * They are part of the program, so their form is trusted here; a test reads them whole.
 */

import type { KubernetesSchemaFile, SchemaFile } from "./schema_file.ts";

/** The schema file in `text`. Throws SyntaxError when it is not JSON. */
export function decodeSchemaFile(text: string): SchemaFile {
  return JSON.parse(text) as SchemaFile;
}

/** The file of Kubernetes' own kinds in `text`. Throws SyntaxError when it is not JSON. */
export function decodeKubernetesSchemaFile(text: string): KubernetesSchemaFile {
  return JSON.parse(text) as KubernetesSchemaFile;
}
