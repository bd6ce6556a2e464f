/**
 * The one place where the golden cases meet the program: manifests in, what `weir translate -o json`
 * prints out, with the flags of the case and the manifests on standard input.
 *
 * The result goes through JSON once, so that the cases see what a script would see.
 */

import { createLocalWorld } from "../../../src/app/local_world.ts";
import { manifestsWorld } from "../../../src/app/compute_world.ts";
import { translateWorld } from "../../../src/app/translate.ts";
import { noLog } from "../../../src/base/log.ts";
import { translateFlags } from "../../../src/cli/translate_flags.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import { readInput, readSettings } from "./cases.ts";
import type { TranslateResult } from "./translate_result.ts";

/** Translates the input of the case `name`. */
export async function translateCase(name: string): Promise<TranslateResult> {
  return await translate(name, await readInput(name));
}

/** Translates `text`, the content of one file, with the settings of the case `name`. */
export async function translate(name: string, text: string): Promise<TranslateResult> {
  const settings = await readSettings(translateFlags, name);
  let count = 0;
  const world = createLocalWorld({
    settings,
    paths: ["-"],
    standardInputText: text,
    clock: new FakeClock(),
    log: noLog,
    newUid: () => `uid-${++count}`,
  });
  return JSON.parse(JSON.stringify(await translateWorld(manifestsWorld(world), settings)));
}
