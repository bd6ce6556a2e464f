/**
 * What a user would lose if these failed: any web page that is open in the browser could read the
 * routes of the machine through DNS rebinding, or change them.
 */

import { assertEquals, assertThrows } from "@std/assert";
import {
  createHostPolicy,
  type GuardReason,
  guardRequest,
  type RequestFacts,
} from "../../../src/auth/host_guard.ts";

const policy = createHostPolicy(["weir.example.com", "*.internal.example.com", "192.0.2.7"]);

/** `ok`, or the status and reason of the refusal. */
function verdict(facts: Partial<RequestFacts>): string {
  const answer = guardRequest(policy, {
    method: "GET",
    target: "/",
    hosts: ["localhost:9080"],
    origins: [],
    fetchSite: undefined,
    localAddress: "127.0.0.1",
    isStream: false,
    ...facts,
  });
  return answer.allowed ? "ok" : `${answer.status} ${answer.reason}`;
}

const badRequest = (reason: GuardReason): string => `400 ${reason}`;
const forbidden = (reason: GuardReason): string => `403 ${reason}`;

const hosts: readonly [string, string][] = [
  ["localhost", "ok"],
  ["localhost:1", "ok"],
  ["LOCALHOST.", "ok"],
  ["weir.localhost:9080", "ok"],
  ["127.0.0.1:9080", "ok"],
  ["127.8.9.10", "ok"],
  ["[::1]:9080", "ok"],
  ["[::ffff:127.0.0.1]", "ok"],
  ["weir.example.com", "ok"],
  ["a.internal.example.com:8443", "ok"],
  ["192.0.2.7:9080", "ok"],
  ["evil.example", forbidden("HostNotAllowed")],
  ["localhost.evil.example", forbidden("HostNotAllowed")],
  ["notlocalhost", forbidden("HostNotAllowed")],
  ["internal.example.com", forbidden("HostNotAllowed")],
  ["x.weir.example.com", forbidden("HostNotAllowed")],
  ["127.0.0.1.evil.example", forbidden("HostNotAllowed")],
  ["0.0.0.0:9080", forbidden("HostNotAllowed")],
  ["[::]:9080", forbidden("HostNotAllowed")],
  ["10.0.0.7:9080", forbidden("HostNotAllowed")],
  ["127.1", badRequest("HostMalformed")],
  ["localhost@evil.example", badRequest("HostMalformed")],
  ["localhost evil", badRequest("HostMalformed")],
  ["", badRequest("HostMissing")],
];
for (const [host, expected] of hosts) {
  Deno.test(`guardRequest() answers ${expected} to Host "${host}"`, () => {
    assertEquals(verdict({ hosts: [host] }), expected);
  });
}

Deno.test("guardRequest() takes the address that was dialled, so that probes of a pod work", () => {
  assertEquals(verdict({ hosts: ["10.0.0.7:9080"], localAddress: "10.0.0.7" }), "ok");
  assertEquals(verdict({ hosts: ["10.0.0.7:9080"], localAddress: "::ffff:10.0.0.7" }), "ok");
  assertEquals(verdict({ hosts: ["[fd00::7]:9080"], localAddress: "fd00::7" }), "ok");
  assertEquals(
    verdict({ hosts: ["0.0.0.0:9080"], localAddress: "0.0.0.0" }),
    forbidden("HostNotAllowed"),
  );
  assertEquals(
    verdict({ hosts: ["10.0.0.7"], localAddress: undefined }),
    forbidden("HostNotAllowed"),
  );
});

Deno.test("guardRequest() refuses a request without exactly one Host", () => {
  assertEquals(verdict({ hosts: [] }), badRequest("HostMissing"));
  assertEquals(verdict({ hosts: ["localhost", "localhost"] }), badRequest("HostDuplicate"));
  assertEquals(verdict({ hosts: ["localhost", "evil.example"] }), badRequest("HostDuplicate"));
});

Deno.test("guardRequest() refuses a target that names another host than Host", () => {
  assertEquals(verdict({ target: "http://localhost:9080/x" }), "ok");
  assertEquals(verdict({ target: "http://evil.example/x" }), badRequest("HostMismatch"));
  assertEquals(verdict({ target: "http://localhost/x" }), badRequest("HostMismatch"));
  assertEquals(verdict({ target: "*" }), badRequest("TargetMalformed"));
  assertEquals(verdict({ target: "ftp://localhost:9080/" }), badRequest("TargetMalformed"));
});

const origins: readonly [string, string][] = [
  ["http://localhost:9080", "ok"],
  ["HTTP://localhost:9080", forbidden("OriginNotAllowed")],
  ["https://localhost:9080", "ok"],
  ["https://weir.example.com", "ok"],
  ["http://a.internal.example.com:3000", "ok"],
  ["http://localhost:3000", forbidden("OriginNotAllowed")],
  ["http://localhost", forbidden("OriginNotAllowed")],
  ["http://127.0.0.1:9080", forbidden("OriginNotAllowed")],
  ["http://evil.example", forbidden("OriginNotAllowed")],
  ["null", forbidden("OriginNotAllowed")],
  ["", forbidden("OriginNotAllowed")],
  ["file://", forbidden("OriginNotAllowed")],
  ["http://user@localhost:9080", forbidden("OriginNotAllowed")],
  ["http://localhost:9080/", forbidden("OriginNotAllowed")],
  ["chrome-extension://localhost", forbidden("OriginNotAllowed")],
];
for (const [origin, expected] of origins) {
  Deno.test(`guardRequest() answers ${expected} to Origin "${origin}"`, () => {
    for (const method of ["POST", "GET"]) {
      assertEquals(verdict({ method, origins: [origin] }), expected);
    }
    assertEquals(verdict({ isStream: true, origins: [origin] }), expected);
  });
}

Deno.test("guardRequest() compares default ports, as a proxy in front may leave them out", () => {
  const host = "weir.localhost";
  assertEquals(verdict({ hosts: [host], origins: [`http://${host}`] }), "ok");
  assertEquals(verdict({ hosts: [host], origins: [`https://${host}`] }), "ok");
  assertEquals(verdict({ hosts: [`${host}:443`], origins: [`https://${host}`] }), "ok");
  assertEquals(
    verdict({ hosts: [`${host}:8080`], origins: [`http://${host}`] }),
    forbidden("OriginNotAllowed"),
  );
});

Deno.test("guardRequest() refuses one bad Origin among two", () => {
  assertEquals(
    verdict({ origins: ["http://localhost:9080", "http://evil.example"] }),
    forbidden("OriginNotAllowed"),
  );
});

Deno.test("guardRequest() refuses changes and streams that another site's page causes silently", () => {
  for (const fetchSite of ["cross-site", "same-site", "something-new"]) {
    assertEquals(verdict({ method: "POST", fetchSite }), forbidden("CrossSiteRequest"));
    assertEquals(verdict({ isStream: true, fetchSite }), forbidden("CrossSiteRequest"));
    // A link from a page of documentation to a plain page of ours is fine.
    assertEquals(verdict({ fetchSite }), "ok");
  }
  for (const fetchSite of ["same-origin", "none", undefined]) {
    assertEquals(verdict({ method: "DELETE", fetchSite }), "ok");
    assertEquals(verdict({ isStream: true, fetchSite }), "ok");
  }
});

Deno.test("createHostPolicy() names the entry that it cannot use", () => {
  assertThrows(() => createHostPolicy(["ok.example", "*"]), TypeError, '"*" is no host');
});
