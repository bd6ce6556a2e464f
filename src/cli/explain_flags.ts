/** The flags of `weir explain`: what is asked about, and what changes the answer. */

import {
  type HeaderLine,
  readGateway,
  readHeader,
  readHost,
  type Reading,
  readMethod,
  readPath,
} from "../api/request_question.ts";
import { clusterFlags } from "../config/cluster_flags.ts";
import { each, optional, scalar, type Settings } from "../config/flag.ts";
import { apiClientFlags } from "../config/api_access_flags.ts";
import { flags } from "../config/flags.ts";
import { accepted, enumType, integerType, refused, type ValueType } from "../config/value_type.ts";
import { apiFlag } from "./api_flag.ts";
import { filenameFlag } from "./output_flags.ts";
import { computeFlags } from "./translate_flags.ts";

function readingType<T>(
  name: string,
  metavar: string,
  read: (text: string) => Reading<T>,
  format: (value: T) => string,
): ValueType<T> {
  return {
    name,
    metavar,
    parse(text) {
      const reading = read(text);
      return "fault" in reading ? refused(reading.fault) : accepted(reading.value);
    },
    format,
  };
}

const same = (text: string): string => text;
const headerText = ({ name, value }: HeaderLine): string => `${name}: ${value}`;

function readNamespace(text: string): Reading<string> {
  return /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)
    ? { value: text }
    : { fault: "is not a namespace" };
}

const request = { group: "Request", places: "flag" } as const;

/** Flags of the process that change the answer. */
const answerFlags = {
  ...computeFlags,
  "path-with-escaped-slashes": flags["path-with-escaped-slashes"],
};

/** The flags that describe a request; they have no part in the explanation of a status. */
const requestFlags = {
  method: scalar({
    ...request,
    short: "X",
    type: readingType("method", "METHOD", readMethod, same),
    default: "GET",
    help: "The method of the request",
  }),
  host: optional({
    ...request,
    type: readingType("host", "HOST", readHost, same),
    help: "The host of the request, as a Host header has it",
  }),
  path: scalar({
    ...request,
    type: readingType("path", "PATH", readPath, same),
    default: "/",
    help: "Path and query of the request",
  }),
  port: scalar({
    ...request,
    type: integerType(1, 65535),
    default: 80,
    help: "The port of the listener's specification, not a shifted one",
  }),
  header: each({
    ...request,
    short: "H",
    item: readingType("header", "NAME:VALUE", readHeader, headerText),
    help: "A header of the request. May be given several times",
  }),
  gateway: optional({
    ...request,
    type: readingType("gateway", "NAMESPACE/NAME", readGateway, same),
    help: "Ask this Gateway alone, where several have listeners on the port",
  }),
};

/** The names of the flags that describe a request. */
export const requestFlagNames: readonly string[] = Object.keys(requestFlags);

/** Every flag of the command, in the order of help. */
export const explainFlags = {
  ...requestFlags,
  namespace: scalar({
    group: "Object",
    short: "n",
    places: "flag",
    type: readingType("namespace", "NAMESPACE", readNamespace, same),
    default: "default",
    help: "The namespace of an object that is named without one",
  }),
  filename: filenameFlag,
  api: apiFlag("Ask the running weir whose HTTP API is at this URL, instead of manifests"),
  ...apiClientFlags,
  ...clusterFlags,
  output: scalar({
    group: "Output",
    short: "o",
    places: "flag",
    type: enumType(["text", "table", "json", "yaml"]),
    default: "text",
    help: "How the answer is printed; text and table are the same, for a person",
  }),
  ...answerFlags,
  config: flags.config,
};

/** The settings that the computation is given. */
export type ExplainSettings = Settings<typeof answerFlags>;
