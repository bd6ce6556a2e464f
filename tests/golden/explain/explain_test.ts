/**
 * `weir explain KIND NAME` on whole folders. What a user would lose: an explanation that can be read,
 * and one for every condition that there is.
 *
 * Revisions and times are masked. After a wanted change, with the folder of the case as $CASE:
 * `deno task -q weir explain -f $CASE/input.yaml $(cat $CASE/object) | sed -E
 * 's/[0-9-]+T[0-9:]+Z +[0-9]+/TIME/; s/revision 0.[0-9]+/revision/' > $CASE/expected.txt`
 */

import { assert, assertEquals } from "@std/assert";
import { explainStatus } from "../../../src/app/explain_status.ts";
import { translateManifests } from "../../../src/app/translate.ts";
import { explainFlags } from "../../../src/cli/explain_flags.ts";
import { readObjectWords } from "../../../src/cli/object_words.ts";
import { statusExplanationText } from "../../../src/cli/status_explanation_text.ts";
import { decodeSettings } from "../../../src/config/decode_settings.ts";
import { flags } from "../../../src/config/flags.ts";
import type { ExplainStatusRequest } from "../../../src/cli/context.ts";
import type { ConditionExplanation, StatusExplanation } from "../../../src/api/explain_status.ts";

const folder = new URL(".", import.meta.url);
const cases = [...Deno.readDirSync(folder)].filter(({ isDirectory }) => isDirectory)
  .map(({ name }) => name).sort();
const { settings } = decodeSettings(explainFlags, []);

function question(input: string, words: string): ExplainStatusRequest {
  const object = readObjectWords(words.trim().split(" "));
  assert(!("fault" in object), words);
  return { inputs: [new URL(input, folder).pathname], settings, object, namespace: "default" };
}

function mask(text: string): string {
  return text.replaceAll(/[\d-]+T[\d:]+Z +\d+/g, "TIME").replace(/revision 0\.\d+/, "revision");
}

for (const name of cases) {
  Deno.test(`weir explain prints case ${name}`, async () => {
    const read = (file: string) => Deno.readTextFile(new URL(`${name}/${file}`, folder));
    const request = question(`${name}/input.yaml`, await read("object"));
    const { explanation } = await explainStatus(request);
    assertEquals(mask(statusExplanationText(explanation, 80)), await read("expected.txt"));
  });
}

/** Every condition of an explanation, as `Type=Status Reason`. */
function conditionsOf(explanation: StatusExplanation): readonly ConditionExplanation[] {
  const { conditions, listeners = [], parents = [], ancestors = [] } = explanation;
  return [
    ...conditions,
    ...[...listeners, ...parents, ...ancestors].flatMap((one) => one.conditions),
  ];
}

/** The same of a status as the API has it. */
function valuesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(valuesIn);
  if (typeof value !== "object" || value === null) return [];
  if ("type" in value && "status" in value && "reason" in value) {
    return [`${value.type}=${value.status} ${value.reason}`];
  }
  return Object.values(value).flatMap(valuesIn);
}

Deno.test("weir explain explains every condition of the quickstart that weir translate prints", async () => {
  const input = "../../../examples/quickstart";
  const { pathname } = new URL(input, folder);
  const translated = decodeSettings(flags, []).settings;
  const { statuses } = await translateManifests({ inputs: [pathname], settings: translated });
  assert(statuses.length > 3);
  for (const { kind, metadata: { namespace, name }, status } of statuses) {
    const place = namespace === undefined ? name : `${namespace}/${name}`;
    const { explanation } = await explainStatus(question(input, `${kind} ${place}`));
    const explained = conditionsOf(explanation);
    assertEquals(
      explained.map(({ type, status, reason }) => `${type}=${status} ${reason}`).sort(),
      [...valuesIn(status)].sort(),
      `${kind} ${place}`,
    );
    for (const { because, chain, type } of explained) {
      assert(because.length > 0 && chain.at(-1)?.step === "input", `${kind} ${place} ${type}`);
    }
  }
});
