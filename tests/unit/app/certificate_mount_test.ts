// What a user would lose: an alert on the certificate that ends first, and a log line that names it.

import { assert, assertEquals } from "@std/assert";
import { mountCertificates } from "../../../src/app/certificate_mount.ts";
import { createEventLog } from "../../../src/app/event_log.ts";
import { MetricsRegistry } from "../../../src/base/metrics.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import { makeCertificate } from "../../fakes/gateway_certificates.ts";
import { GatewayEngine } from "../../fakes/gateway_engine.ts";
import { gateway, gatewayClass, httpsListener, tlsSecret } from "../../fakes/gateway_objects.ts";
import { RecordingLog } from "../../fakes/recording_log.ts";

Deno.test("mountCertificates() shows ends by Secret, warns once, and shows no value", async () => {
  const pem = await makeCertificate(["a.io"]);
  const engine = new GatewayEngine({ clock: new FakeClock(Date.UTC(2035, 11, 20)) });
  const registry = new MetricsRegistry();
  const log = new RecordingLog();
  const watch = mountCertificates({
    state: engine.state,
    config: { certificateWarningDays: 30 },
    registry,
    clock: engine.clock,
    recorder: createEventLog(log, registry),
  });
  engine.source.put(
    gatewayClass(),
    gateway("gw", [httpsListener("https", ["cert"], { hostname: "a.io" })]),
    tlsSecret("cert", pem),
    tlsSecret("unused", pem),
  );
  const stop = new AbortController();
  engine.run();
  const watching = watch.run(stop.signal);
  await engine.clock.advance(1000);
  const series = (name: string) =>
    registry.render().split("\n").filter((line) => line.startsWith(name));
  assertEquals(series("weir_certificate_expiry_timestamp_seconds"), [
    'weir_certificate_expiry_timestamp_seconds{namespace="default",name="cert"} 2082758400',
  ]);
  assertEquals(series("weir_events_total"), [
    'weir_events_total{type="Warning",reason="CertificateExpiring"} 1',
  ]);
  assertEquals(log.records, [{
    level: "warn",
    message: "Event",
    fields: {
      object: "Secret default/cert",
      reason: "CertificateExpiring",
      action: "Renew",
      note: "Its certificate expires at 2036-01-01T00:00:00Z " +
        "(shown by listener https of Gateway default/gw)",
    },
  }]);
  engine.source.delete("Gateway", "default/gw");
  await engine.clock.advance(1000);
  assertEquals(series("weir_certificate_expiry_timestamp_seconds"), []);
  assert(!registry.render().includes("PRIVATE"));
  stop.abort();
  await watching;
  await engine.stop();
});
