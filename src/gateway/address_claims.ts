/** What Gateways ask of the provider of addresses, and what they are given. */

import type { AddressClaim, AddressProvider } from "./address_provider.ts";
import type { Inputs } from "./inputs.ts";

/** The claims of all Gateways, in the order of their keys. */
export function claimsOf(inputs: Inputs): readonly AddressClaim[] {
  return inputs.keys("Gateway").flatMap((key) => {
    const gateway = inputs.get("Gateway", key);
    if (!gateway) return [];
    return [{
      key,
      uid: gateway.metadata.uid,
      creationTimestamp: gateway.metadata.creationTimestamp,
      requested: gateway.spec.addresses.filter(({ type }) => type === "IPAddress")
        .map(({ value }) => value),
    }];
  });
}

/** Gives the Gateways of `inputs` what `provider` assigns, as one change at the time `atMs`. */
export function assignAddresses(inputs: Inputs, provider: AddressProvider, atMs: number): void {
  const assignments = provider.assign(claimsOf(inputs));
  inputs.transaction(atMs, () => {
    for (const [key, assignment] of assignments) inputs.setAddresses(key, assignment);
  });
}
