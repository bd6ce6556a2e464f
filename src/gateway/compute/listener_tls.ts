/** Where TLS ends (Gateway API, ListenerTLSConfig `mode`). */

import type { GatewayListener } from "../../kube/decode/gateway.ts";

/** Whether TLS ends at a listener, so that it needs a certificate; passed through, it does not. */
export function endsTls({ protocol, tls }: Pick<GatewayListener, "protocol" | "tls">): boolean {
  return protocol === "HTTPS" || (protocol === "TLS" && tls?.mode !== "Passthrough");
}
