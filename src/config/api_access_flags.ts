/** The flags that say who may use the HTTP API, and the one of those who use it. */

import { list, optional } from "./flag.ts";
import { pathType, stringType } from "./value_type.ts";

/** Flags of the process that serves it. */
export const apiAccessFlags = {
  "api-tokens": optional({
    group: "Process",
    type: pathType,
    help:
      "A YAML file of tokens for the HTTP API and what each may do, with --manifests. With it " +
      "everything but /livez and /readyz needs a token. Without it, and on an address that others " +
      "reach, everything else is refused; a cluster is asked itself who may do what",
  }),
  "api-audiences": list({
    group: "Process",
    item: stringType,
    default: [],
    help: "With a cluster: tokens for the HTTP API have to be for one of these audiences. Empty: " +
      "for the API server's own",
  }),
};

/**
 * Flags of the commands that ask it; they may stand in the environment of every command. A flag with the
 * token itself would show it to every process of the machine.
 */
export const apiClientFlags = {
  "api-token-file": optional({
    group: "Input",
    places: "flag and environment",
    type: pathType,
    help: "A file that holds a token, sent to the weir of --api where it asks who one is",
  }),
};
