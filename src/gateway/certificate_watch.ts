/**
 * Tells of certificates in use that are about to expire, or have: one event for each content and
 * stage.
 *
 * There is one appointment, at the time when the next certificate reaches its next stage, and a look
 * when certificates change. Wall time may jump, so it looks now and then without a cause. What has to
 * be told at once is told soonest end first, some at a time; the rest follows. Memory: what was told
 * is kept for certificates in use and for some that were.
 */

import type { Clock } from "../base/clock.ts";
import { Wakeup } from "../base/wakeup.ts";
import type { Certificate, CertificateName, DataPlaneConfig } from "../dataplane/model.ts";
import { objectKey } from "../kube/object.ts";
import {
  type ExpiryStage,
  expiryStageAt,
  expiryTimesOf,
  nextStageMs,
} from "./certificate_expiry.ts";
import { certificateUsers } from "./certificate_users.ts";
import { expiryMessage } from "./diagnostics/certificate_diagnostics.ts";
import type { OutputChanges } from "./diff.ts";
import {
  eventNoteMax,
  type EventObject,
  type EventRecorder,
  eventTypes,
} from "./event_recorder.ts";
import type { InputReader } from "./input_reader.ts";
import type { Outputs } from "./outputs.ts";

/** A look without a cause. */
const lookMaxMs = 6 * 60 * 60 * 1000;
/** Events of one look; the rest is told at the next. */
const eventsMax = 20;
const nextEventsMs = 60 * 1000;
/** Certificates of which it is remembered what was told. */
const toldMax = 10_000;

/** What a watch is built from. */
export interface CertificateWatchOptions {
  readonly clock: Clock;
  readonly recorder: EventRecorder;
  readonly state: { readonly outputs: Outputs; readonly inputs: Pick<InputReader, "get"> };
  readonly warningDays: number;
}

type ToldStage = Exclude<ExpiryStage, "fine">;

interface Due {
  readonly certificate: Certificate;
  readonly stage: ToldStage;
  readonly expiredMs: number;
}

/** See the file's header. */
export class CertificateWatch {
  readonly #options: CertificateWatchOptions;
  readonly #wakeup = new Wakeup();
  /** The stage that was told last, by name and digest; those told longest ago first. */
  readonly #told = new Map<string, ToldStage>();

  constructor(options: CertificateWatchOptions) {
    this.#options = options;
  }

  /** Takes note of a commit. */
  onCommit({ certificates }: Pick<OutputChanges, "certificates">): void {
    if (certificates.length > 0) this.#wakeup.signal();
  }

  /** Tells until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      const waitMs = Math.max(0, this.#look() - clock.now());
      const cancel = clock.after(Math.min(waitMs, lookMaxMs), () => this.#wakeup.signal());
      await this.#wakeup.wait(signal);
      cancel();
    }
  }

  /** Tells what is due; when to look again. */
  #look(): number {
    const { clock, state, warningDays } = this.#options;
    const { dataPlane } = state.outputs;
    const nowMs = clock.now();
    const due: Due[] = [];
    let nextMs = Infinity;
    for (const certificate of dataPlane.certificates.values()) {
      const times = expiryTimesOf(certificate.leaf, warningDays);
      nextMs = Math.min(nextMs, nextStageMs(times, nowMs));
      const stage = expiryStageAt(times, nowMs);
      if (stage === "fine" || this.#wasTold(certificate, stage)) continue;
      due.push({ certificate, stage, expiredMs: times.expiredMs });
    }
    due.sort((a, b) => a.expiredMs - b.expiredMs);
    if (due.length > 0) this.#tell(due.slice(0, eventsMax), dataPlane);
    return due.length > eventsMax ? nowMs + nextEventsMs : nextMs;
  }

  #wasTold(certificate: Certificate, stage: ToldStage): boolean {
    const told = this.#told.get(idOf(certificate));
    return told === stage || told === "expired";
  }

  #tell(due: readonly Due[], dataPlane: DataPlaneConfig): void {
    const users = certificateUsers(dataPlane);
    for (const { certificate, stage } of due) {
      const { name, leaf } = certificate;
      const reason = stage === "expired" ? "CertificateExpired" : "CertificateExpiring";
      this.#options.recorder.record({
        regarding: this.#secretOf(name),
        type: eventTypes[reason],
        reason,
        action: "Renew",
        note: expiryMessage(stage, leaf.notAfter, users.get(name) ?? []).slice(0, eventNoteMax),
      });
      this.#told.delete(idOf(certificate));
      this.#told.set(idOf(certificate), stage);
    }
    this.#forget(dataPlane);
  }

  #secretOf(certificate: CertificateName): EventObject {
    const [namespace = "", name = ""] = certificate.split("/");
    const secret = this.#options.state.inputs.get("Secret", objectKey(namespace, name));
    const uid = secret?.metadata.uid;
    return { kind: "Secret", namespace, name, ...(uid === undefined ? {} : { uid }) };
  }

  #forget({ certificates }: DataPlaneConfig): void {
    if (this.#told.size <= toldMax) return;
    const used = new Set([...certificates.values()].map(idOf));
    for (const id of this.#told.keys()) {
      if (this.#told.size <= toldMax) return;
      if (!used.has(id)) this.#told.delete(id);
    }
  }
}

function idOf({ name, digest }: Certificate): string {
  return `${name} ${digest}`;
}
