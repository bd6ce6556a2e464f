// What a user would lose: a table of flags without rows that cannot be used or read.

import { assert, assertEquals } from "@std/assert";
import { accessLogTarget } from "../../../src/config/access_log.ts";
import { addressRangeType } from "../../../src/config/address_range.ts";
import { type Flag, type FlagTable, settingName } from "../../../src/config/flag.ts";
import { flags } from "../../../src/config/flags.ts";

const rows = Object.entries<Flag>(flags satisfies FlagTable);

Deno.test("every default is a value that its own flag would take", () => {
  for (const [name, flag] of rows) {
    const pairs = flag.shape === "scalar"
      ? flag.default === undefined ? [] : [[flag.type, flag.default] as const]
      : flag.default.map((item) => [flag.type.item, item] as const);
    for (const [type, value] of pairs) {
      assertEquals(type.parse(type.format(value)), { ok: true, value }, name);
    }
  }
});

Deno.test("every flag has a name, a help text and a setting of the promised form", () => {
  const settings = new Set<string>();
  for (const [name, flag] of rows) {
    assert(/^[a-z]+(-[a-z]+)*$/.test(name), name);
    assert(!name.startsWith("no-"), `${name} would be read as a negation`);
    assert(/^[A-Z].*[^.]$/s.test(flag.help), `help of ${name}`);
    const setting = settingName(name, flag);
    assert(/^[a-z][A-Za-z]*$/.test(setting), setting);
    assert(!settings.has(setting), setting);
    settings.add(setting);
    if (flag.type.name === "duration") assert(setting.endsWith("Ms"), setting);
  }
});

Deno.test("accessLogTarget() is off by itself only while every gateway address is loopback", () => {
  const ranges = (text: string) => {
    const parsed = addressRangeType.parse(text);
    assert(parsed.ok);
    return [parsed.value];
  };
  const target = (accessLog: "auto" | "stderr", text: string) =>
    accessLogTarget({ accessLog, gatewayAddresses: ranges(text) });
  assertEquals(target("auto", "127.0.0.1"), "off");
  assertEquals(target("auto", "192.0.2.1"), "stdout");
  assertEquals(target("stderr", "127.0.0.1"), "stderr");
});
