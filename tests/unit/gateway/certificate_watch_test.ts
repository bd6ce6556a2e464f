/**
 * What a user would lose: one word in time about each certificate that nobody renews, and a log that
 * is not full of it.
 */

import { assert, assertEquals } from "@std/assert";
import type { Certificate, DataPlaneConfig, GatewayConfig } from "../../../src/dataplane/model.ts";
import { certificateName } from "../../../src/dataplane/model.ts";
import { CertificateWatch } from "../../../src/gateway/certificate_watch.ts";
import type { GatewayEvent } from "../../../src/gateway/event_recorder.ts";
import { noOutputs, type Outputs } from "../../../src/gateway/outputs.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";
import { gateway, listener } from "../../fakes/data_plane_config.ts";

const day = 24 * 60 * 60 * 1000;
const start = Date.UTC(2026, 0, 1);

/** A certificate that ends so many days from the start, of a life of a year. */
function endingIn(days: number, name = "cert", digest = "1"): Certificate {
  const endMs = start + days * day;
  return {
    name: certificateName("default", name),
    certificateChain: "PEM",
    privateKey: "hunter2",
    digest,
    leaf: {
      dnsNames: [],
      notBefore: new Date(endMs - 365 * day).toISOString(),
      notAfter: new Date(endMs).toISOString(),
    },
  };
}

function outputsWith(certificates: readonly Certificate[]): Outputs {
  const config: GatewayConfig = gateway("gw", [
    listener("gw", {
      name: "https",
      port: 443,
      protocol: "HTTPS",
      certificates: certificates.map(({ name }) => name),
    }),
  ]);
  const dataPlane: DataPlaneConfig = {
    revision: 1,
    gateways: new Map([[config.key, config]]),
    clusters: new Map(),
    certificates: new Map(certificates.map((certificate) => [certificate.name, certificate])),
  };
  return { ...noOutputs, dataPlane };
}

interface World {
  readonly clock: FakeClock;
  readonly events: readonly GatewayEvent[];
  /** The reasons and names of the events since the last call. */
  news(): readonly string[];
  /** Other certificates are in use from now on. */
  use(...certificates: readonly Certificate[]): Promise<void>;
}

async function watching(
  certificates: readonly Certificate[],
  act: (world: World) => Promise<void>,
): Promise<void> {
  const clock = new FakeClock(start);
  const events: GatewayEvent[] = [];
  const state = {
    outputs: outputsWith(certificates),
    inputs: { get: () => undefined },
  };
  const watch = new CertificateWatch({
    clock,
    recorder: { record: (event) => events.push(event) },
    state,
    warningDays: 30,
  });
  const stop = new AbortController();
  const running = watch.run(stop.signal);
  let told = 0;
  try {
    await clock.settle();
    await act({
      clock,
      events,
      news() {
        const news = events.slice(told).map(({ reason, regarding }) =>
          `${reason} ${regarding.name}`
        );
        told = events.length;
        return news;
      },
      async use(...used) {
        state.outputs = outputsWith(used);
        watch.onCommit({ certificates: used.map(({ name }) => name) });
        await clock.settle();
      },
    });
  } finally {
    stop.abort();
    await running;
  }
  assertEquals(clock.pending, 0);
}

Deno.test("CertificateWatch tells each stage once, at its time", async () => {
  await watching([endingIn(100)], async ({ clock, news, events }) => {
    await clock.advance(70 * day - 1);
    assertEquals(news(), []);
    await clock.advance(1);
    assertEquals(news(), ["CertificateExpiring cert"]);
    assertEquals(events[0], {
      regarding: { kind: "Secret", namespace: "default", name: "cert" },
      type: "Warning",
      reason: "CertificateExpiring",
      action: "Renew",
      note: "Its certificate expires at 2026-04-11T00:00:00.000Z " +
        "(shown by listener https of Gateway default/gw)",
    });
    await clock.advance(30 * day - 1);
    assertEquals(news(), []);
    await clock.advance(1);
    assertEquals(news(), ["CertificateExpired cert"]);
    await clock.advance(1000 * day);
    assertEquals(news(), []);
    assert(!JSON.stringify(events).includes("hunter2"));
  });
});

Deno.test("CertificateWatch has one appointment, however many certificates there are", async () => {
  const many = Array.from({ length: 500 }, (_, index) => endingIn(100 + index, `cert-${index}`));
  await watching(many, async ({ clock, use }) => {
    assertEquals(clock.pending, 1);
    await use(...many, endingIn(50));
    assertEquals(clock.pending, 1);
  });
});

Deno.test("CertificateWatch tells once of one content, whoever comes and goes", async () => {
  await watching([], async ({ news, use }) => {
    await use(endingIn(10));
    assertEquals(news(), ["CertificateExpiring cert"]);
    await use();
    await use(endingIn(10));
    assertEquals(news(), []);
    // Renewed, and still not long enough.
    await use(endingIn(20, "cert", "2"));
    assertEquals(news(), ["CertificateExpiring cert"]);
    await use(endingIn(90, "cert", "3"));
    assertEquals(news(), []);
  });
});

Deno.test("CertificateWatch tells at once what has expired, without its warning", async () => {
  await watching([endingIn(-1)], async ({ clock, news }) => {
    assertEquals(news(), ["CertificateExpired cert"]);
    await clock.advance(day);
    assertEquals(news(), []);
  });
});

Deno.test("CertificateWatch tells some at a time, those first that end first, and loses none", async () => {
  const many = Array.from({ length: 50 }, (_, index) => endingIn(25 - index / 10, `c${index}`));
  await watching(many, async ({ clock, news }) => {
    const first = news();
    assertEquals([first.length, first[0]], [20, "CertificateExpiring c49"]);
    await clock.advance(60_000);
    assertEquals(news().length, 20);
    await clock.advance(60_000);
    assertEquals(news().length, 10);
    await clock.advance(day);
    assertEquals(news(), []);
  });
});

Deno.test("CertificateWatch finds out by itself that the wall clock was set forward", async () => {
  await watching([endingIn(100)], async ({ clock, news }) => {
    const now = clock.now.bind(clock);
    clock.now = () => now() + 80 * day;
    await clock.advance(6 * 60 * 60 * 1000);
    assertEquals(news(), ["CertificateExpiring cert"]);
  });
});
