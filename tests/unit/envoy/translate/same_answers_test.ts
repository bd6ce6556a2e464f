/**
 * What a user would lose: `weir explain` and the embedded data plane saying one thing and Envoy doing
 * another. The method: random Gateways and requests over a small alphabet; what Envoy's documentation
 * makes of the produced listeners and route configurations is compared with the explanation.
 */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  explainRequest,
  type RequestExplanation,
} from "../../../../src/dataplane/explain_request.ts";
import {
  clusterName,
  type DataPlaneConfig,
  type GatewayConfig,
  type HttpRouteEntry,
  type Listener,
} from "../../../../src/dataplane/model.ts";
import { RegexCache } from "../../../../src/dataplane/regex.ts";
import { outcomeOf } from "../../../../src/dataplane/request_outcome.ts";
import type { ProtoObject } from "../../../../src/envoy/codec.ts";
import { configOf } from "../../../fakes/data_plane_config.ts";
import { chooseRoute, object, routesForServerName } from "../../../fakes/envoy_routing.ts";
import { shownResources } from "../../../fakes/envoy_static.ts";
import { envoyCodec, translateOnce } from "../../../fakes/envoy_translation.ts";
import { certificateStub } from "../../../fakes/certificate_stub.ts";
import type { PlainRequest } from "../../../fakes/naive_routing.ts";
import { gateways, plainRequests } from "../../../fakes/random_routing.ts";

const explainOptions = { regexes: new RegexCache(), escapedSlashes: "KeepUnchanged" } as const;
const certificate = certificateStub("default", "tls");

/** Each entry does something that no other does, so that an answer tells who gave it. */
function withDistinctActions(found: readonly GatewayConfig[]): GatewayConfig[] {
  let count = 0;
  const mark = (entry: HttpRouteEntry): HttpRouteEntry => {
    const id = ++count;
    const cluster = clusterName("default", `s${id}`, 80);
    switch (id % 4) {
      case 0:
        return { ...entry, action: { filters: [], backends: [] } };
      case 1: {
        const path = { type: "ReplaceFullPath", value: `/${id}` } as const;
        const redirect = { statusCode: 302, path, hostname: "other" };
        return {
          ...entry,
          action: { filters: [{ type: "RequestRedirect", redirect }], backends: [] },
        };
      }
      default:
        return {
          ...entry,
          action: { filters: [], backends: [{ weight: 1, cluster, filters: [] }] },
        };
    }
  };
  return found.map((gateway) => ({
    ...gateway,
    listeners: gateway.listeners.map((listener) => ({
      ...listener,
      routes: listener.routes.map(mark),
    })),
  }));
}

/** What the explanation says is answered. */
function explained({ entry, winner }: RequestExplanation, request: PlainRequest): string {
  if (winner === undefined || entry === undefined) return "404";
  const { method, headers } = request;
  const outcome = outcomeOf(entry, new Map(), { method, rawHeaders: headers.flat() });
  if (outcome.decision === "redirect") return `redirect ${outcome.redirect.path?.value}`;
  const [backend] = entry.action.backends;
  return backend === undefined ? outcome.decision : `cluster ${backend.cluster}`;
}

/** What the route says is answered. */
function routed(route: ProtoObject | undefined): string {
  if (route === undefined) return "404";
  if (route.directResponse) return String(object(route.directResponse).status);
  if (route.redirect) return `redirect ${object(route.redirect).pathRedirect}`;
  return `cluster ${object(route.route).cluster}`;
}

function asked(request: PlainRequest, port: number): Parameters<typeof explainRequest>[1] {
  const { method, host, path, query, headers } = request;
  const target = query === "" ? path : `${path}?${query}`;
  return { method, host, target, port, rawHeaders: headers.flat() };
}

const addresses = ["127.0.0.1", "127.0.0.2"];
const ports = [80, 81];

/** The Gateways that listen on `address`: explanations know of no addresses. */
function at(address: string, found: readonly GatewayConfig[]): DataPlaneConfig {
  return configOf({ gateways: found.filter((gateway) => gateway.addresses.includes(address)) });
}

Deno.test("the routes for Envoy serve what weir explains, of all Gateways on an address", () => {
  fc.assert(
    fc.property(
      gateways.map(withDistinctActions),
      fc.array(plainRequests, { minLength: 1, maxLength: 12 }),
      (found, requests) => {
        const { world } = translateOnce(configOf({ gateways: found }));
        const routes = shownResources(world, "route", envoyCodec);
        for (const address of addresses) {
          const config = at(address, found);
          for (const port of ports) {
            const configuration = routes.get(`${address}:${port}`) ?? {};
            for (const request of requests) {
              const explanation = explainRequest(config, asked(request, port), explainOptions);
              assertEquals(
                routed(chooseRoute(configuration, request)),
                explained(explanation, request),
                `${address}:${port} ${JSON.stringify(request)}`,
              );
            }
          }
        }
      },
    ),
    { numRuns: 150 },
  );
});

function withTls(listener: Listener): Listener {
  return { ...listener, protocol: "HTTPS", certificates: [certificate.name] };
}

Deno.test("a host of another listener than the server name's is answered 421, with Envoy too", () => {
  const serverNames = fc.constantFrom("a.x.io", "b.x.io", "c.a.x.io", "x.io", "other");
  fc.assert(
    fc.property(
      gateways.map(withDistinctActions),
      fc.array(fc.tuple(serverNames, plainRequests), { minLength: 1, maxLength: 12 }),
      (random, requests) => {
        const found = random.map((gateway) => ({
          ...gateway,
          listeners: gateway.listeners.map(withTls),
        }));
        const config = configOf({ gateways: found, certificates: [certificate] });
        const { world } = translateOnce(config);
        const routes = shownResources(world, "route", envoyCodec);
        const listeners = shownResources(world, "listener", envoyCodec);
        for (const address of addresses) {
          for (const [serverName, request] of requests) {
            const explain = (host: string): RequestExplanation =>
              explainRequest(at(address, found), asked({ ...request, host }, 80), explainOptions);
            const shown = explain(serverName);
            const served = explain(request.host);
            const name = routesForServerName(listeners.get(`${address}:80`) ?? {}, serverName);
            // Nobody has the server name: the connection is closed.
            assertEquals(name === undefined, shown.winner === undefined);
            if (name === undefined) continue;
            const isMisdirected = served.winner !== undefined &&
              served.winner.listener !== shown.winner?.listener;
            assertEquals(
              routed(chooseRoute(routes.get(name) ?? {}, request)),
              isMisdirected ? "421" : explained(served, request),
              `${serverName} ${JSON.stringify(request)}`,
            );
          }
        }
      },
    ),
    { numRuns: 150 },
  );
});
