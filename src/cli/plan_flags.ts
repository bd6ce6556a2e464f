/** The flags of `weir plan`. */

import { clusterFlags } from "../config/cluster_flags.ts";
import { boolean, each, paths, scalar } from "../config/flag.ts";
import { apiClientFlags } from "../config/api_access_flags.ts";
import { flags } from "../config/flags.ts";
import { enumType, stringType } from "../config/value_type.ts";
import { apiFlag } from "./api_flag.ts";
import { filenameFlag, textOutputFlag } from "./output_flags.ts";
import { computeFlags } from "./translate_flags.ts";

/** Every flag of the command, in the order of help. */
export const planFlags = {
  filename: filenameFlag,
  against: paths({
    group: "Input",
    places: "flag",
    help: "A file or folder of what there is now. Nothing, when it is left out. May be given " +
      "several times",
  }),
  api: apiFlag("Plan over the objects of the running weir whose HTTP API is at this URL"),
  ...apiClientFlags,
  ...clusterFlags,
  prune: boolean({
    group: "Input",
    places: "flag",
    help: "Delete what --against has and -f has not, as when one folder replaces the other",
  }),
  delete: each({
    group: "Input",
    places: "flag",
    item: { ...stringType, name: "object", metavar: "KIND/NAMESPACE/NAME" },
    help: "An object that would be deleted. May be given several times",
  }),
  output: textOutputFlag("How the plan is printed"),
  "fail-on": scalar({
    group: "Output",
    places: "flag",
    type: enumType(["worse", "any", "none"]),
    default: "worse",
    help: "Exit with 1 when something gets worse, when anything changes at all, or never",
  }),
  ...computeFlags,
  config: flags.config,
};
