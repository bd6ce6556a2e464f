/** Where requests are logged, when nobody said so. Pure. */

import { areLoopback } from "./address_range.ts";
import type { Config } from "./flags.ts";

/**
 * Where the access log goes: what was given, and for `auto` nowhere while every gateway address is
 * loopback (one person at work, who reads the console) and else stdout, for a collector.
 */
export function accessLogTarget(
  { accessLog, gatewayAddresses }: Pick<Config, "accessLog" | "gatewayAddresses">,
): "off" | "stdout" | "stderr" {
  if (accessLog !== "auto") return accessLog;
  return areLoopback(gatewayAddresses) ? "off" : "stdout";
}
