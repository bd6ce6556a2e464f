/** `weir serve`: settings, log, and over to the application. */

import { openLog } from "../base/log.ts";
import { namesCluster } from "../config/cluster_flags.ts";
import { enabledFeatures } from "../config/features.ts";
import { type Config, flags } from "../config/flags.ts";
import { whereToChange } from "../config/given.ts";
import { printConfig } from "../config/print_config.ts";
import { type CliContext, type Command, exitCodes } from "./context.ts";
import { loadSettings } from "./load_settings.ts";
import { usageError } from "./usage_error.ts";

/** See `weir help serve`. */
export const serveCommand = {
  name: "serve",
  usage: "--manifests PATH|--kubeconfig FILE|--in-cluster [flags]",
  description: [
    "Runs the control plane and its data plane: reads Gateways, routes and what they refer to, " +
    "computes their statuses, and serves their traffic.",
    "When everything is ready, exactly one line on stderr says so: " +
    "ready api=URL kube=URL|- revision=N. SIGTERM and SIGINT finish the requests in flight and " +
    "exit with 0; a second signal exits at once.",
  ],
  examples: [
    ["weir serve --manifests ./gateway", "Serve a folder, and follow its changes:"],
    ["weir serve --kubeconfig ~/.kube/config --context dev", "Serve what a cluster says:"],
    ["weir serve --manifests ./gateway --print-config", "See every setting and its origin:"],
  ],
  flags,
  run: runServe,
} as const satisfies Command;

async function runServe(args: readonly string[], context: CliContext): Promise<number> {
  const loaded = await loadSettings(
    serveCommand,
    args,
    context,
    (argument) => `wanted "weir serve --manifests ${argument}" to serve manifests`,
  );
  if (!loaded.ok) return loaded.exitCode;
  const { warnings } = loaded;
  const config = inPodByItself(loaded.settings, context);
  if (config.printConfig) {
    context.io.stdout.write(printConfig(flags, config, loaded.origins));
    return exitCodes.ok;
  }
  // Without the proxy nothing is promised to be served, only computed.
  if (config.dataPlane === "envoy" && enabledFeatures(config.features).has("proxy")) {
    const origin = loaded.origins.get("data-plane") ?? { place: "default" };
    return usageError(context, "serve", [{
      where: whereToChange("data-plane", origin),
      message: noEnvoy,
    }]);
  }
  if (
    config.manifests.length === 0 && !namesCluster(config) &&
    enabledFeatures(config.features).has("gateway")
  ) {
    context.io.stderr.write(nothingToServe);
    return exitCodes.usage;
  }
  const log = openLog({
    format: config.logFormat,
    level: config.logLevel,
    write: (line) => context.io.stderr.write(line),
  });
  for (const warning of warnings) log.warn("Configuration is suspicious", { warning });
  return await context.app.serve({ config, log });
}

/** In a pod, the pod's cluster is served when nothing else is named; elsewhere nothing is guessed. */
function inPodByItself(config: Config, { io }: CliContext): Config {
  if (config.manifests.length > 0 || namesCluster(config)) return config;
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = io.environment([
    "KUBERNETES_SERVICE_HOST",
    "KUBERNETES_SERVICE_PORT",
  ]);
  return host && port ? Object.freeze({ ...config, inCluster: true }) : config;
}

const noEnvoy = `"envoy" cannot be served with: this build has no Envoy data plane yet, ` +
  `wanted "embedded" or "none", or --features=-proxy for statuses only`;

const nothingToServe =
  `weir serve: there is nothing to serve, wanted --manifests PATH or --kubeconfig FILE

Serve the Gateway API objects in a file or folder:
  weir serve --manifests PATH
Serve those of a cluster, in the current context of a kubeconfig or in another one:
  weir serve --kubeconfig FILE [--context NAME]
Serve those of the cluster around a pod, which is done by itself in a pod:
  weir serve --in-cluster
Let listeners have certificates from a development authority:
  weir serve --manifests PATH --dev-certificates
See what would be served, without serving it:
  weir translate -f PATH
The folder may also come from WEIR_MANIFESTS or from a file given with --config.
Run "weir help serve" for all flags.
`;
