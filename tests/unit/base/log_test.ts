// What a user would lose: log lines that can be trusted (one record is one line, nothing in a value
// forges another) and a process that no log call can break.

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type LogFormat, type LogLevel, openLog } from "../../../src/base/log.ts";

function opened(format: LogFormat, level: LogLevel = "debug") {
  const lines: string[] = [];
  return { log: openLog({ format, level, write: (line) => lines.push(line) }), lines };
}

Deno.test("openLog() writes one line of text per record, time and level first", () => {
  const { log, lines } = opened("text");
  log.info("Listener is open", { port: 8080, host: "a b" });
  assertEquals(lines.length, 1);
  assertMatch(
    lines[0] ?? "",
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z info {2}Listener is open port=8080 host="a b"\n$/,
  );
});

Deno.test("openLog() writes JSON that collectors read, fields of a child included", () => {
  const { log, lines } = opened("json");
  log.child({ subsystem: "proxy", port: 1 }).error("Cannot bind", { port: 80 });
  const { time, ...rest } = JSON.parse(lines[0] ?? "");
  assert(typeof time === "string");
  assertEquals(rest, { level: "error", message: "Cannot bind", subsystem: "proxy", port: 80 });
});

Deno.test("openLog() drops what is below the level, also of children", () => {
  const { log, lines } = opened("text", "warn");
  const child = log.child({ a: 1 });
  for (const each of [log, child]) {
    each.debug("no");
    each.info("no");
    each.warn("yes");
    each.error("yes");
  }
  assertEquals(lines.length, 4);
});

Deno.test("a message with braces is text, never a placeholder for fields", () => {
  const { log, lines } = opened("text");
  log.info("Path {id} is {a}", { id: "secret" });
  assertStringIncludes(lines[0] ?? "", "Path {id} is {a} id=secret");
});

Deno.test("no value or name can start a line of its own or steer a terminal", () => {
  for (const format of ["text", "json"] as const) {
    const { log, lines } = opened(format);
    const evil = "x\n2026-01-01T00:00:00.000Z error forged\r\u001b[2J\u2028\u0085";
    log.info(evil, { [evil]: evil, error: new Error(evil), list: [evil] });
    assertEquals(lines.length, 1);
    const line = lines[0] ?? "";
    assertEquals(line.indexOf("\n"), line.length - 1);
    // deno-lint-ignore no-control-regex -- these are what must not be there
    assertEquals(/[\r\u001b]/.test(line), false);
  }
});

Deno.test("a writer that fails loses the line and nothing else", () => {
  const log = openLog({
    format: "text",
    level: "debug",
    write: () => {
      throw new Error("the pipe is closed");
    },
  });
  log.error("Cannot be written");
});
