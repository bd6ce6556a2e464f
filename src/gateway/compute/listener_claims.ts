/** Ports and hostnames that are taken, one listener after the other: who comes first keeps them. */

import { type ListenerShape, portClassOf, portNameOf } from "./listener_conflicts.ts";

interface PortClaim<Owner> {
  readonly portClass: string;
  readonly protocol: string;
  readonly owner: Owner;
  readonly byHostname: Map<
    string | undefined,
    { readonly owner: Owner; readonly protocol: string }
  >;
}

/** What stands in a listener's way. */
export interface Clash<Owner> {
  /** `protocol`: the port serves another one; `hostname`: the hostname of the port is taken. */
  readonly by: "protocol" | "hostname";
  readonly protocol: string;
  readonly owner: Owner;
}

/** See the file's header. */
export class ListenerClaims<Owner> {
  readonly #ports = new Map<string, PortClaim<Owner>>();

  /** What `listener` of `owner` cannot have; what the owner itself has is no hindrance. */
  clashOf(listener: ListenerShape, owner: Owner): Clash<Owner> | undefined {
    const taken = this.#ports.get(portNameOf(listener));
    if (!taken) return undefined;
    if (taken.portClass !== portClassOf(listener.protocol)) {
      return { by: "protocol", protocol: taken.protocol, owner: taken.owner };
    }
    const holder = taken.byHostname.get(listener.hostname);
    if (!holder || holder.owner === owner) return undefined;
    return { by: "hostname", protocol: holder.protocol, owner: holder.owner };
  }

  /** Takes what `listener` needs. */
  claim(listener: ListenerShape, owner: Owner): void {
    const { protocol, hostname } = listener;
    const name = portNameOf(listener);
    let taken = this.#ports.get(name);
    if (!taken) {
      const portClass = portClassOf(protocol);
      this.#ports.set(name, taken = { portClass, protocol, owner, byHostname: new Map() });
    }
    taken.byHostname.set(hostname, { owner, protocol });
  }
}
