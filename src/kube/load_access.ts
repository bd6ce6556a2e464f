/**
 * From a kubeconfig or from inside a pod to the access of one cluster.
 *
 * Nothing is guessed: without a file that was named and outside of a pod there is no access, and a
 * setting that cannot be honoured is refused. Proxies of the environment count where the kubeconfig
 * names none, as in kubectl.
 */

import type { Clock } from "../base/clock.ts";
import {
  AccessError,
  type ClusterAccess,
  type Credentials,
  type Impersonation,
} from "./cluster_access.ts";
import { ExecCredentials, type RunProgram } from "./exec_credentials.ts";
import {
  FileCredentials,
  type FileCredentialsOptions,
  type TextOrFile,
} from "./file_credentials.ts";
import { type ClusterEntry, readKubeconfig, type UserEntry } from "./kubeconfig.ts";
import { type AskProvider, OidcCredentials } from "./oidc_credentials.ts";
import { isProxyUrl } from "./proxy_tunnel.ts";
import { proxyFor } from "./proxy_environment.ts";

/** What of the machine is needed to read credentials. */
export interface AccessSurroundings {
  readonly env: (name: string) => string | undefined;
  /** Rejects when there is no such file, or it may not be read; the message names it and says why. */
  readonly readFile: (path: string) => Promise<string>;
  readonly runProgram: RunProgram;
  readonly askProvider: AskProvider;
  readonly clock: Clock;
}

/**
 * The files to read: the one that was named, else those of `KUBECONFIG`, else the one in the home
 * folder. The list is never empty; whether they exist is not looked at.
 */
export function kubeconfigPaths(
  named: string | undefined,
  env: AccessSurroundings["env"],
): readonly string[] {
  if (named !== undefined) return [named];
  const listed = (env("KUBECONFIG") ?? "").split(":").filter((path) => path !== "");
  return listed.length > 0 ? listed : [`${env("HOME") ?? ""}/.kube/config`];
}

/**
 * The access of a context. Of several files those that do not exist are left out, as kubectl does; at
 * least one has to be there.
 *
 * @throws AccessError
 */
export async function loadKubeconfigAccess(
  paths: readonly string[],
  context: string | undefined,
  surroundings: AccessSurroundings,
): Promise<ClusterAccess> {
  const files = [];
  const faults: string[] = [];
  for (const path of paths) {
    try {
      files.push({ path, content: await surroundings.readFile(path) });
    } catch (error) {
      faults.push(error instanceof Error ? error.message : `"${path}" cannot be read`);
    }
  }
  if (files.length === 0) {
    throw new AccessError(`Cannot use a kubeconfig: ${faults.join("; ")}`);
  }
  const { cluster, user, namespace } = readKubeconfig(files, context);
  const server = parseServer(cluster.server);
  const proxy = cluster["proxy-url"] === ""
    ? proxyFor(server, surroundings.env)
    : parseProxy(cluster["proxy-url"]);
  const impersonate = impersonationOf(user);
  return {
    server,
    credentials: credentialsOf(cluster, user, server, surroundings),
    isInsecure: cluster["insecure-skip-tls-verify"],
    ...cluster["tls-server-name"] === "" ? {} : { tlsServerName: cluster["tls-server-name"] },
    ...proxy === undefined ? {} : { proxy },
    ...impersonate === undefined ? {} : { impersonate },
    ...namespace === "" ? {} : { namespace },
  };
}

const podFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Whether this process looks like one in a pod. */
export function isInPod(env: AccessSurroundings["env"]): boolean {
  return Boolean(env("KUBERNETES_SERVICE_HOST")) && Boolean(env("KUBERNETES_SERVICE_PORT"));
}

/**
 * The access of the ServiceAccount of this pod.
 *
 * @param folder where the kubelet puts its files
 * @throws AccessError outside of a pod
 */
export async function loadPodAccess(
  { env, readFile, clock }: Omit<AccessSurroundings, "runProgram" | "askProvider">,
  folder: string = podFolder,
): Promise<ClusterAccess> {
  const host = env("KUBERNETES_SERVICE_HOST");
  const port = env("KUBERNETES_SERVICE_PORT");
  if (!host || !port) {
    throw new AccessError(
      "Cannot use the credentials of a pod: KUBERNETES_SERVICE_HOST and " +
        "KUBERNETES_SERVICE_PORT are not set, wanted both",
    );
  }
  const credentials = new FileCredentials({
    token: { file: `${folder}/token` },
    ca: { file: `${folder}/ca.crt` },
    readFile,
    clock,
  });
  const namespace = await readFile(`${folder}/namespace`).catch(() => ""); // Only the pod's name for it.
  return {
    server: parseServer(`https://${host.includes(":") ? `[${host}]` : host}:${port}`),
    credentials,
    isInsecure: false,
    ...namespace.trim() === "" ? {} : { namespace: namespace.trim() },
  };
}

function credentialsOf(
  cluster: ClusterEntry,
  user: UserEntry,
  server: URL,
  { readFile, runProgram, askProvider, clock }: AccessSurroundings,
): Credentials {
  const base = baseOptions(cluster, user, readFile, clock);
  const hasSecret = base.token !== undefined || base.basic !== undefined ||
    Boolean(user.exec ?? user["auth-provider"]);
  if (hasSecret && server.protocol === "http:" && !isLoopback(server)) {
    throw new AccessError(
      `Cannot use server "${server.origin}": a credential would be sent in the clear, wanted https`,
    );
  }
  const provider = user["auth-provider"];
  if (provider && provider.name !== "oidc") {
    throw new AccessError(
      `Cannot use auth-provider "${provider.name}": wanted "oidc", a token, a certificate, or an ` +
        "exec plugin",
    );
  }
  const files = new FileCredentials(base);
  if (base.token !== undefined || base.basic !== undefined) return files;
  if (user.exec) {
    return new ExecCredentials({ exec: user.exec, cluster, base: files, run: runProgram, clock });
  }
  if (!provider) return files;
  const { config } = provider;
  const ca = providerAuthority(config, readFile);
  return new OidcCredentials({ config, base: files, ask: askProvider, clock, ...ca && { ca } });
}

/** Data goes before a file, as everywhere in a kubeconfig. */
function providerAuthority(
  config: Readonly<Record<string, string>>,
  readFile: AccessSurroundings["readFile"],
): (() => Promise<string>) | undefined {
  const { "idp-certificate-authority-data": data, "idp-certificate-authority": file } = config;
  if (data) {
    const pem = decodePem(data, "idp-certificate-authority-data");
    return () => Promise.resolve(pem);
  }
  return file ? () => readFile(file) : undefined;
}

function baseOptions(
  cluster: ClusterEntry,
  user: UserEntry,
  readFile: AccessSurroundings["readFile"],
  clock: Clock,
): FileCredentialsOptions {
  const ca = either(cluster, "certificate-authority");
  const cert = either(user, "client-certificate");
  const key = either(user, "client-key");
  if ((cert === undefined) !== (key === undefined)) {
    const [there, missing] = cert
      ? ["client-certificate", "client-key"]
      : ["client-key", "client-certificate"];
    throw new AccessError(`Cannot use the ${there} of the user: there is no ${missing}`);
  }
  const { username, password } = user;
  // The file is the newer one of the two when both are there.
  const token: TextOrFile | undefined = user.tokenFile !== ""
    ? { file: user.tokenFile }
    : user.token !== ""
    ? { text: user.token }
    : undefined;
  return {
    readFile,
    clock,
    ...token ? { token } : {},
    ...username !== "" ? { basic: { username, password } } : {},
    ...ca ? { ca } : {},
    ...cert && key ? { cert, key } : {},
  };
}

type Named<Name extends string> = { readonly [Field in Name | `${Name}-data`]: string };

/** Data in the kubeconfig goes before a file. */
function either<Name extends string>(entry: Named<Name>, name: Name): TextOrFile | undefined {
  const data = entry[`${name}-data`];
  if (data !== "") return { text: decodePem(data, `${name}-data`) };
  return entry[name] === "" ? undefined : { file: entry[name] };
}

function decodePem(data: string, field: string): string {
  let text = "";
  try {
    text = atob(data.replaceAll(/\s/g, ""));
  } catch {
    // Told below, without the data.
  }
  if (!text.includes("-----BEGIN ")) {
    throw new AccessError(`Cannot use ${field}: it is not PEM in base64`);
  }
  return text;
}

function impersonationOf(user: UserEntry): Impersonation | undefined {
  const uid = user["as-uid"];
  const groups = user["as-groups"];
  const extra = user["as-user-extra"];
  if (user.as === "") {
    if (uid === "" && groups.length === 0 && Object.keys(extra).length === 0) return undefined;
    throw new AccessError("Cannot impersonate groups, a uid or extra fields without a user (as)");
  }
  return { user: user.as, groups, extra, ...uid === "" ? {} : { uid } };
}

function parseServer(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !["https:", "http:"].includes(url.protocol) || url.username !== "") {
    throw new AccessError(`Cannot use the cluster's server: it is not an https or http URL`);
  }
  return url;
}

function parseProxy(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && isProxyUrl(url)) return url;
  throw new AccessError("Cannot use proxy-url: wanted http:// or socks5:// and a host");
}

function isLoopback(url: URL): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}
