/**
 * Who may import whom, and who may touch the machine: the table behind docs/architecture.md.
 *
 * A layer is a folder of `src`. Everything that is not listed is forbidden. Type-only imports count
 * like any other: a type that is shared is a dependency that is shared.
 */

/** What one layer may import of ours, besides itself and `std`. */
export interface LayerRule {
  readonly mayImport: readonly string[] | "everything";
  /** Files of the layer that may use `Deno.*` and `node:*`: all, none, or the ones named. */
  readonly mayTouchMachine: boolean | readonly string[];
  /** Why, for the message of a violation. */
  readonly because: string;
}

/** The directions of the source layout. */
export const layerRules: Readonly<Record<string, LayerRule>> = {
  "main.ts": {
    mayImport: ["app", "cli", "config", "base"],
    mayTouchMachine: true,
    because: "main only turns arguments into a run and a run into an exit code",
  },
  app: {
    mayImport: "everything",
    mayTouchMachine: true,
    because: "the composition root knows everything",
  },
  base: {
    mayImport: [],
    mayTouchMachine: ["src/base/clock.ts", "src/base/log.ts"],
    because: "base holds leaf helpers without domain words",
  },
  std: {
    mayImport: [],
    mayTouchMachine: true,
    because: "std stands in for a third party",
  },
  api: {
    mayImport: ["base"],
    mayTouchMachine: false,
    because: "api describes what crosses HTTP and the command line, for every side of it",
  },
  cli: {
    // deno.json names the version.
    mayImport: ["base", "api", "config", "deno.json"],
    mayTouchMachine: true,
    because: "a command owns the interface of what it runs, and app fills it",
  },
  config: {
    mayImport: ["base", "api"],
    mayTouchMachine: true,
    because: "config knows flags, not what they switch on",
  },
  auth: {
    mayImport: ["base"],
    mayTouchMachine: false,
    because: "auth owns the interfaces of what it asks",
  },
  kube: {
    mayImport: ["base"],
    mayTouchMachine: true,
    because: "kube is the edge to the cluster and knows no user of it",
  },
  localkube: {
    mayImport: ["base", "kube"],
    mayTouchMachine: true,
    because: "subsystems never import each other",
  },
  query: {
    mayImport: ["base"],
    mayTouchMachine: false,
    because: "the incremental computation knows no Kubernetes",
  },
  dataplane: {
    mayImport: ["base"],
    mayTouchMachine: false,
    because: "every data plane is given the same model, free of Kubernetes objects",
  },
  gateway: {
    mayImport: ["base", "kube", "query", "dataplane"],
    mayTouchMachine: false,
    because: "subsystems never import each other",
  },
  proxy: {
    mayImport: ["base", "kube", "dataplane"],
    mayTouchMachine: true,
    because: "subsystems never import each other",
  },
  envoy: {
    mayImport: ["base", "kube", "dataplane"],
    mayTouchMachine: ["src/envoy/content_version.ts", "src/envoy/ads/ads_listener.ts"],
    because: "subsystems never import each other",
  },
  flow: {
    mayImport: ["base"],
    mayTouchMachine: false,
    because: "the flow registry knows no Kubernetes",
  },
  flowpolicy: {
    mayImport: ["base", "kube", "flow"],
    mayTouchMachine: false,
    because: "subsystems never import each other",
  },
  httpproxy: {
    mayImport: ["base", "kube"],
    mayTouchMachine: false,
    because: "subsystems never import each other",
  },
  watch: {
    mayImport: ["base", "kube"],
    mayTouchMachine: false,
    because: "subsystems never import each other",
  },
  install: {
    mayImport: ["base", "kube"],
    mayTouchMachine: false,
    because: "the manifests of an installation follow from the tables of kinds and rights",
  },
  http: {
    mayImport: ["base", "api", "auth"],
    mayTouchMachine: true,
    because: "http owns the interfaces of what it shows, and app fills them",
  },
  console: {
    mayImport: [],
    mayTouchMachine: false,
    because: "the console is static",
  },
};

/** A third party and the only places that may import it. */
export interface DoorRule {
  /** npm package names. */
  readonly packages: readonly string[];
  /** Path prefixes of the files that may import them; tests and scripts always may. */
  readonly doors: readonly string[];
}

/** Few doors for each third party, so that replacing one touches few places. */
export const doorRules: readonly DoorRule[] = [
  { packages: ["hono", "@hono/node-server"], doors: ["src/http/", "src/envoy/ads/ads_app.ts"] },
  { packages: ["@logtape/logtape"], doors: ["src/base/log.ts"] },
  { packages: ["@bufbuild/cel"], doors: ["src/localkube/"] },
  {
    packages: ["@bufbuild/protobuf"],
    doors: ["src/localkube/", "src/envoy/protobuf_codec.ts"],
  },
  { packages: ["@bufbuild/re2"], doors: ["src/dataplane/", "src/localkube/"] },
  {
    packages: ["yaml"],
    doors: ["src/config/", "src/localkube/", "src/cli/", "src/kube/kubeconfig.ts"],
  },
  { packages: ["valibot"], doors: ["src/api/", "src/kube/"] },
  { packages: ["@valibot/to-json-schema"], doors: ["src/api/"] },
  { packages: ["@peculiar/x509", "reflect-metadata"], doors: ["src/localkube/"] },
  { packages: ["socks"], doors: ["src/kube/proxy_tunnel.ts"] },
  { packages: ["fast-check"], doors: [] },
];
