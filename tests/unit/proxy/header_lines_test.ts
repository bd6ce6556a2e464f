/** What a user would lose: headers that arrive as they were sent, and only those that should. */

import { assertEquals } from "@std/assert";
import {
  type HeaderLines,
  joinLines,
  modifyLines,
  responseLines,
  trailerPairs,
} from "../../../src/proxy/header_lines.ts";
import { writableModifier, writablePath, writableValue } from "../../../src/proxy/header_value.ts";

const nothing = { set: [], add: [], remove: [] };

function modified(lines: HeaderLines, modifier: Parameters<typeof modifyLines>[1]): HeaderLines {
  modifyLines(lines, modifier);
  return lines;
}

Deno.test("modifyLines() removes every line of a name, whatever its case", () => {
  const lines = ["A", "1", "x-a", "2", "B", "3", "X-A", "4"];
  assertEquals(modified(lines, { ...nothing, remove: ["X-a"] }), ["A", "1", "B", "3"]);
});

Deno.test("modifyLines() sets one line in the place of the first", () => {
  const lines = ["a", "1", "B", "2", "A", "3"];
  const set = [{ name: "A", value: "new" }, { name: "C", value: "4" }];
  assertEquals(modified(lines, { ...nothing, set }), ["A", "new", "B", "2", "C", "4"]);
});

Deno.test("modifyLines() does not take a value for a name", () => {
  const lines = ["B", "a", "A", "1"];
  assertEquals(modified(lines, { ...nothing, set: [{ name: "a", value: "2" }] }), [
    "B",
    "a",
    "a",
    "2",
  ]);
});

Deno.test("modifyLines() adds to the last line of a name as the API's example shows", () => {
  const add = [{ name: "My-Header", value: "bar,baz" }];
  assertEquals(modified(["my-header", "foo"], { ...nothing, add }), ["my-header", "foo,bar,baz"]);
  assertEquals(modified(["my-header", ""], { ...nothing, add }), ["my-header", "bar,baz"]);
  assertEquals(modified([], { ...nothing, add }), ["My-Header", "bar,baz"]);
  const cookie = [{ name: "Set-Cookie", value: "b=2" }];
  assertEquals(modified(["Set-Cookie", "a=1"], { ...nothing, add: cookie }), [
    "Set-Cookie",
    "a=1",
    "Set-Cookie",
    "b=2",
  ]);
});

Deno.test("modifyLines() removes, then sets, then adds", () => {
  const modifier = {
    remove: ["A"],
    set: [{ name: "A", value: "1" }],
    add: [{ name: "A", value: "2" }],
  };
  assertEquals(modified(["A", "0"], modifier), ["A", "1,2"]);
});

Deno.test("responseLines() drops what belongs to the connection and learns from it", () => {
  const raw = [
    ["Connection", "X-Hop, keep-alive"],
    ["Keep-Alive", "max=5, timeout=7"],
    ["Transfer-Encoding", "chunked"],
    ["x-hop", "1"],
    ["X-Plain", "2"],
  ].flat();
  assertEquals(responseLines(raw), {
    lines: ["X-Plain", "2"],
    keepAliveSeconds: 7,
    contentLength: -1,
    isUnderstood: true,
  });
  assertEquals(responseLines(["content-length", "5"]), {
    lines: ["content-length", "5"],
    keepAliveSeconds: undefined,
    contentLength: 5,
    isUnderstood: true,
  });
});

Deno.test("responseLines() lets no backend drop the framing", () => {
  const { lines } = responseLines(["Connection", "content-length", "Content-Length", "5"]);
  assertEquals(lines, ["Content-Length", "5"]);
});

Deno.test("trailerPairs() drops what must not follow a body", () => {
  assertEquals(trailerPairs(["X-Sum", "1", "Content-Length", "2", "Host", "a", "TE", "x"]), [
    ["X-Sum", "1"],
  ]);
});

Deno.test("joinLines() writes one line for each", () => {
  assertEquals(joinLines(["A", "1", "B", ""]), "A: 1\r\nB: \r\n");
});

Deno.test("writableValue() never ends a line and writes text as UTF-8", () => {
  assertEquals(writableValue("plain\ttext"), "plain\ttext");
  assertEquals(writableValue("a\r\nB: 1\u0000\u007f"), "a  B: 1  ");
  assertEquals(writableValue("é€"), "\u00c3\u00a9\u00e2\u0082\u00ac");
  const [header] = writableModifier({ ...nothing, add: [{ name: "A", value: "\n" }] }).add;
  assertEquals(header, { name: "A", value: " " });
});

Deno.test("writablePath() escapes what may not stand in a target, and nothing twice", () => {
  const path = { type: "ReplacePrefixMatch", prefix: "/p", value: "/a b/é%20~?" } as const;
  assertEquals(writablePath(path), { ...path, value: "/a%20b/%C3%A9%20~?" });
});

Deno.test("writableModifier() leaves framing and connection of a message alone", () => {
  // Otherwise a route could smuggle: what it calls the length is where the next message begins.
  const names = [
    "Content-Length",
    "TRANSFER-ENCODING",
    "connection",
    "Upgrade",
    "TE",
    "Keep-Alive",
  ];
  const values = names.map((name) => ({ name, value: "5" }));
  const modifier = writableModifier({ set: values, add: values, remove: names });
  assertEquals(modifier, nothing);
});

Deno.test("writableModifier() lets the Host line be set, never doubled or dropped", () => {
  const host = [{ name: "HOST", value: "b" }];
  assertEquals(writableModifier({ set: host, add: host, remove: ["Host"] }), {
    set: host,
    add: [],
    remove: [],
  });
});
