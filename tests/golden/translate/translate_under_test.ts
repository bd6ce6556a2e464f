/**
 * The one place where the golden cases meet the program: manifests in, what `weir translate -o json`
 * prints out, with every setting at its default and the manifests on standard input.
 *
 * The result goes through JSON once, so that the cases see what a script would see.
 */

import { createLocalWorld } from "../../../src/app/local_world.ts";
import { translateWorld } from "../../../src/app/translate.ts";
import { noLog } from "../../../src/base/log.ts";
import { translateFlags } from "../../../src/cli/translate_flags.ts";
import { decodeSettings } from "../../../src/config/decode_settings.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import type { TranslateResult } from "./translate_result.ts";

const { settings } = decodeSettings(translateFlags, []);

/** Translates `text`, the content of one file. */
export async function translate(text: string): Promise<TranslateResult> {
  let count = 0;
  const world = createLocalWorld({
    settings,
    paths: ["-"],
    standardInputText: text,
    clock: new FakeClock(),
    log: noLog,
    newUid: () => `uid-${++count}`,
  });
  return JSON.parse(JSON.stringify(await translateWorld(world, settings)));
}
