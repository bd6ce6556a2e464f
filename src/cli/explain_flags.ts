/** The flags of `weir explain`: the request that is asked about, and what changes the answer. */

import {
  type HeaderLine,
  readGateway,
  readHeader,
  readHost,
  type Reading,
  readMethod,
  readPath,
} from "../api/request_question.ts";
import { each, optional, scalar, type Settings } from "../config/flag.ts";
import { flags } from "../config/flags.ts";
import { accepted, integerType, refused, type ValueType } from "../config/value_type.ts";
import { filenameFlag, textOutputFlag } from "./output_flags.ts";
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

const apiUrlType: ValueType<string> = {
  name: "URL",
  metavar: "URL",
  parse(text) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url && (url.protocol === "http:" || url.protocol === "https:")
      ? accepted(url.origin)
      : refused(`is not a URL, wanted for example "http://127.0.0.1:9080"`);
  },
  format: (value) => value,
};

const same = (text: string): string => text;
const headerText = ({ name, value }: HeaderLine): string => `${name}: ${value}`;

const request = { group: "Request", places: "flag" } as const;

/** Flags of the process that change the answer. */
const answerFlags = {
  ...computeFlags,
  "path-with-escaped-slashes": flags["path-with-escaped-slashes"],
};

/** Every flag of the command, in the order of help. */
export const explainFlags = {
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
  filename: filenameFlag,
  api: optional({
    group: "Input",
    places: "flag",
    type: apiUrlType,
    help: "Ask the running weir whose HTTP API is at this URL, instead of manifests",
  }),
  output: textOutputFlag("How the answer is printed"),
  ...answerFlags,
  config: flags.config,
};

/** The settings that the computation is given. */
export type ExplainSettings = Settings<typeof answerFlags>;
