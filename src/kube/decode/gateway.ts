/**
 * Gateway (gateway.networking.k8s.io/v1) with the defaults of its CRD.
 *
 * Fields that no data plane serves are kept as far as a status has to speak of them. The status is no
 * part of it: see {@linkcode decodeStatusAddresses}.
 */

import * as v from "valibot";
import { decodeBy, type Decoded, type Immutable } from "./decoded.ts";
import { listenerSchema } from "./listener.ts";
import { labelSelectorSchema, namespacedMetadataSchema } from "./metadata.ts";
import {
  localObjectReferenceSchema,
  objectReferenceSchema,
  secretReferenceSchema,
} from "./object_reference.ts";

/** How client certificates are validated, of all ports or of one (GEP-91). */
const frontendTlsSchema = v.object({
  validation: v.exactOptional(v.object({
    caCertificateRefs: v.array(objectReferenceSchema),
    mode: v.optional(v.string(), "AllowValidOnly"),
  })),
});

const gatewayTlsSchema = v.object({
  backend: v.exactOptional(v.object({
    clientCertificateRef: v.exactOptional(secretReferenceSchema),
  })),
  frontend: v.exactOptional(v.object({
    default: v.optional(frontendTlsSchema, {}),
    perPort: v.optional(v.array(v.object({ port: v.number(), tls: frontendTlsSchema })), []),
  })),
});

const gatewaySchema = v.object({
  metadata: namespacedMetadataSchema,
  spec: v.object({
    gatewayClassName: v.string(),
    listeners: v.array(listenerSchema),
    addresses: v.optional(
      v.array(v.object({
        type: v.optional(v.string(), "IPAddress"),
        value: v.optional(v.string(), ""),
      })),
      [],
    ),
    /** From which namespaces ListenerSets may join; none unless it says so. */
    allowedListeners: v.optional(
      v.object({
        namespaces: v.optional(
          v.object({
            from: v.optional(v.string(), "None"),
            selector: v.exactOptional(labelSelectorSchema),
          }),
          {},
        ),
      }),
      {},
    ),
    infrastructure: v.exactOptional(v.object({
      labels: v.optional(v.record(v.string(), v.string()), {}),
      annotations: v.optional(v.record(v.string(), v.string()), {}),
      parametersRef: v.exactOptional(localObjectReferenceSchema),
    })),
    tls: v.exactOptional(gatewayTlsSchema),
    defaultScope: v.exactOptional(v.string()),
  }),
});

/** A Gateway as the engine reads it. */
export type Gateway = Immutable<v.InferOutput<typeof gatewaySchema>>;
/** One entry of `spec.listeners`; those of a ListenerSet are the same. */
export type GatewayListener = Gateway["spec"]["listeners"][number];
/** How a Gateway validates the certificates of its clients. */
export type FrontendTLSValidation = NonNullable<
  Immutable<v.InferOutput<typeof frontendTlsSchema>>["validation"]
>;
/** A selector of labels. */
export type LabelSelector = Immutable<v.InferOutput<typeof labelSelectorSchema>>;

/** Decodes a Gateway. */
export function decodeGateway(object: unknown): Decoded<Gateway> {
  return decodeBy(gatewaySchema, object);
}

const statusAddressesSchema = v.object({
  status: v.object({
    addresses: v.array(v.object({
      type: v.optional(v.string(), "IPAddress"),
      value: v.string(),
    })),
  }),
});

/**
 * The IP addresses that a Gateway's stored status names; empty when it names none. For address
 * providers, which keep assignments across restarts; nothing else reads a status back.
 */
export function decodeStatusAddresses(object: unknown): readonly string[] {
  const decoded = decodeBy(statusAddressesSchema, object);
  if (!decoded.ok) return [];
  return decoded.value.status.addresses
    .filter((address) => address.type === "IPAddress")
    .map((address) => address.value);
}
