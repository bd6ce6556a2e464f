/**
 * A logger that keeps what it is told, so that a test can count errors and search them for secrets.
 */

import type { LogFields, Logger, LogLevel } from "../../src/base/log.ts";

/** One record. */
export interface LogRecord {
  readonly level: LogLevel;
  readonly message: string;
  readonly fields: LogFields;
}

/** See the file's header. */
export class RecordingLog implements Logger {
  readonly records: LogRecord[] = [];

  debug(message: string, fields: LogFields = {}): void {
    this.records.push({ level: "debug", message, fields });
  }

  info(message: string, fields: LogFields = {}): void {
    this.records.push({ level: "info", message, fields });
  }

  warn(message: string, fields: LogFields = {}): void {
    this.records.push({ level: "warn", message, fields });
  }

  error(message: string, fields: LogFields = {}): void {
    this.records.push({ level: "error", message, fields });
  }

  child(): Logger {
    return this;
  }
}
