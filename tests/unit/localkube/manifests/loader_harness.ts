/**
 * A loader over a fake disk, a fake clock and a real store: everything but the machine.
 */

import { type KubeObject, objectKey } from "../../../../src/kube/object.ts";
import type { Kind } from "../../../../src/kube/kinds.ts";
import {
  ManifestsLoader,
  type ManifestsLoaderOptions,
} from "../../../../src/localkube/manifests/manifests_loader.ts";
import { MemoryCluster } from "../../../../src/localkube/store.ts";
import { FakeClock } from "../../../fakes/fake_clock.ts";
import { FakeFileSystem } from "../../../fakes/fake_file_system.ts";
import { openAdmission } from "../../../fakes/open_admission.ts";
import { RecordingLog } from "../../../fakes/recording_log.ts";

/** A Gateway as YAML; `spec` is one line of it. */
export function gatewayYaml(name: string, spec = "{}"): string {
  return [
    "apiVersion: gateway.networking.k8s.io/v1",
    "kind: Gateway",
    `metadata: {name: ${name}, namespace: default}`,
    `spec: ${spec}`,
    "",
  ].join("\n");
}

/** Several documents in one file. */
export function yamlStream(...documents: readonly string[]): string {
  return documents.join("---\n");
}

/** See the file's header. */
export class LoaderHarness {
  readonly files = new FakeFileSystem();
  readonly clock = new FakeClock();
  readonly log = new RecordingLog();
  readonly cluster: MemoryCluster;
  readonly loader: ManifestsLoader;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: Partial<ManifestsLoaderOptions> = {}) {
    let count = 0;
    this.cluster = new MemoryCluster({
      admission: openAdmission,
      clock: this.clock,
      newUid: () => `uid-${count++}`,
      freezesObjects: true,
    });
    this.loader = new ManifestsLoader({
      paths: ["/m"],
      cluster: this.cluster,
      fileSystem: this.files,
      clock: this.clock,
      log: this.log,
      ...options,
    });
  }

  /** Starts to follow, and waits until the first look and the first scan are done. */
  async start(): Promise<void> {
    this.#running = this.loader.run(this.#stop.signal);
    await this.clock.advance(20);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.clock.settle();
    await this.#running;
  }

  get(name: string, kind: Kind = "Gateway"): KubeObject | undefined {
    const namespaced = kind !== "GatewayClass" && kind !== "Namespace";
    return this.cluster.get(kind, objectKey(namespaced ? "default" : undefined, name));
  }

  names(): readonly string[] {
    return this.cluster.list("Gateway").items.map(({ metadata }) => metadata.name);
  }

  /** `FILE:LINE message` of each problem. */
  problems(): readonly string[] {
    return this.loader.problems().map(({ source, message }) => `${source} ${message}`);
  }

  /** `verb object` of each change that was logged. */
  applied(): readonly string[] {
    return this.log.records.filter(({ message }) => message === "Manifest applied")
      .map(({ fields }) => `${fields.verb} ${fields.object}`);
  }
}
