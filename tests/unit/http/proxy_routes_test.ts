/**
 * What a user would lose if these failed: one Gateway out of hundreds, without the rest.
 */

import { assertEquals, assertThrows } from "@std/assert";
import { parse } from "valibot";
import { ProxyStateSchema } from "../../../src/api/proxy.ts";
import { toProxyState } from "../../../src/app/proxy_view.ts";
import { RefusedError } from "../../../src/http/problem.ts";
import { selectGateway } from "../../../src/http/proxy_routes.ts";
import { createTestApi, testProxy } from "../../fakes/http_api.ts";

Deno.test("/api/v1/proxy answers what its schema says", async () => {
  const { app } = createTestApi();
  const response = await app.request("/api/v1/proxy");
  const state = parse(ProxyStateSchema, await response.json());
  assertEquals(state.gateways[0]?.listeners[0]?.routes[0]?.route.name, "shop");
  assertEquals(state.clusters[0]?.endpoints, [{ address: "127.0.0.1", port: 3000 }]);
});

Deno.test("selectGateway() keeps one Gateway and the clusters that it uses", () => {
  const state = toProxyState(testProxy());
  const [gateway] = state.gateways;
  const [cluster] = state.clusters;
  if (!gateway || !cluster) throw new Error("the fixture is whole");
  const many = {
    ...state,
    gateways: [{ ...gateway, name: "other" }, gateway],
    clusters: [{ ...cluster, name: "default/unused/80" }, cluster],
  };
  assertEquals(selectGateway(many, undefined), many);
  assertEquals(selectGateway(many, "default/edge"), state);
  const error = assertThrows(() => selectGateway(many, "edge"), RefusedError);
  assertEquals([error.status, error.reason], [404, "NotFound"]);
});
