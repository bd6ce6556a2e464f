/**
 * What is needed to talk to one cluster: where it is, whom to trust, and who we are.
 *
 * Whoever reads a kubeconfig or the files of a pod makes a {@linkcode ClusterAccess}; the transport
 * uses it. Credentials are asked for before every request, because tokens and certificates change
 * while the process runs.
 */

/** Who we are and whom we trust at one moment. Equal parts are the same strings. */
export interface ClusterIdentity {
  /** The value of the `Authorization` header. */
  readonly authorization?: string;
  /** PEM of the authorities that the server's certificate must come from; absent: the machine's. */
  readonly ca?: string;
  /** PEM of our certificate and its key: both or neither. */
  readonly cert?: string;
  readonly key?: string;
}

/** Gives the identity of the moment. */
export interface Credentials {
  /**
   * The identity to use for the next request. Cheap when nothing changed.
   *
   * @throws ClusterError of kind `no-credential`
   */
  identity(signal: AbortSignal): Promise<ClusterIdentity>;
  /** The server refused the last one, or was not trusted: read everything anew the next time. */
  forget(): void;
}

/** Whom to act as (`Impersonate-…` headers). */
export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** See the file's header. */
export interface ClusterAccess {
  /** Base URL; a path of it stands before every request's path. */
  readonly server: URL;
  readonly credentials: Credentials;
  /** The name that the server's certificate must have, when it is not the host of `server`. */
  readonly tlsServerName?: string;
  /** Whether any certificate is believed. Only when the user asked for it. */
  readonly isInsecure: boolean;
  /** `http://` (CONNECT) or `socks5://`; credentials in it are sent to the proxy. */
  readonly proxy?: URL;
  readonly impersonate?: Impersonation;
  /** The namespace of the context or of the pod. */
  readonly namespace?: string;
}

/** An access that cannot be made from what is configured. The message says what and where. */
export class AccessError extends Error {
  override readonly name = "AccessError";
}
