/**
 * Issues the TLS Secrets that listeners name and nobody defines, so that HTTPS works on a laptop
 * without a certificate tool.
 *
 * A Secret that a manifest defines always wins: only missing ones are created, and what was created
 * carries an annotation. Nothing is written to disk.
 */

import type { Clock } from "../base/clock.ts";
import type { Logger } from "../base/log.ts";
import { Wakeup } from "../base/wakeup.ts";
import { objectKey } from "../kube/object.ts";
import type { ObjectKey } from "../kube/object.ts";
import type { DevelopmentCa } from "./development_ca.ts";
import { wantedCertificates } from "./wanted_certificates.ts";
import type { WantedCertificate } from "./wanted_certificates.ts";
import type { LocalCluster } from "./store_contract.ts";

/** Marks a Secret that was issued here. */
const issuedAnnotation = "weir.dev/development-certificate";

/** At most so many Secrets are issued; later ones are left missing, and said so once. */
const issuedMax = 256;
const renewalCheckMs = 60 * 60 * 1000;

/** See the file's header for the promises. */
export class DevelopmentCertificates {
  readonly #cluster: LocalCluster;
  readonly #ca: DevelopmentCa;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #wakeup = new Wakeup();
  readonly #renewAtMs = new Map<ObjectKey, number>();
  #hasSaidFull = false;

  constructor(
    options: { cluster: LocalCluster; ca: DevelopmentCa; clock: Clock; log: Logger },
  ) {
    this.#cluster = options.cluster;
    this.#ca = options.ca;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** Issues what is missing or due for renewal now; resolves when the Secrets are stored. */
  async issueMissing(): Promise<void> {
    const gateways = this.#cluster.list("Gateway").items;
    for (const wanted of wantedCertificates(gateways)) {
      if (this.#isNeeded(wanted)) await this.#issue(wanted);
    }
  }

  /** Follows Gateways and Secrets and issues what becomes missing, until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const stops = (["Gateway", "Secret"] as const).map((kind) => {
      const from = this.#cluster.list(kind).resourceVersion;
      const watch = this.#cluster.watch(kind, from, () => this.#wakeup.signal());
      return watch.ok ? watch.stop : () => {};
    });
    let cancelTimer = (): void => {};
    try {
      while (!signal.aborted) {
        await this.issueMissing();
        cancelTimer();
        cancelTimer = this.#clock.after(renewalCheckMs, () => this.#wakeup.signal());
        await this.#wakeup.wait(signal);
      }
    } finally {
      cancelTimer();
      for (const stop of stops) stop();
    }
  }

  #isNeeded({ namespace, name }: WantedCertificate): boolean {
    const key = objectKey(namespace, name);
    const existing = this.#cluster.get("Secret", key);
    if (!existing) return this.#renewAtMs.size < issuedMax || this.#sayFull();
    const isOurs = existing.metadata.annotations?.[issuedAnnotation] !== undefined;
    const renewAtMs = this.#renewAtMs.get(key) ?? Infinity;
    return isOurs && renewAtMs <= this.#clock.now();
  }

  #sayFull(): false {
    if (!this.#hasSaidFull) {
      this.#hasSaidFull = true;
      this.#log.warn("Cannot issue more development certificates", { max: issuedMax });
    }
    return false;
  }

  async #issue(wanted: WantedCertificate): Promise<void> {
    const { namespace, name, dnsNames } = wanted;
    const issued = await this.#ca.issue(dnsNames);
    // The world may have changed meanwhile: a manifest's own Secret must never be replaced.
    if (!this.#isNeeded(wanted)) return;
    const result = this.#cluster.apply("Secret", {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace, name, annotations: { [issuedAnnotation]: dnsNames.join(",") } },
      type: "kubernetes.io/tls",
      data: {
        "tls.crt": toBase64(issued.certificateChain),
        "tls.key": toBase64(issued.privateKey),
      },
    });
    const fields = { namespace, name, dnsNames };
    if (!result.ok) {
      this.#log.error("Cannot store a development certificate", {
        ...fields,
        reason: result.error.message,
      });
      return;
    }
    this.#renewAtMs.set(objectKey(namespace, name), issued.renewAtMs);
    this.#log.info("Issued a development certificate", fields);
  }
}

function toBase64(text: string): string {
  return new TextEncoder().encode(text).toBase64();
}
