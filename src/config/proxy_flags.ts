/** The flags of the embedded proxy: where it listens, and its limits. */

import { boolean, duration, scalar } from "./flag.ts";
import { gibibyte, hour, kibibyte, mebibyte, minute, second } from "./units.ts";
import { bytesType, enumType, integerType } from "./value_type.ts";

/** See the file's header. */
export const proxyFlags = {
  "access-log": scalar({
    group: "Proxy",
    type: enumType(["auto", "off", "stdout", "stderr"]),
    default: "auto",
    help:
      "Where each served request is logged. auto: off while every gateway address is loopback, " +
      "else stdout",
  }),
  "path-with-escaped-slashes": scalar({
    group: "Proxy",
    type: enumType(["unescape-and-redirect", "keep-unchanged"]),
    default: "unescape-and-redirect",
    help:
      "What happens to a path with %2F or %5C in it. unescape-and-redirect: the client is sent " +
      "to the path without them, so that they get around no route. keep-unchanged: matched as is",
  }),
  "share-ports": boolean({
    group: "Proxy",
    help:
      "Open the ports of gateways also when another process that was started with this flag has " +
      "them, so that a new process takes over from an old one without a gap. While both run, each " +
      "gets a part of the connections. Without it such a port counts as taken",
  }),
  "proxy-header-timeout": duration({
    group: "Proxy",
    default: 10 * second,
    min: 100,
    max: hour,
    help: "How long a client may take to send the head of a request; then 408",
  }),
  "proxy-body-idle-timeout": duration({
    group: "Proxy",
    default: 30 * second,
    min: 100,
    max: hour,
    help: "How long a request body may stand still; then 408",
  }),
  "proxy-idle-timeout": duration({
    group: "Proxy",
    default: minute,
    min: 100,
    max: 24 * hour,
    help: "How long a client's connection without a request is kept open",
  }),
  "proxy-connect-timeout": duration({
    group: "Proxy",
    default: 5 * second,
    min: 10,
    max: 10 * minute,
    help: "How long connecting to a backend may take; then another endpoint is tried, or 503",
  }),
  "proxy-max-header-bytes": scalar({
    group: "Proxy",
    type: bytesType(kibibyte, mebibyte),
    default: 60 * kibibyte,
    help: "The largest head of a request; above it 431",
  }),
  "proxy-max-body-bytes": scalar({
    group: "Proxy",
    type: bytesType(0, 1024 * gibibyte),
    default: 0,
    help: "The largest body of a request; above it 413. 0: no limit, bodies are streamed",
  }),
  "proxy-max-connections": scalar({
    group: "Proxy",
    type: integerType(1, 1_000_000),
    default: 10_000,
    help: "How many client connections may be open at once; further ones are closed at once",
  }),
};
