/** A folder with a kubeconfig of an API double, for commands that read a cluster. */

import { gatewayCrdNames } from "../../src/kube/bundle_versions.ts";
import { ApiDouble } from "./api_double.ts";
import { DoubleServer } from "./double_server.ts";

/** The token of the kubeconfig, which nobody may see. */
export const clusterToken = "a-token-that-stays-secret";

/** See the file's header. */
export interface ClusterFolder extends AsyncDisposable {
  readonly root: string;
  readonly kubeconfig: string;
  readonly double: ApiDouble;
  readonly server: DoubleServer;
  /** Writes a file of the folder; its path. */
  write(name: string, text: string): Promise<string>;
}

/** A double with CRDs of `release` behind a socket, and a folder with a way to it. */
export async function openClusterFolder(release = "v1.6.3"): Promise<ClusterFolder> {
  const double = new ApiDouble();
  double.tokens = new Set([clusterToken]);
  double.intercept = ({ path }) => {
    const name = /\/customresourcedefinitions\/(.+)$/.exec(path)?.[1];
    if (name === undefined || !gatewayCrdNames.includes(name)) return undefined;
    const annotations = { "gateway.networking.k8s.io/bundle-version": release };
    return { type: "answer", code: 200, body: JSON.stringify({ metadata: { name, annotations } }) };
  };
  const server = new DoubleServer(double);
  const url = await server.start();
  const root = await Deno.makeTempDir({ prefix: "weir-cluster-" });
  const write = async (name: string, text: string): Promise<string> => {
    await Deno.writeTextFile(`${root}/${name}`, text);
    return `${root}/${name}`;
  };
  const kubeconfig = await write("kubeconfig", kubeconfigOf(url));
  return {
    root,
    kubeconfig,
    double,
    server,
    write,
    async [Symbol.asyncDispose]() {
      await server.stop();
      await Deno.remove(root, { recursive: true });
    },
  };
}

function kubeconfigOf(url: URL): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "double",
    contexts: [{ name: "double", context: { cluster: "double", user: "double" } }],
    clusters: [{ name: "double", cluster: { server: url.href } }],
    users: [{ name: "double", user: { token: clusterToken } }],
  });
}
