/** What the command line can do, each part loaded when it is called. */

import { systemClock } from "../base/clock.ts";
import type { CliApp, CliContext } from "../cli/context.ts";
import type { ReadCluster } from "./read_cluster_once.ts";
import type { ServeOptions } from "./serve.ts";

/** The program around the commands. */
export interface CliAppOptions extends Pick<CliContext, "io" | "version"> {
  /** The program's entry; see {@linkcode ServeOptions}. */
  readonly entry: URL;
}

/** Makes the application behind the commands. `onReady`: see {@linkcode ServeOptions}. */
export function createCliApp(
  { io, version, entry }: CliAppOptions,
  onReady?: ServeOptions["onReady"],
): CliApp {
  const readCluster: ReadCluster = async (choice, settings) => {
    const { createClusterReader } = await import("./read_cluster_once.ts");
    const options = { clock: systemClock, version: version.weir, stderr: io.stderr };
    return await createClusterReader(options)(choice, settings);
  };
  return {
    async serve(request) {
      const { serve } = await import("./serve.ts");
      return await serve(request, {
        version: version.weir,
        entry,
        writeError: (text) => io.stderr.write(text),
        writeOutput: (text) => io.stdout.write(text),
        ...(onReady ? { onReady } : {}),
      });
    },
    async translate(request) {
      const { translateManifests } = await import("./translate.ts");
      return await translateManifests(request, readCluster);
    },
    async checkCluster({ settings }) {
      const { checkNamedCluster } = await import("./cluster_check.ts");
      return await checkNamedCluster(settings, version.weir);
    },
    async explain(request) {
      const { explainManifests } = await import("./explain.ts");
      return await explainManifests(request, readCluster);
    },
    async explainStatus(request) {
      const { explainStatus } = await import("./explain_status.ts");
      return await explainStatus(request, readCluster);
    },
    async plan(request) {
      const { planManifests } = await import("./plan.ts");
      return await planManifests(request, readCluster);
    },
    async install(request) {
      const { printedManifests } = await import("./install.ts");
      return printedManifests(request, version.weir);
    },
  };
}
