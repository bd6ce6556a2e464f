/**
 * Where Envoys reach the ADS server: a unix socket for one on this machine, or a loopback port that
 * a front with mutual TLS stands before.
 *
 * The socket is for this user alone, as is its folder: whoever can open it is given private keys. A
 * loopback port is open to every user of the machine, so it takes only connections that `identify`
 * knows.
 */

import type { Logger } from "../../base/log.ts";
import type { AdsApp } from "./ads_app.ts";

/** Where to listen. */
export type AdsAddress =
  | {
    /** Of the socket; its folder is made, and belongs to nobody else. */
    readonly path: string;
  }
  | {
    /** On 127.0.0.1; 0: any free one. */
    readonly port: number;
    /** Who the connection from this port of ours is; undefined: it is refused. */
    readonly identify: (remotePort: number) => string | undefined;
  };

/** What the listener is made of. */
export interface AdsListenerOptions {
  readonly address: AdsAddress;
  readonly app: AdsApp;
  readonly log: Logger;
  /** Called once Envoys can connect; with the port, if it is one. */
  readonly onListening?: (port: number | undefined) => void;
}

/** Cannot listen; the message says where and why. */
export class AdsListenError extends Error {
  override name = "AdsListenError";
}

/** Who is at the other side of a unix socket: a process of this user. */
export const localPeer = "local";

/**
 * Serves until `signal` aborts; then ends all streams and the socket is gone.
 *
 * @throws {AdsListenError}
 */
export async function serveAds(options: AdsListenerOptions, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { address, app, log, onListening } = options;
  const isSocket = "path" in address;
  const server = isSocket ? await listenOnSocket(address.path, app) : listenOnPort(address, app);
  const { addr } = server;
  log.info("ADS server listens", isSocket ? { path: address.path } : { address: addr });
  onListening?.("port" in addr ? addr.port : undefined);
  const stopped = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => stopped.resolve(), { once: true });
  await stopped.promise;
  const closed = server.shutdown();
  // Streams have no end of their own that could be waited for.
  app.closeAll();
  await closed;
  if (isSocket) await Deno.remove(address.path).catch(ignoreMissing);
}

function listenOnPort(
  { identify, port }: Extract<AdsAddress, { port: number }>,
  app: AdsApp,
): Deno.HttpServer {
  try {
    return Deno.serve(
      { hostname: "127.0.0.1", port, onListen: () => {} },
      (request, { remoteAddr }) => {
        const peer = "port" in remoteAddr ? identify(remoteAddr.port) : undefined;
        return peer === undefined
          ? new Response("Unknown connection\n", { status: 403 })
          : app.fetch(request, { peer });
      },
    );
  } catch (cause) {
    throw new AdsListenError(`Listen for Envoy: 127.0.0.1:${port} cannot be bound`, { cause });
  }
}

async function listenOnSocket(path: string, app: AdsApp): Promise<Deno.HttpServer> {
  await makePrivateFolder(path.slice(0, path.lastIndexOf("/")));
  await removeStaleSocket(path);
  try {
    const server = Deno.serve(
      { path, onListen: () => {} },
      (request) => app.fetch(request, { peer: localPeer }),
    );
    // The runtime makes it readable for everybody; until here the folder keeps them out.
    await Deno.chmod(path, 0o600);
    return server;
  } catch (cause) {
    throw new AdsListenError(`Listen for Envoy: "${path}" cannot be bound`, { cause });
  }
}

async function makePrivateFolder(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const { mode } = await Deno.stat(folder);
  // Not changed here: somebody else may rely on what it is.
  if (((mode ?? 0) & 0o077) !== 0) {
    throw new AdsListenError(
      `Listen for Envoy: other users can read folder "${folder}", wanted mode 0700`,
    );
  }
}

/** A process that was killed leaves its socket; one that somebody answers at is not ours to take. */
async function removeStaleSocket(path: string): Promise<void> {
  const stat = await Deno.lstat(path).catch(ignoreMissing);
  if (!stat) return;
  const isAnswered = stat.isSocket === true &&
    await Deno.connect({ transport: "unix", path }).then((connection) => {
      connection.close();
      return true;
    }, () => false);
  if (isAnswered || stat.isSocket !== true) {
    const state = isAnswered ? "is in use by another process" : "is no socket";
    throw new AdsListenError(`Listen for Envoy: "${path}" ${state}`);
  }
  await Deno.remove(path).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
