/**
 * The explanation of a request against the answer that the data plane really gives, over sockets.
 * What a user would lose: an explanation that is true.
 */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { toExplanation } from "../../src/app/explain_view.ts";
import type { HttpRouteEntry } from "../../src/dataplane/model.ts";
import { compareHttpRouteEntries } from "../../src/dataplane/precedence.ts";
import { RegexCache } from "../../src/dataplane/regex.ts";
import { configOf, gateway, listener } from "../fakes/data_plane_config.ts";
import { ProxyWorld } from "../fakes/proxy_world.ts";
import { plainRequests, routeEntries } from "../fakes/random_routing.ts";
import { exchange } from "../fakes/raw_text.ts";

/** Each entry leads to a host of its own, so that an answer tells which entry gave it. */
function withTargets(entries: readonly HttpRouteEntry[]): readonly HttpRouteEntry[] {
  return entries.map((entry, index): HttpRouteEntry => ({
    ...entry,
    action: {
      filters: [{
        type: "RequestRedirect",
        redirect: { hostname: `entry-${index}.test`, statusCode: 302, port: 80 },
      }],
      backends: [],
    },
  })).sort(compareHttpRouteEntries);
}

/** The status and location of an answer. */
function readAnswer(text: string): (number | string | undefined)[] {
  const [, status = ""] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? [];
  const [, location] = /^location: (.*)\r$/im.exec(text) ?? [];
  return [Number(status), location];
}

Deno.test("an explanation says what the proxy answers, for random routes and requests", async () => {
  await using world = new ProxyWorld();
  const regexes = new RegexCache();
  const odd = fc.constantFrom("/a/../b", "//a//b", "/%61", "/a%2Fb", "/a/./b/", "/%00", "/A");
  const requests = fc.record({ plain: plainRequests, path: fc.option(odd, { nil: undefined }) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(routeEntries, { minLength: 3, maxLength: 20 }),
      fc.array(requests, { minLength: 5, maxLength: 10 }),
      async (entries, asked) => {
        const routes = withTargets(entries);
        const bound = await world.serve(routes, []);
        const config = configOf({
          gateways: [gateway("gw", [listener("gw", { port: 80, routes })])],
        });
        for (const { plain, path = plain.path } of asked) {
          const target = plain.query === "" ? path : `${path}?${plain.query}`;
          const lines = plain.headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
          const answer = await exchange(
            bound,
            `${plain.method} ${target} HTTP/1.1\r\nHost: ${plain.host}\r\n${lines}` +
              `Content-Length: 0\r\nConnection: close\r\n\r\n`,
          );
          const { decision, statusCode, location } = toExplanation({
            config,
            acknowledgements: new Map(),
            epoch: "e",
            escapedSlashes: "UnescapeAndRedirect",
            regexes,
          }, {
            method: plain.method,
            host: plain.host,
            path: target,
            port: 80,
            headers: plain.headers.map(([name, value]) => ({ name, value })),
          });
          const status = decision === "redirect" ? statusCode : Number(decision);
          assertEquals(
            readAnswer(answer),
            [status, location],
            `${plain.method} ${plain.host} ${target}`,
          );
        }
      },
    ),
    { numRuns: 25 },
  );
});
