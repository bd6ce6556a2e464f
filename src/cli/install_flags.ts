/**
 * The flags of `weir install`: where and how the replicas run, and those of `weir serve` that they get.
 *
 * All of them are given on the command line only, so that equal command lines print equal manifests on
 * every machine.
 */

import { boolean, type Flag, list, optional, scalar, type Settings } from "../config/flag.ts";
import { flags } from "../config/flags.ts";
import { clusterObjectNameType, namespaceNameType } from "../config/network_types.ts";
import { accepted, enumType, integerType, refused, type ValueType } from "../config/value_type.ts";

/** Which Secrets weir may read. */
export type SecretsChoice = "none" | "all" | readonly string[];

const secretsType: ValueType<SecretsChoice> = {
  name: "namespaces",
  metavar: "none|all|NAMESPACE[,…]",
  parse(text) {
    if (text === "none" || text === "all") return accepted(text);
    const names: string[] = [];
    for (const part of text.split(",")) {
      const name = namespaceNameType.parse(part);
      if (!name.ok) return name;
      names.push(name.value);
    }
    return accepted(names);
  },
  format: (value) => typeof value === "string" ? value : value.join(","),
};

const imageType: ValueType<string> = {
  name: "image",
  metavar: "IMAGE",
  parse: (text) =>
    /^[a-z0-9][\w.:/@-]{0,511}$/i.test(text)
      ? accepted(text)
      : refused(`is not an image, wanted for example "registry.example/weir:1.0"`),
  format: (value) => value,
};

/** Flags of `weir serve` that the manifests decide, or that make no sense in a cluster. */
const {
  "manifests": _manifests,
  "dev-certificates": _devCertificates,
  "rescan-interval": _rescanInterval,
  "max-manifest-bytes": _maxManifestBytes,
  "history-max": _historyMax,
  "kubeconfig": _kubeconfig,
  "context": _context,
  "in-cluster": _inCluster,
  "secret-namespaces": _secretNamespaces,
  "leader-election-identity": _identity,
  "api-address": _apiAddress,
  "kube-address": _kubeAddress,
  "kube-tokens": _kubeTokens,
  "write-kubeconfig": _writeKubeconfig,
  "config": _config,
  "print-config": _printConfig,
  ...servedFlags
} = flags;

/** Any address: pods get theirs when they start. */
const anyAddress = { text: "0.0.0.0", family: 4, first: 0n, last: 0n } as const;

const passedOn = {
  ...servedFlags,
  "gateway-addresses": { ...servedFlags["gateway-addresses"], default: [anyAddress] },
  // In a pod of its own a port is free, and one that is shifted is one that nobody leads to.
  "port-shift": { ...servedFlags["port-shift"], default: 0 },
  "data-plane": {
    ...servedFlags["data-plane"],
    help: "What moves the bytes. embedded: the replicas. none: nothing, statuses are computed " +
      "only. envoy: this build cannot serve with it yet",
  },
  "log-format": scalar({ ...servedFlags["log-format"], default: "json" }),
};

/** The flags of `weir serve` that are handed on to the replicas, on the command line only. */
export const passedOnFlags = onCommandLine(passedOn);

function onCommandLine<Table extends Readonly<Record<string, Flag>>>(table: Table): Table {
  const entries = Object.entries(table).map(([name, flag]) => [name, { ...flag, places: "flag" }]);
  // deno-lint-ignore weir/no-cast -- The entries are those of the table, each with one more field.
  return Object.fromEntries(entries) as Table;
}

const workload = { group: "Installation", places: "flag" } as const;

/** Every flag of the command, in the order of help. */
export const installFlags = {
  image: optional({
    ...workload,
    type: imageType,
    help: "The image of the replicas; its entry point is weir. Has to be given",
  }),
  namespace: scalar({
    ...workload,
    short: "n",
    type: namespaceNameType,
    default: "weir-system",
    help: "Where the replicas run",
  }),
  "create-namespace": boolean({
    ...workload,
    default: true,
    help: "Print the Namespace too",
  }),
  replicas: scalar({
    ...workload,
    type: integerType(1, 100),
    default: 2,
    help: "How many replicas run. All serve, one of them writes statuses",
  }),
  secrets: scalar<SecretsChoice>({
    ...workload,
    type: secretsType,
    default: "none",
    help: "Which Secrets weir may read: none, all where it reads at all, or those of these " +
      "namespaces. Listeners with TLS need those that hold their certificates",
  }),
  ports: list({
    ...workload,
    item: integerType(1, 65535),
    default: [80, 443],
    help: "The TCP ports of listeners, which the Service and the NetworkPolicy let through. At " +
      "any other port a listener is reached by nobody",
  }),
  service: scalar({
    ...workload,
    type: enumType(["LoadBalancer", "NodePort", "ClusterIP", "none"]),
    default: "LoadBalancer",
    help: "The type of the Service before the replicas; none: no Service",
  }),
  "metrics-from": optional({
    ...workload,
    type: namespaceNameType,
    help: "The namespace whose pods may reach the HTTP API, to scrape metrics. No pod may, when " +
      "it is left out",
  }),
  "class-name": scalar({
    ...workload,
    type: clusterObjectNameType,
    default: "weir",
    help: "The name of the GatewayClass that is printed. None is with --gateway-class",
  }),
  output: scalar({
    group: "Output",
    short: "o",
    places: "flag",
    type: enumType(["yaml", "json"]),
    default: "yaml",
    help: "How the manifests are printed: documents with comments, or one List",
  }),
  ...passedOnFlags,
};

/** The settings of the command. */
export type InstallSettings = Settings<typeof installFlags>;
