/** `weir install`: the manifests that run weir in a cluster, for `kubectl apply`. */

import { checkSettings } from "../config/check_settings.ts";
import { flagArguments } from "../config/flag_arguments.ts";
import { flags } from "../config/flags.ts";
import type { ConfigFault } from "../config/given.ts";
import { formatHostPort } from "../base/ip_address.ts";
import {
  type CliContext,
  type Command,
  exitCodes,
  type InstallManifest,
  type InstallRequest,
} from "./context.ts";
import { installFlags, type InstallSettings, passedOnFlags } from "./install_flags.ts";
import { loadSettings } from "./load_settings.ts";
import { printObject } from "./print_object.ts";
import { usageError } from "./usage_error.ts";
import { wrap } from "./wrap.ts";

/** See `weir help install`. */
export const installCommand = {
  name: "install",
  usage: "--image IMAGE [flags]",
  description: [
    "Prints the manifests that run weir in a cluster: Namespace, ServiceAccount, roles with " +
    "nothing but the rights that weir uses, Service, NetworkPolicy, Deployment, " +
    "PodDisruptionBudget and GatewayClass. Nothing is sent anywhere; the CRDs of the Gateway API " +
    "are not among them.",
    "The same flags print the same bytes. Flags of weir serve that are given here are handed on " +
    "to the replicas. weir reads no Secret unless --secrets says so.",
  ],
  examples: [
    ["weir install --image IMAGE --secrets all | kubectl apply -f -", "Install, for all Gateways:"],
    [
      "weir install --image IMAGE --namespaces shop,blog --secrets shop",
      "Serve two namespaces, with certificates of one:",
    ],
    [
      "weir install --image IMAGE -n shop --namespaces shop --gateway-class weir",
      "For who has rights in one namespace only (with --no-create-namespace where it exists):",
    ],
  ],
  flags: installFlags,
  run: runInstall,
} as const satisfies Command;

type ServedSettings = Omit<InstallRequest["settings"], "image"> & Pick<InstallSettings, "image">;

const apiPort = 9080;
/** The name of the Service that is printed. */
const installedService = "weir";
const commentColumns = 100;

async function runInstall(args: readonly string[], context: CliContext): Promise<number> {
  const loaded = await loadSettings(
    installCommand,
    args,
    context,
    (argument) => `wanted "weir install --image ${argument}" for an image`,
  );
  if (!loaded.ok) return loaded.exitCode;
  const settings = withSecrets(loaded.settings);
  const { image } = settings;
  const faults = faultsOf(settings);
  if (image === undefined || faults.length > 0) return usageError(context, "install", faults);
  const manifests = await context.app.install({
    settings: { ...settings, image },
    arguments: serveArguments(settings),
    apiPort,
  });
  context.io.stdout.write(
    settings.output === "json"
      ? await printObject(listOf(manifests), "json")
      : await printDocuments(manifests),
  );
  return exitCodes.ok;
}

function faultsOf(settings: InstallSettings): readonly ConfigFault[] {
  const faults: ConfigFault[] = checkSettings({ ...settings, inCluster: true })
    .map(({ flag, message }) => ({ where: `--${flag}`, message }));
  if (settings.image === undefined) {
    faults.push({
      where: "--image",
      message: "is not given, wanted an image whose entry point is weir",
    });
  }
  if (settings.dataPlane === "envoy") {
    faults.push({
      where: "--data-plane",
      message: `"envoy" cannot be served with: this build has no Envoy data plane yet, ` +
        `wanted "embedded" or "none"`,
    });
  }
  if (settings.dataPlane === "embedded" && settings.ports.length === 0) {
    const message = "is empty, wanted the ports of listeners, or --data-plane=none";
    faults.push({ where: "--ports", message });
  }
  if (settings.ports.includes(apiPort)) {
    faults.push({ where: "--ports", message: `has ${apiPort}, which is the HTTP API's` });
  }
  if (new Set(settings.ports).size < settings.ports.length) {
    faults.push({ where: "--ports", message: "has a port twice" });
  }
  return faults;
}

/** What `--secrets` means in the words of `weir serve`. */
function withSecrets(settings: InstallSettings): ServedSettings {
  const { secrets, without } = settings;
  const isSecretless = secrets === "none" && !without.includes("Secret");
  return {
    ...settings,
    without: isSecretless ? [...without, "Secret"] : without,
    secretNamespaces: typeof secrets === "string" ? [] : secrets,
  };
}

/** What the replicas are started with: `serve` and what is not its default. */
function serveArguments(settings: ServedSettings): readonly string[] {
  return [
    "serve",
    "--in-cluster",
    `--api-address=${formatHostPort("0.0.0.0", apiPort)}`,
    ...flagArguments(
      { ...passedOnFlags, "secret-namespaces": flags["secret-namespaces"] },
      withPublishing(settings),
      flags,
    ),
  ];
}

/** The statuses of Gateways name what stands before the replicas, where that has an address. */
function withPublishing(settings: ServedSettings): ServedSettings {
  const { publishService, dataPlane, service, namespace, namespaces } = settings;
  const hasAddress = service === "LoadBalancer" || service === "ClusterIP";
  const isRead = namespaces.length === 0 || namespaces.includes(namespace);
  if (publishService !== undefined || dataPlane !== "embedded" || !hasAddress || !isRead) {
    return settings;
  }
  return { ...settings, publishService: `${namespace}/${installedService}` };
}

function listOf(manifests: readonly InstallManifest[]) {
  return { apiVersion: "v1", kind: "List", items: manifests.map(({ object }) => object) };
}

async function printDocuments(manifests: readonly InstallManifest[]): Promise<string> {
  let text = "";
  for (const { comment, object } of manifests) {
    text += `---\n${wrap(comment, commentColumns, "# ")}\n${await printObject(object, "yaml")}`;
  }
  return text;
}
