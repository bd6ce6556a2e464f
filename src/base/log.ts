/**
 * Structured log records: a constant message, a level and fields, one line each.
 *
 * This file is the only door to the logging library. Nothing here throws, whatever a field holds. A
 * line break or an escape sequence inside a value becomes a visible escape, so that no value can
 * forge a record. Nothing is redacted: what must not be logged is not passed. Logging is configured
 * once per process by whoever composes it, never at module load.
 */

import { configureSync, getLogger, type Logger as Backend, type LogRecord } from "@logtape/logtape";
import { formatJsonLine, formatTextLine, type LogLine } from "./log_line.ts";

/** From the least to the most important. */
export const logLevels = ["debug", "info", "warn", "error"] as const;
/** How important a record is. */
export type LogLevel = (typeof logLevels)[number];

/** `text` for people, `json` for collectors; both have one record per line. */
export const logFormats = ["text", "json"] as const;
/** The form of a record. */
export type LogFormat = (typeof logFormats)[number];

/** Names and values that belong to a record. Errors, maps, sets and dates are written readably. */
export type LogFields = Readonly<Record<string, unknown>>;

/** What the parts of the process log with. No method throws or blocks for long. */
export interface Logger {
  /** For the developer who looks for a fault. */
  debug(message: string, fields?: LogFields): void;
  /** What an operator wants to know when all is well. */
  info(message: string, fields?: LogFields): void;
  /** Something is wrong and is handled; says what follows. */
  warn(message: string, fields?: LogFields): void;
  /** Something does not work. */
  error(message: string, fields?: LogFields): void;
  /** A logger whose records all carry `fields`; those of a record win. */
  child(fields: LogFields): Logger;
}

/** Drops every record: for work whose outcome is a value and not a story. */
export const noLog: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => noLog,
};

/** How and where records are written. */
export interface LogOptions {
  readonly format: LogFormat;
  /** Records below it are dropped before they are formatted. */
  readonly level: LogLevel;
  /** Takes one line with its line break. An error of it loses the line and nothing else. */
  readonly write: (line: string) => void;
}

const category = "weir";
const toBackendLevel = { debug: "debug", info: "info", warn: "warning", error: "error" } as const;
const fromBackendLevel: Readonly<Record<LogRecord["level"], LogLevel>> = {
  trace: "debug",
  debug: "debug",
  info: "info",
  warning: "warn",
  error: "error",
  fatal: "error",
};

/**
 * Configures logging for the process and returns its root logger. A second call replaces the first
 * configuration, for earlier loggers too.
 */
export function openLog(options: LogOptions): Logger {
  const format = options.format === "json" ? formatJsonLine : formatTextLine;
  const sink = (record: LogRecord): void => {
    try {
      options.write(format(toLine(record)));
    } catch {
      // Logging must not break what it tells about; there is nowhere left to report this to.
    }
  };
  configureSync({
    reset: true,
    sinks: { out: sink },
    loggers: [
      { category, sinks: ["out"], lowestLevel: toBackendLevel[options.level] },
      // The library's own complaints go the same way, its start-up notice does not.
      { category: ["logtape", "meta"], sinks: ["out"], lowestLevel: "error" },
    ],
  });
  return new StructuredLogger(getLogger(category));
}

/** The raw message: braces in it are text, never placeholders. */
function toLine(record: LogRecord): LogLine {
  const message = typeof record.rawMessage === "string"
    ? record.rawMessage
    : record.rawMessage.join("");
  return {
    timeMs: record.timestamp,
    level: fromBackendLevel[record.level],
    message,
    fields: record.properties,
  };
}

class StructuredLogger implements Logger {
  readonly #backend: Backend;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  debug(message: string, fields: LogFields = {}): void {
    this.#backend.debug(message, fields);
  }

  info(message: string, fields: LogFields = {}): void {
    this.#backend.info(message, fields);
  }

  warn(message: string, fields: LogFields = {}): void {
    this.#backend.warning(message, fields);
  }

  error(message: string, fields: LogFields = {}): void {
    this.#backend.error(message, fields);
  }

  child(fields: LogFields): Logger {
    return new StructuredLogger(this.#backend.with(fields));
  }
}
