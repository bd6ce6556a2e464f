/**
 * A loader of manifests on a real temporary folder with real watchers.
 *
 * A rescan is set to never happen unless a test asks for one, so that tests need the watcher. Each
 * wait has a condition and ends when it holds; the limit is only there so that a failure ends.
 */

import { assert } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";
import { type KubeObject, objectKey } from "../../src/kube/object.ts";
import { DenoFileSystem } from "../../src/localkube/manifests/deno_file_system.ts";
import {
  type LoaderTimes,
  ManifestsLoader,
} from "../../src/localkube/manifests/manifests_loader.ts";
import { MemoryCluster } from "../../src/localkube/store.ts";
import { openAdmission } from "./open_admission.ts";
import { RecordingLog } from "./recording_log.ts";

/** A rescan that does not happen. */
export const never = 1_000_000;
/** How long a wait may take before its test fails. */
export const limitMs = 10_000;

/** A Gateway as YAML. */
export function gatewayYaml(name: string, n: number): string {
  return `apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {name: ${name}, namespace: default}
spec: {n: ${n}}
`;
}

/** A loader on a temporary folder that ends with the test. */
export class RealFolder {
  readonly path: string;
  readonly cluster: MemoryCluster;
  readonly loader: ManifestsLoader;
  readonly log = new RecordingLog();
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #wake: () => void = () => {};

  constructor(times: Partial<LoaderTimes> = {}) {
    this.path = Deno.makeTempDirSync({ prefix: "weir-loader-" });
    let count = 0;
    this.cluster = new MemoryCluster({
      admission: openAdmission,
      clock: systemClock,
      newUid: () => `uid-${count++}`,
      freezesObjects: true,
    });
    this.loader = new ManifestsLoader({
      paths: [`${this.path}/m`],
      cluster: this.cluster,
      fileSystem: new DenoFileSystem(),
      clock: systemClock,
      log: this.log,
      times: { rescanMs: never, ...times },
    });
    this.loader.onChange(() => this.#wake());
    Deno.mkdirSync(`${this.path}/m`);
  }

  /** Starts, and waits for a file that the watcher must have told of. */
  async start(): Promise<void> {
    this.#running = this.loader.run(this.#stop.signal);
    await this.until(() => this.loader.hasSynced);
    for (let attempt = 0; !this.get("probe"); attempt++) {
      this.write("probe.yaml", gatewayYaml("probe", attempt));
      await systemClock.sleep(20);
      assert(attempt < limitMs / 20, "the watcher never told of a file");
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await Deno.remove(this.path, { recursive: true });
  }

  write(name: string, text: string): void {
    Deno.writeTextFileSync(`${this.path}/m/${name}`, text);
  }

  get(name: string): KubeObject | undefined {
    return this.cluster.get("Gateway", objectKey("default", name));
  }

  spec(name: string): unknown {
    return this.get(name)?.spec;
  }

  /** Waits for `condition`, which is looked at after each change that the loader tells. */
  async until(condition: () => boolean): Promise<void> {
    const deadlineMs = systemClock.monotonicMs() + limitMs;
    while (!condition()) {
      assert(systemClock.monotonicMs() < deadlineMs, `never came true: ${condition}`);
      await new Promise<void>((resolve) => {
        const cancel = systemClock.after(50, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
    }
  }

  problems(): readonly string[] {
    return this.loader.problems().map(({ source }) => source);
  }
}
