/** A table with one flag of every shape, for tests of what is derived from tables. */

import { boolean, duration, list, optional, paths, scalar } from "../../src/config/flag.ts";
import { hostPortType, objectNameType } from "../../src/config/network_types.ts";
import { bytesType, enumType, integerType, stringType } from "../../src/config/value_type.ts";

const group = "Test";

/** See the file's header. */
export const sampleFlags = {
  name: scalar({ group, help: "A text", short: "n", type: stringType, default: "weir" }),
  manifests: paths({ group, help: "Paths", short: "f" }),
  verbose: boolean({ group, help: "A switch", short: "v" }),
  guarded: boolean({ group, help: "A switch that is on", default: true }),
  count: scalar({ group, help: "A number", type: integerType(-10, 100), default: 3 }),
  mode: scalar({ group, help: "A word", type: enumType(["fast", "slow"]), default: "fast" }),
  wait: duration({ group, help: "A time", default: 1000, min: 0, max: 3_600_000 }),
  size: scalar({ group, help: "A size", type: bytesType(0, 2 ** 30), default: 1024 }),
  "api-address": scalar({
    group,
    help: "An address",
    type: hostPortType,
    default: { host: "localhost", port: 1 },
  }),
  gateways: list({ group, help: "Names", item: objectNameType, default: [] }),
  password: optional({ group, help: "A secret", type: integerType(0, 9), secret: true }),
  config: optional({ group, help: "A file", type: stringType, places: "flag and environment" }),
  once: boolean({ group, help: "Only on the command line", places: "flag" }),
};
