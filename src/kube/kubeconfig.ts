/**
 * kubeconfig files, as kubectl reads them: several files are one, the first that says something wins,
 * and paths are relative to the file that holds them.
 *
 * Parsed at the door; what weir does not read is dropped. What is wrong is told with the file and the
 * field. No message holds a token, a key or a password. Not here: reading files, making credentials.
 */

import { dirname, isAbsolute, join } from "node:path";
import * as v from "valibot";
import { parse } from "yaml";
import { AccessError } from "./cluster_access.ts";
import { describeIssue } from "./decode/decoded.ts";

const text = v.nullish(v.string(), "");
const texts = v.nullish(v.array(v.string()), []);

const execSchema = v.object({
  apiVersion: text,
  command: v.string(),
  args: texts,
  env: v.nullish(v.array(v.object({ name: v.string(), value: v.string() })), []),
  installHint: text,
  provideClusterInfo: v.nullish(v.boolean(), false),
  interactiveMode: text,
});

const clusterSchema = v.object({
  server: text,
  "tls-server-name": text,
  "insecure-skip-tls-verify": v.nullish(v.boolean(), false),
  "certificate-authority": text,
  "certificate-authority-data": text,
  "proxy-url": text,
});

const userSchema = v.object({
  "client-certificate": text,
  "client-certificate-data": text,
  "client-key": text,
  "client-key-data": text,
  token: text,
  tokenFile: text,
  username: text,
  password: text,
  as: text,
  "as-uid": text,
  "as-groups": texts,
  "as-user-extra": v.nullish(v.record(v.string(), v.array(v.string())), {}),
  exec: v.nullish(execSchema),
  "auth-provider": v.nullish(v.object({
    name: v.string(),
    config: v.nullish(v.record(v.string(), v.string()), {}),
  })),
});

const contextSchema = v.object({ cluster: text, user: text, namespace: text });

const fileSchema = v.object({
  "current-context": text,
  clusters: v.nullish(
    v.array(v.object({ name: v.string(), cluster: v.nullish(clusterSchema, {}) })),
    [],
  ),
  users: v.nullish(v.array(v.object({ name: v.string(), user: v.nullish(userSchema, {}) })), []),
  contexts: v.nullish(
    v.array(v.object({ name: v.string(), context: v.nullish(contextSchema, {}) })),
    [],
  ),
});

/** How a credential plugin is run. */
export type ExecConfig = v.InferOutput<typeof execSchema>;
/** A cluster of a kubeconfig; absent texts are empty. Paths are absolute. */
export type ClusterEntry = v.InferOutput<typeof clusterSchema>;
/** A user of a kubeconfig; absent texts are empty. Paths are absolute. */
export type UserEntry = v.InferOutput<typeof userSchema>;

/** A file as it was read. */
export interface KubeconfigFile {
  readonly path: string;
  readonly content: string;
}

/** What one context says. */
export interface KubeconfigContext {
  readonly name: string;
  readonly cluster: ClusterEntry;
  readonly user: UserEntry;
  readonly namespace: string;
}

/** Much larger than any kubeconfig: with more, the wrong file was named. */
const contentLengthMax = 4 << 20;

/**
 * The context `name` of the files, or their current one.
 *
 * @throws AccessError
 */
export function readKubeconfig(
  files: readonly KubeconfigFile[],
  name?: string,
): KubeconfigContext {
  const parts = files.map(parseFile);
  const wanted = name ?? parts.map((part) => part["current-context"]).find((it) => it !== "");
  const where = files.map(({ path }) => `"${path}"`).join(", ");
  if (wanted === undefined) {
    throw new AccessError(`Cannot use ${where}: there is no current context, name one`);
  }
  const context = find(parts.flatMap(({ contexts }) => contexts), wanted)?.context;
  if (context === undefined) {
    const known = parts.flatMap(({ contexts }) => contexts.map((each) => `"${each.name}"`));
    throw new AccessError(
      `Cannot use context "${wanted}" of ${where}: there is none of this name, ` +
        (known.length === 0 ? "there are none" : `there are ${[...new Set(known)].join(", ")}`),
    );
  }
  const cluster = find(parts.flatMap(({ clusters }) => clusters), context.cluster)?.cluster;
  const user = find(parts.flatMap(({ users }) => users), context.user)?.user;
  const missing = !cluster ? `cluster "${context.cluster}"` : `user "${context.user}"`;
  // A context without a user is one without credentials.
  if (!cluster || (!user && context.user !== "")) {
    throw new AccessError(`Cannot use context "${wanted}" of ${where}: there is no ${missing}`);
  }
  return {
    name: wanted,
    cluster,
    user: user ?? v.parse(userSchema, {}),
    namespace: context.namespace,
  };
}

function find<T extends { readonly name: string }>(
  entries: readonly T[],
  name: string,
): T | undefined {
  return entries.find((entry) => entry.name === name);
}

function parseFile({ path, content }: KubeconfigFile): v.InferOutput<typeof fileSchema> {
  if (content.length > contentLengthMax) {
    throw new AccessError(`Cannot read "${path}": it is larger than 4 MiB`);
  }
  const result = v.safeParse(fileSchema, parseYaml(path, content) ?? {});
  if (!result.success) {
    throw new AccessError(`Cannot read "${path}": ${describeIssue(result.issues[0])}`);
  }
  const resolve = (value: string): string => resolvePath(path, value);
  const file = result.output;
  return {
    ...file,
    clusters: file.clusters.map(({ name, cluster }) => ({
      name,
      cluster: {
        ...v.parse(clusterSchema, cluster),
        "certificate-authority": resolve(cluster["certificate-authority"] ?? ""),
      },
    })),
    users: file.users.map(({ name, user }) => ({ name, user: resolveUser(user, resolve) })),
    contexts: file.contexts,
  };
}

function parseYaml(path: string, content: string): unknown {
  try {
    return parse(content);
  } catch (error) {
    // Its words repeat the line, which may hold a token; the position says enough.
    const position = error instanceof Error && "linePos" in error && Array.isArray(error.linePos)
      ? ` at line ${error.linePos[0]?.line}`
      : "";
    throw new AccessError(`Cannot read "${path}": it is not YAML${position}`);
  }
}

function resolveUser(
  input: v.InferInput<typeof userSchema>,
  resolve: (path: string) => string,
): UserEntry {
  const user = v.parse(userSchema, input);
  const { exec, "auth-provider": provider } = user;
  return {
    ...user,
    ...provider
      ? { "auth-provider": { ...provider, config: resolveAuthority(provider.config, resolve) } }
      : {},
    "client-certificate": resolve(user["client-certificate"]),
    "client-key": resolve(user["client-key"]),
    tokenFile: resolve(user.tokenFile),
    // A bare name is looked for in PATH; a path is one.
    ...exec
      ? {
        exec: {
          ...exec,
          command: /[/\\]/.test(exec.command) ? resolve(exec.command) : exec.command,
        },
      }
      : {},
  };
}

/** The one setting of a provider that is a path. */
function resolveAuthority(
  config: Readonly<Record<string, string>>,
  resolve: (path: string) => string,
): Readonly<Record<string, string>> {
  const name = "idp-certificate-authority";
  const path = config[name];
  return path === undefined ? config : { ...config, [name]: resolve(path) };
}

function resolvePath(file: string, path: string): string {
  return path === "" || isAbsolute(path) ? path : join(dirname(file), path);
}
