/** The flags of `weir translate`: those of the process that change what is computed, and its own. */

import { clusterFlags } from "../config/cluster_flags.ts";
import { boolean, type Settings } from "../config/flag.ts";
import { flags } from "../config/flags.ts";
import { filenameFlag, outputFlag } from "./output_flags.ts";

/** Flags of the process that change what is computed from manifests. */
export const computeFlags = {
  "controller-name": flags["controller-name"],
  gateways: flags.gateways,
  "gateway-addresses": flags["gateway-addresses"],
  "publish-service": flags["publish-service"],
  "data-plane": flags["data-plane"],
  "allow-external-name": flags["allow-external-name"],
  "dev-certificates": flags["dev-certificates"],
  "certificate-warning-days": flags["certificate-warning-days"],
  "max-manifest-bytes": flags["max-manifest-bytes"],
};

/** Every flag of the command, in the order of help. */
export const translateFlags = {
  filename: filenameFlag,
  output: outputFlag,
  envoy: boolean({
    group: "Output",
    places: "flag",
    help: "Print the resources that an Envoy would be given instead, as YAML or with -o json, " +
      "computed with --data-plane=envoy. Private keys are left out",
  }),
  strict: boolean({
    group: "Output",
    places: "flag",
    help: "Exit with 3 when there is a problem in the input. The result is printed all the same",
  }),
  ...clusterFlags,
  ...computeFlags,
  config: flags.config,
};

/** The settings that the computation is given. */
export type TranslateSettings = Settings<typeof computeFlags>;
