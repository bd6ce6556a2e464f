/**
 * weir with its own proxy against a real API server: what is accepted and programmed, and that the
 * requests arrive. Without it nothing of the product is known to work in a cluster.
 */

import { assertEquals } from "@std/assert";
import { grantAccess } from "./access.ts";
import { countByObject, statusWrites } from "./audit_log.ts";
import { ask } from "./traffic.ts";
import { withCluster } from "./test_cluster.ts";
import {
  backendManifests,
  conditionsOf,
  gatewayAddress,
  gatewayManifests,
  httpRoute,
  startBackend,
  untilProgrammed,
  untilServed,
} from "./world.ts";
import { WeirRun } from "./weir_run.ts";

Deno.test("class, Gateway and route are accepted and programmed, and requests arrive", async () => {
  await withCluster(async (cluster) => {
    await using backend = startBackend();
    const kubeconfig = await grantAccess(cluster);
    await cluster.apply(gatewayManifests("serving"));
    await cluster.apply(backendManifests("serving", backend.addr.port));
    await cluster.apply(JSON.stringify(httpRoute("serving", "app", "app.test")));
    await using weir = WeirRun.start({
      kubeconfig,
      args: [`--gateway-addresses=${gatewayAddress}`],
    });
    await weir.ready();

    const status = await untilProgrammed(cluster, "serving");
    assertEquals(status.addresses, [{ type: "IPAddress", value: gatewayAddress }]);
    const gatewayClass = await cluster.api(
      "/apis/gateway.networking.k8s.io/v1/gatewayclasses/weir",
    );
    assertEquals(conditionsOf(gatewayClass?.status), [
      "Accepted=True/Accepted",
      "SupportedVersion=True/SupportedVersion",
    ]);
    await untilServed(cluster, "serving", "app");
    const target = { address: gatewayAddress, port: 80, host: "app.test" };
    assertEquals((await ask(target)).outcome, "200");

    // One write for each object that needed one.
    assertEquals(
      Object.fromEntries(countByObject(statusWrites(await cluster.audit()))),
      { "gatewayclasses//weir": 1, "gateways/serving/web": 1, "httproutes/serving/app": 1 },
    );
    assertEquals(await weir.stop(), 0, weir.log);
  });
});
