/**
 * What a user would lose: warnings that are never wrong. In random worlds no request is served by a
 * rule that is called shadowed, whatever the request is.
 */

import { assert } from "@std/assert";
import fc from "fast-check";
import { explainRequest } from "../../../../src/dataplane/explain_request.ts";
import type { HttpRouteEntry } from "../../../../src/dataplane/model.ts";
import { compareHttpRouteEntries } from "../../../../src/dataplane/precedence.ts";
import { RegexCache } from "../../../../src/dataplane/regex.ts";
import { findShadowed } from "../../../../src/gateway/diagnostics/shadow_diagnostics.ts";
import { servedRules } from "../../../../src/gateway/diagnostics/served_rules.ts";
import { configOf, gateway, listener } from "../../../fakes/data_plane_config.ts";
import { plainRequests, routeEntries } from "../../../fakes/random_routing.ts";

const hostnames = [undefined, "a.x.io", "*.x.io"];

/** One Gateway whose listeners share a port; entries repeat, so that shadows are frequent. */
const worlds = fc.array(
  fc.record({
    hostname: fc.constantFrom(...hostnames),
    routes: fc.array(routeEntries, { maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 3 },
).map((found) => {
  const distinct = [...new Map(found.map((one) => [one.hostname, one])).values()];
  return gateway(
    "gw",
    distinct.map(({ hostname, routes }, index) =>
      listener("gw", {
        name: `l${index}`,
        port: 80,
        routes: [...routes, ...routes.map((entry) => ({ ...entry, ruleIndex: 9 }))]
          .filter((entry) => isWithin(entry, hostname))
          .toSorted(compareHttpRouteEntries),
        ...(hostname === undefined ? {} : { hostname }),
      })
    ),
  );
});

/** The engine makes entries within the hostname of their listener only. */
function isWithin({ hostname }: HttpRouteEntry, listener: string | undefined): boolean {
  if (listener === undefined) return true;
  if (hostname === undefined) return false;
  return hostname === listener || (listener === "*.x.io" && hostname.endsWith(".x.io"));
}

Deno.test("findShadowed() never names a rule that serves a request", () => {
  const regexes = new RegexCache();
  let reported = 0;
  fc.assert(
    fc.property(
      worlds,
      fc.array(plainRequests, { minLength: 5, maxLength: 30 }),
      (world, asked) => {
        const config = configOf({ gateways: [world] });
        const found = findShadowed(servedRules(config));
        const shadowed = new Set(found.map(({ name, part }) => `${name} ${part}`));
        reported += shadowed.size;
        for (const { method, host, path, query, headers } of asked) {
          const { entry } = explainRequest(config, {
            method,
            host,
            target: `${path}?${query}`,
            port: 80,
            rawHeaders: headers.flat(),
          }, { regexes, escapedSlashes: "UnescapeAndRedirect" });
          if (!entry) continue;
          assert(!shadowed.has(`${entry.origin.name} `), entry.origin.name);
          assert(!shadowed.has(`${entry.origin.name} rule ${entry.ruleIndex}`));
        }
      },
    ),
    { numRuns: 300 },
  );
  assert(reported > 100, `only ${reported} shadows were met`);
});
