/**
 * Every flag of weir, in one table.
 *
 * Names, environment names and file keys are a contract with scripts: change one only with a decision
 * record and a changelog line. Defaults stand here and nowhere else. What a value means to the part
 * that uses it is said there; here it is said to the person who sets it.
 */

import { logFormats, logLevels } from "../base/log.ts";
import { addressRangeType } from "./address_range.ts";
import { apiAccessFlags } from "./api_access_flags.ts";
import { clusterFlags, clusterWriteFlags } from "./cluster_flags.ts";
import { featureToggleType } from "./features.ts";
import { leaderElectionFlags } from "./leader_election_flags.ts";
import { boolean, duration, list, optional, paths, scalar, type Settings } from "./flag.ts";
import {
  controllerNameType,
  hostPatternType,
  hostPortType,
  objectNameType,
} from "./network_types.ts";
import { proxyFlags } from "./proxy_flags.ts";
import { gibibyte, hour, kibibyte, mebibyte, minute, second } from "./units.ts";
import { bytesType, enumType, integerType, pathType } from "./value_type.ts";

/** 127.0.0.1, as {@linkcode addressRangeType} reads it. */
const loopback = { text: "127.0.0.1", family: 4, first: 0x7f000001n, last: 0x7f000001n } as const;

const sourceFlags = {
  manifests: paths({
    group: "Manifests",
    help:
      "A file or folder of Kubernetes manifests (YAML or JSON) to serve without a cluster, or - " +
      "for standard input. May be given several times. Changes on disk take effect at once",
  }),
  "dev-certificates": boolean({
    group: "Manifests",
    help: "Issue the TLS Secrets that listeners name and no manifest defines, from a development " +
      "authority in memory. Not for production: no client trusts it by itself",
  }),
  "rescan-interval": duration({
    group: "Manifests",
    default: 5 * second,
    min: 100,
    max: hour,
    help: "How often the manifests are read again, for changes that the file system does not " +
      "report, such as an edited target of a symbolic link",
  }),
  "max-manifest-bytes": scalar({
    group: "Manifests",
    type: bytesType(kibibyte, gibibyte),
    default: 16 * mebibyte,
    help: "The largest manifest file that is read. A larger one is a problem of that file; the " +
      "others are still served",
  }),
  "history-max": scalar({
    group: "Manifests",
    type: integerType(1, 10_000_000),
    default: 10_000,
    help: "How many changes the local cluster keeps for watches that reconnect. A watch that is " +
      "further behind is answered 410 and lists again",
  }),
};

const gatewayFlags = {
  "controller-name": scalar({
    group: "Gateways",
    type: controllerNameType,
    default: "weir.dev/gateway-controller",
    help: "Serve the GatewayClasses with this spec.controllerName",
  }),
  gateways: list({
    group: "Gateways",
    item: objectNameType,
    default: [],
    help: "Serve only these Gateways. Empty: every Gateway of the GatewayClasses that are served",
  }),
  "gateway-addresses": list({
    group: "Gateways",
    item: addressRangeType,
    default: [loopback],
    help:
      "The addresses that Gateways may have: single ones, ranges FIRST-LAST, CIDR blocks. One " +
      "for each Gateway while they last, then shared",
  }),
  "publish-service": optional({
    group: "Gateways",
    type: objectNameType,
    help:
      "The Service before this data plane: the statuses of Gateways have the addresses of its " +
      "load balancer (its cluster IP with type ClusterIP) instead of those that are listened on. " +
      "Its namespace has to be read",
  }),
  "port-shift": scalar({
    group: "Gateways",
    type: integerType(0, 65535),
    default: 18_000,
    help: "Added to a listener's port that may not be bound: below 1024 without the right to, or " +
      "taken (80 becomes 18080). 0: never, such a listener is not served",
  }),
  "data-plane": scalar({
    group: "Gateways",
    type: enumType(["embedded", "envoy", "none"]),
    default: "embedded",
    help: "What moves the bytes. embedded: this process. none: nothing, statuses are computed " +
      "only. envoy: for commands that compute without traffic, and with --features=-proxy, the " +
      "statuses as with Envoy; this build cannot serve with it yet",
  }),
  "allow-external-name": boolean({
    group: "Gateways",
    help:
      "Let routes lead to Services of type ExternalName. Whoever may write a Service can then " +
      "send requests to any host that this machine reaches",
  }),
  "recompute-quiet": duration({
    group: "Gateways",
    default: 2,
    min: 0,
    max: 10 * second,
    help: "Compute a new revision when no change has arrived for so long",
  }),
  "recompute-max": duration({
    group: "Gateways",
    default: 25,
    min: 0,
    max: minute,
    help: "Compute a new revision at the latest so long after the first change, while more arrive",
  }),
  "certificate-warning-days": scalar({
    group: "Gateways",
    type: integerType(0, 3650),
    default: 30,
    help: "Warn of a certificate in use so many days before it expires, but not before the last " +
      "quarter of its life",
  }),
  "check-incremental": boolean({
    group: "Gateways",
    help:
      "After each revision compute the outputs of one Gateway, in turn, once more from scratch. " +
      "A difference is a fault of weir: it is logged, counted, and everything is computed anew",
  }),
};

const processFlags = {
  "api-address": scalar({
    group: "Process",
    type: hostPortType,
    default: { host: "127.0.0.1", port: 9080 },
    help:
      "Where the HTTP API, health and metrics are served. Port 0: a free one, see the ready line",
  }),
  ...apiAccessFlags,
  "kube-address": scalar({
    group: "Process",
    type: hostPortType,
    default: { host: "127.0.0.1", port: 9082 },
    help:
      "Where the Kubernetes API of the local cluster is served, with feature local-api. Port 0: " +
      "a free one, see the ready line",
  }),
  "kube-tokens": optional({
    group: "Process",
    type: pathType,
    help: "A YAML file of tokens for the Kubernetes API and what each may do. With it, and on an " +
      "address that others reach, the API has TLS and denies whoever has no token",
  }),
  "write-kubeconfig": optional({
    group: "Process",
    type: pathType,
    help:
      "Where a kubeconfig for the Kubernetes API is written once it answers, or - for standard " +
      "output. Where tokens are asked for it has one that may do everything while the process runs",
  }),
  "allowed-hosts": list({
    group: "Process",
    item: hostPatternType,
    default: [],
    help:
      "Host names, besides loopback ones, that the HTTP API and the Kubernetes API answer to. " +
      "Others are refused (DNS rebinding)",
  }),
  features: list({
    group: "Process",
    item: featureToggleType,
    default: [],
    help: "Features to switch on (+NAME) or off (-NAME), on top of their defaults",
  }),
  "drain-timeout": duration({
    group: "Process",
    default: 10 * second,
    min: 0,
    max: hour,
    help: "How long requests in flight may take to finish after SIGTERM or SIGINT",
  }),
  "log-format": scalar({
    group: "Process",
    type: enumType(logFormats),
    default: "text",
    help: "The form of log records on stderr, one per line",
  }),
  "log-level": scalar({
    group: "Process",
    type: enumType(logLevels),
    default: "info",
    help: "The least important records that are logged",
  }),
  config: optional({
    group: "Process",
    type: pathType,
    places: "flag and environment",
    help: "A YAML file with settings; its keys are the names of flags without the dashes",
  }),
  "print-config": boolean({
    group: "Process",
    places: "flag",
    help: "Print every setting and where it comes from, as a file for --config, and exit",
  }),
};

/** Every flag of `weir serve`, in the order of help. Other commands pick from it. */
export const flags = {
  ...sourceFlags,
  ...clusterFlags,
  ...clusterWriteFlags,
  ...leaderElectionFlags,
  ...gatewayFlags,
  ...proxyFlags,
  ...processFlags,
};

/** The name of a flag. */
export type FlagName = keyof typeof flags;

/** Every setting of the process. Deep-frozen. Parts of the process are given their slice of it. */
export type Config = Settings<typeof flags>;
