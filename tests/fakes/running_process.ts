/**
 * A whole process inside the test, on a folder of manifests, without a data plane: what `weir serve`
 * composes, with its HTTP API on a free port.
 */

import { assertEquals } from "@std/assert";
import { compose } from "../../src/app/compose.ts";
import { systemClock } from "../../src/base/clock.ts";
import { noLog } from "../../src/base/log.ts";
import { decodeSettings } from "../../src/config/decode_settings.ts";
import { flags } from "../../src/config/flags.ts";
import { readArguments } from "../../src/config/read_arguments.ts";
import { localPlanThreads } from "./plan_thread.ts";

/** A process that is ready. */
export interface RunningProcess {
  /** Origin of the HTTP API. */
  readonly api: string;
  /** Writes the manifest `name`. */
  save(name: string, text: string): Promise<void>;
  /** Removes the manifest `name`. */
  remove(name: string): Promise<void>;
  /** Ends the process and waits for it. */
  stop(): Promise<void>;
}

const newId = (): string => crypto.randomUUID();

/** Runs a process with these manifests, by name, for the time of `test`. */
export async function withProcess(
  manifests: Readonly<Record<string, string>>,
  test: (running: RunningProcess) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "weir-process-" });
  const save = (name: string, text: string): Promise<void> =>
    Deno.writeTextFile(`${folder}/${name}.yaml`, text);
  for (const [name, text] of Object.entries(manifests)) await save(name, text);
  const { layer } = readArguments(flags, [
    `--manifests=${folder}`,
    "--data-plane=none",
    "--api-address=127.0.0.1:0",
  ]);
  const composition = compose(decodeSettings(flags, [layer]).settings, {
    clock: systemClock,
    log: noLog,
    random: () => 0.5,
    newId,
    version: "0.0.0-test",
    readTextFile: () => Promise.reject(new Error("no file is named")),
    mayWriteFile: () => Promise.resolve(true),
    writeSecretFile: () => Promise.resolve(),
    writeAccessLog: () => {},
    startPlanThread: localPlanThreads({ clock: systemClock, newUid: newId }),
  });
  const { runner, subsystems } = composition;
  const controller = new AbortController();
  const run = runner.run(subsystems, controller.signal);
  const stop = async (): Promise<void> => {
    controller.abort();
    assertEquals(await run, { ok: true });
  };
  try {
    await runner.untilReady(AbortSignal.timeout(20_000));
    const remove = (name: string): Promise<void> => Deno.remove(`${folder}/${name}.yaml`);
    await test({ api: composition.apiUrl() ?? "", save, remove, stop });
  } finally {
    await stop();
    await Deno.remove(folder, { recursive: true });
  }
}
