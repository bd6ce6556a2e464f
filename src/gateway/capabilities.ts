/**
 * What the data plane of this process can do, as far as statuses depend on it.
 *
 * It is a constant of the process and no input: a query may use it without recording a read.
 */

/** See the file's header. */
export interface DataPlaneCapabilities {
  /** A word for messages: `embedded`, `none`. */
  readonly name: string;
  /** Feature names of the Gateway API that really work (GEP-2162). Any order. */
  readonly supportedFeatures: readonly string[];
  /** Values of a listener's `protocol` that are served. */
  readonly protocols: readonly ("HTTP" | "HTTPS")[];
  /** Of the `appProtocol` values that Kubernetes defines (KEP-3726), those that are spoken. */
  readonly appProtocols: readonly string[];
}
