/** Small parts of canonical proto-JSON that many messages have. Pure. */

import type { ProtoJson, ProtoObject } from "../codec.ts";
import { typeUrlPrefix } from "../resources.ts";

/** An Any that holds `message`. */
export function typed(messageName: string, message: ProtoObject = {}): ProtoObject {
  return { "@type": typeUrlPrefix + messageName, ...message };
}

/** An extension by its canonical name, which Envoy looks up in some places instead of the type. */
export function extension(name: string, messageName: string, message?: ProtoObject): ProtoObject {
  return { name, typedConfig: typed(messageName, message) };
}

/** A Duration. */
export function duration(milliseconds: number): string {
  return `${milliseconds / 1_000}s`;
}

/** `fields` without those that are undefined, which the codec refuses. */
export function present(
  fields: { readonly [field: string]: ProtoJson | undefined },
): ProtoObject {
  const found: Record<string, ProtoJson> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) found[name] = value;
  return found;
}

/** The field with `list`, or nothing of an empty one. */
export function listed(field: string, list: readonly ProtoJson[]): ProtoObject {
  return list.length === 0 ? {} : { [field]: list };
}

/** Where resources that are named are asked for. */
export const fromAds: ProtoObject = { ads: {}, resourceApiVersion: "V3" };

/** An address to listen on or to connect to. */
export function socketAddress(
  address: string,
  port: number,
  protocol: "TCP" | "UDP" = "TCP",
): ProtoObject {
  return {
    socketAddress: {
      ...(protocol === "UDP" ? { protocol } : {}),
      address,
      portValue: port,
    },
  };
}
