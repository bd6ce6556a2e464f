/** What a user would lose: requests that the gateway and a backend read in the same way. */

import { assert, assertEquals } from "@std/assert";
import {
  isBadRequest,
  readRequestHead,
  type RequestHead,
  TARGET_LENGTH_MAX,
} from "../../../src/proxy/request_head.ts";

/** Reads lines `Name: value`. */
function read(lines: readonly string[], url = "/", version = "1.1"): RequestHead | number {
  const raw = lines.flatMap((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const head = readRequestHead(url, version, raw);
  return isBadRequest(head) ? head.status : head;
}

function readWhole(lines: readonly string[], url = "/"): RequestHead {
  const head = read(lines, url);
  assert(typeof head === "object", `refused with ${head}`);
  return head;
}

Deno.test("readRequestHead() reads what routing and forwarding need", () => {
  assertEquals(
    readWhole([
      "HOST: Example.COM.:8080",
      "Connection: keep-alive, X-Hop ,upgrade",
      "connection: close, X-Other",
      "Upgrade: websocket",
      "TE: gzip, trailers",
      "Content-Length: 12",
      "Expect: 100-Continue",
      "X-Forwarded-For: 1.1.1.1",
      "x-forwarded-for: 2.2.2.2",
    ], "/a?b"),
    {
      authority: "Example.COM.:8080",
      host: "example.com",
      target: "/a?b",
      body: "length",
      contentLength: 12,
      saysLength: true,
      expectsContinue: true,
      connectionNames: ["x-hop", "upgrade", "x-other"],
      upgrade: "websocket",
      acceptsTrailers: true,
      forwardedFor: "1.1.1.1,2.2.2.2",
    },
  );
});

Deno.test("readRequestHead() takes a protocol change only when the connection lists it", () => {
  assertEquals(readWhole(["Host: a", "Upgrade: websocket"]).upgrade, undefined);
  assertEquals(readWhole(["Host: a", "TE: trailersx"]).acceptsTrailers, false);
});

Deno.test("readRequestHead() knows whether there is a body", () => {
  assertEquals(readWhole(["Host: a"]).body, "none");
  assertEquals(readWhole(["Host: a", "Content-Length: 0"]).body, "none");
  assertEquals(readWhole(["Host: a", "Transfer-Encoding: Chunked"]).body, "chunked");
});

Deno.test("readRequestHead() takes hosts of every form and nothing else", () => {
  for (const host of ["a", "a-b.example.com:80", "127.0.0.1:1", "[::1]", "[::1]:8080", "a_b"]) {
    assertEquals(readWhole([`Host: ${host}`]).authority, host);
  }
  for (const host of ["", "a b", "a/b", "a@b", "a:b", "a:1:2", "[::1", "::1", "a?b", "é", "a#"]) {
    assertEquals(read([`Host: ${host}`]), 400, host);
  }
});

Deno.test("readRequestHead() takes an absolute target apart, for its own host only", () => {
  assertEquals(readWhole(["Host: a:80"], "http://A:80/x?y").target, "/x?y");
  assertEquals(readWhole(["Host: a"], "https://a").target, "/");
  assertEquals(readWhole(["Host: a"], "http://a?x").target, "/?x");
  for (const url of ["http://b/", "http://a:80/", "http://a@b/", "ftp://a/", "*", "a/b", ""]) {
    assertEquals(read(["Host: a"], url), 400, url);
  }
});

Deno.test("readRequestHead() refuses each with its status", () => {
  const host = "Host: a";
  assertEquals(read([]), 400);
  assertEquals(read([host, host]), 400);
  assertEquals(read([host, "Content-Length: 1", "Transfer-Encoding: chunked"]), 400);
  assertEquals(read([host, "Content-Length: 1", "Content-Length: 2"]), 400);
  for (const length of ["-1", "+1", "1, 1", "0x1", "1e3", "", "9".repeat(16)]) {
    assertEquals(read([host, `Content-Length: ${length}`]), 400, length);
  }
  assertEquals(read([host, "Transfer-Encoding: gzip, chunked"]), 501);
  assertEquals(read([host, "Transfer-Encoding: chunked", "Transfer-Encoding: chunked"]), 501);
  assertEquals(read([host, "Expect: something"]), 417);
  assertEquals(read([host], "/", "1.0"), 426);
  assertEquals(read([host], `/${"a".repeat(TARGET_LENGTH_MAX)}`), 414);
});
