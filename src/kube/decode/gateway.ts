/**
 * Gateway (gateway.networking.k8s.io/v1) with the defaults of its CRD.
 *
 * Fields that no data plane serves yet (`tls.frontend`, `infrastructure.parametersRef` …) are kept
 * as far as a status has to speak of them. The status is no part of it: see
 * {@linkcode decodeStatusAddresses}.
 */

import * as v from "valibot";
import { decodeBy, type Decoded, type Immutable } from "./decoded.ts";
import { labelSelectorSchema, namespacedMetadataSchema } from "./metadata.ts";

const secretReferenceSchema = v.object({
  group: v.optional(v.string(), ""),
  kind: v.optional(v.string(), "Secret"),
  name: v.string(),
  namespace: v.exactOptional(v.string()),
});

const allowedRoutesSchema = v.object({
  kinds: v.optional(
    v.array(v.object({
      group: v.optional(v.string(), "gateway.networking.k8s.io"),
      kind: v.string(),
    })),
    [],
  ),
  namespaces: v.optional(
    v.object({
      from: v.optional(v.string(), "Same"),
      selector: v.exactOptional(labelSelectorSchema),
    }),
    {},
  ),
});

const listenerSchema = v.object({
  name: v.string(),
  hostname: v.exactOptional(v.pipe(v.string(), v.toLowerCase())),
  port: v.number(),
  protocol: v.string(),
  tls: v.exactOptional(v.object({
    mode: v.optional(v.string(), "Terminate"),
    certificateRefs: v.optional(v.array(secretReferenceSchema), []),
    options: v.optional(v.record(v.string(), v.string()), {}),
  })),
  allowedRoutes: v.optional(allowedRoutesSchema, {}),
});

/** Only its presence is read: client certificates are not validated by any data plane yet. */
const frontendTlsSchema = v.object({ validation: v.exactOptional(v.unknown()) });

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
    infrastructure: v.exactOptional(v.object({
      parametersRef: v.exactOptional(
        v.object({ group: v.string(), kind: v.string(), name: v.string() }),
      ),
    })),
    tls: v.exactOptional(gatewayTlsSchema),
    defaultScope: v.exactOptional(v.string()),
  }),
});

/** A Gateway as the engine reads it. */
export type Gateway = Immutable<v.InferOutput<typeof gatewaySchema>>;
/** One entry of `spec.listeners`. */
export type GatewayListener = Gateway["spec"]["listeners"][number];
/** A reference to a Secret, with its defaults. */
export type SecretReference = Immutable<v.InferOutput<typeof secretReferenceSchema>>;
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
