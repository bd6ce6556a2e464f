// Who looks at a Gateway learns there of its certificate's end.

import { assertEquals } from "@std/assert";
import { tellGateways } from "../../../src/app/certificate_events.ts";
import type { GatewayEvent } from "../../../src/gateway/event_recorder.ts";
import { makeCertificate } from "../../fakes/gateway_certificates.ts";
import { GatewayEngine } from "../../fakes/gateway_engine.ts";
import { gateway, gatewayClass, httpsListener, tlsSecret } from "../../fakes/gateway_objects.ts";

Deno.test("what is told of a certificate's Secret is told of the Gateways that show it", async () => {
  const engine = new GatewayEngine();
  const pem = await makeCertificate(["a.io"]);
  engine.source.put(
    gatewayClass(),
    gateway("gw", [httpsListener("https", ["cert"], { hostname: "a.io" })]),
    gateway("other"),
    tlsSecret("cert", pem),
  );
  engine.run();
  await engine.clock.advance(1000);
  const told: string[] = [];
  const recorder = tellGateways({
    record: ({ regarding: { kind, namespace, name }, note }) => {
      told.push(`${kind} ${namespace}/${name}: ${note}`);
    },
  }, engine.state);
  const event: GatewayEvent = {
    regarding: { kind: "Secret", namespace: "default", name: "cert" },
    type: "Warning",
    reason: "CertificateExpiring",
    action: "Renew",
    note: "Its certificate expires soon",
  };
  recorder.record(event);
  recorder.record({
    ...event,
    regarding: { kind: "Gateway", namespace: "default", name: "other" },
  });
  assertEquals(told, [
    "Secret default/cert: Its certificate expires soon",
    `Gateway default/gw: Secret "default/cert": Its certificate expires soon`,
    "Gateway default/other: Its certificate expires soon",
  ]);
  await engine.stop();
});
