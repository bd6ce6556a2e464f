/** The data plane that the configuration names, with the subsystems that it brings. */

import { formatJsonLine, formatTextLine } from "../base/log_line.ts";
import { type Logger, noLog } from "../base/log.ts";
import { invariant } from "../base/invariant.ts";
import type { MetricsRegistry } from "../base/metrics.ts";
import { accessLogTarget } from "../config/access_log.ts";
import type { Config } from "../config/flags.ts";
import type { DataPlane } from "../dataplane/data_plane.ts";
import { type AccessLog, openAccessLog } from "../proxy/access_log.ts";
import { EmbeddedDataPlane } from "../proxy/embedded_data_plane.ts";
import { defaultProxyLimits, type ProxyLimits } from "../proxy/proxy_limits.ts";
import { AssumedDataPlane } from "./assumed_data_plane.ts";
import { escapedSlashes } from "./escaped_slashes.ts";
import type { Subsystem } from "./subsystem.ts";
import type { Surroundings } from "./surroundings.ts";

/** What the data plane is mounted on. */
export interface DataPlaneMountOptions {
  readonly config: Config;
  readonly surroundings: Surroundings;
  readonly registry: MetricsRegistry;
  /** Whether the embedded proxy may be built. */
  readonly hasProxy: boolean;
}

/** A data plane and what runs for it. */
export interface DataPlaneMount {
  readonly dataPlane: DataPlane;
  readonly subsystems: readonly Subsystem[];
}

/** Builds it. */
export function mountDataPlane(options: DataPlaneMountOptions): DataPlaneMount {
  const { config, surroundings, registry, hasProxy } = options;
  if (config.dataPlane === "none" || !hasProxy) {
    return { dataPlane: new AssumedDataPlane("none"), subsystems: [] };
  }
  invariant(config.dataPlane !== "envoy", "the command refuses what cannot be served with");
  const embedded = new EmbeddedDataPlane({
    limits: toLimits(config),
    escapedSlashes: escapedSlashes[config.pathWithEscapedSlashes],
    portShift: config.portShift,
    reusePort: config.sharePorts,
    clock: surroundings.clock,
    random: surroundings.random,
    requestId: surroundings.newId,
    logger: surroundings.log.child({ subsystem: "proxy" }),
    metrics: registry,
    accessLog: toAccessLog(config, surroundings),
  });
  const subsystem: Subsystem = {
    name: "proxy",
    onFailure: embedded.onFailure,
    run: (signal) => embedded.run(signal),
    ready: () => embedded.ready(),
    drain: () => embedded.drain(),
  };
  return { dataPlane: embedded, subsystems: [subsystem] };
}

function toLimits(config: Config): ProxyLimits {
  return {
    ...defaultProxyLimits,
    headerBytesMax: config.proxyMaxHeaderBytes,
    headersTimeoutMs: config.proxyHeaderTimeoutMs,
    bodyIdleTimeoutMs: config.proxyBodyIdleTimeoutMs,
    bodyBytesMax: config.proxyMaxBodyBytes,
    keepAliveTimeoutMs: config.proxyIdleTimeoutMs,
    connectTimeoutMs: config.proxyConnectTimeoutMs,
    connectionsMax: config.proxyMaxConnections,
    drainTimeoutMs: config.drainTimeoutMs,
  };
}

function toAccessLog(config: Config, surroundings: Surroundings): AccessLog | undefined {
  const target = accessLogTarget(config);
  if (target === "off") return undefined;
  const format = config.logFormat === "json" ? formatJsonLine : formatTextLine;
  const { clock, writeAccessLog } = surroundings;
  const logger: Logger = {
    ...noLog,
    info(message, fields = {}) {
      try {
        writeAccessLog(target, format({ timeMs: clock.now(), level: "info", message, fields }));
      } catch {
        // As for the log: a full disk loses the line, never the request that it tells of.
      }
    },
  };
  return openAccessLog(logger);
}
