/**
 * What a user would lose if these failed: the guard would decide by merged or misread header lines,
 * and bodies would be read without a bound.
 */

import { assertEquals } from "@std/assert";
import { createHostPolicy } from "../../../src/auth/host_guard.ts";
import { checkRequest, pathOf } from "../../../src/http/request_gate.ts";

type Incoming = Parameters<typeof checkRequest>[0];

/** The reason of the refusal, or `passes`. */
function reasonOf(method: string, url: string, ...rawHeaders: string[]): string {
  const socket = { localAddress: "127.0.0.1" } as Incoming["socket"];
  const { refusal } = checkRequest({ method, url, rawHeaders, socket }, {
    policy: createHostPolicy([]),
    bodyMaxBytes: 10,
    streamPaths: ["/api/v1/changes"],
  });
  return refusal ? `${refusal.status} ${refusal.reason}` : "passes";
}

Deno.test("checkRequest() sees every Host and Origin line, whatever their case", () => {
  assertEquals(reasonOf("GET", "/", "HOST", "localhost"), "passes");
  assertEquals(reasonOf("GET", "/", "Accept", "host"), "400 HostMissing");
  assertEquals(
    reasonOf("GET", "/", "Host", "localhost", "hOsT", "evil.example"),
    "400 HostDuplicate",
  );
  assertEquals(
    reasonOf("GET", "/", "Host", "localhost", "ORIGIN", "http://evil.example"),
    "403 OriginNotAllowed",
  );
});

Deno.test("checkRequest() guards streams like changes", () => {
  const headers = ["Host", "localhost", "Sec-Fetch-Site", "cross-site"];
  assertEquals(reasonOf("GET", "/api/v1/state", ...headers), "passes");
  assertEquals(reasonOf("GET", "/api/v1/changes?since=e.1", ...headers), "403 CrossSiteRequest");
  assertEquals(
    reasonOf("GET", "http://localhost/api/v1/changes", ...headers),
    "403 CrossSiteRequest",
  );
});

Deno.test("checkRequest() guards a stream however its path is spelt", () => {
  const headers = ["Host", "localhost", "Sec-Fetch-Site", "cross-site"];
  const spellings = [
    "/api/v1/%63hanges",
    "/api/v1/state/../changes",
    "/api/v1/state/%2e%2E/changes",
    "/./api/v1/changes",
    "http://localhost/x/../api/v1/%63hanges",
  ];
  for (const path of spellings) {
    assertEquals(reasonOf("GET", path, ...headers), "403 CrossSiteRequest", path);
  }
  // What no route can have must not end the process either.
  for (const path of ["//", "/%", "/%zz", "/\ud800", "/[", "//[::1"]) {
    assertEquals(reasonOf("GET", path, ...headers), "passes", path);
  }
});

Deno.test("checkRequest() bounds announced bodies and refuses those without a meaning", () => {
  const body = (method: string, ...headers: string[]): string =>
    reasonOf(method, "/", "Host", "localhost", ...headers);
  assertEquals(body("POST", "Content-Length", "10"), "passes");
  assertEquals(body("POST", "Content-Length", "11"), "413 ContentTooLarge");
  assertEquals(body("POST", "Transfer-Encoding", "chunked"), "passes");
  assertEquals(body("GET", "Content-Length", "0"), "passes");
  assertEquals(body("GET", "Content-Length", "1"), "400 ContentNotExpected");
  assertEquals(body("HEAD", "Transfer-Encoding", "chunked"), "400 ContentNotExpected");
});

Deno.test("pathOf() leaves out host, query and fragment", () => {
  assertEquals(pathOf("/a/b?c=/d"), "/a/b");
  assertEquals(pathOf("http://host:1/a?b"), "/a");
  assertEquals(pathOf("http://host"), "");
});
