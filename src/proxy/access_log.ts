/**
 * One record for each request that was answered, for whoever collects them.
 *
 * The query is left out and the path is cut: queries carry secrets, and a record has a bounded size.
 * Header values other than the host are never recorded.
 */

import type { Logger } from "../base/log.ts";

/** What is recorded. */
export interface AccessRecord {
  readonly gateway: string;
  /** `namespace/name`; empty when no route served. */
  readonly route: string;
  readonly method: string;
  readonly host: string;
  /** As received. */
  readonly target: string;
  /** 0: the client went away before a response. */
  readonly status: number;
  readonly durationMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** `address:port` of the endpoint that answered; empty without one. */
  readonly endpoint: string;
  readonly remoteAddress: string;
  readonly requestId: string;
}

/** Takes records. Must not throw. */
export type AccessLog = (record: AccessRecord) => void;

const PATH_LENGTH_MAX = 1_024;

/** An access log that writes to `logger`. */
export function openAccessLog(logger: Logger): AccessLog {
  return (record) => {
    const { target, durationMs, host, ...rest } = record;
    const queryAt = target.indexOf("?");
    const path = queryAt < 0 ? target : target.slice(0, queryAt);
    logger.info("request", {
      ...rest,
      host,
      path: path.slice(0, PATH_LENGTH_MAX),
      durationMs: Math.round(durationMs * 10) / 10,
    });
  };
}
