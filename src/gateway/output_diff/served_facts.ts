/**
 * The parts of a data plane's configuration as facts: plain data, safe to show, and all of it.
 *
 * A field that is added to the model is told without anybody thinking of it here: facts are what is
 * left when names and lists that are told elsewhere are taken away. Long texts (bundles of
 * certificates) become a fingerprint. Private keys are in no part that is told like this. Pure.
 */

import { fingerprint } from "../../base/fingerprint.ts";
import type {
  Certificate,
  Cluster,
  GatewayConfig,
  HttpRouteEntry,
  Listener,
  StreamRouteEntry,
} from "../../dataplane/model.ts";

/** Fields of a Gateway besides its addresses and listeners. */
export function gatewayFields(
  gateway: GatewayConfig | undefined,
): Readonly<Record<string, unknown>> {
  if (!gateway) return {};
  const { key: _, creationTimestamp: __, addresses: ___, listeners: ____, ...rest } = gateway;
  return rest;
}

/** What is said of a listener; its routes are told of the routes. */
export function listenerFacts(listener: Listener | undefined): unknown {
  if (!listener) return null;
  const { name: _, origin: __, routes: ___, streams: ____, clientValidation, ...rest } = listener;
  if (!clientValidation) return rest;
  const { caCertificates, ...validation } = clientValidation;
  return { ...rest, clientValidation: { ...validation, caCertificates: bundles(caCertificates) } };
}

/** `ADDRESS:PORT` of each endpoint. */
export function endpointFacts(cluster: Cluster | undefined): readonly string[] | null {
  return cluster?.endpoints.map(({ address, port }) =>
    `${address.includes(":") ? `[${address}]` : address}:${port}`
  ) ?? null;
}

/** How the endpoints of a cluster are talked to; null when nothing is special. */
export function backendFacts(cluster: Cluster | undefined): unknown {
  if (!cluster) return null;
  const { name: _, origin: __, port: ___, endpoints: ____, tls, ...rest } = cluster;
  const isPlain = tls === undefined && Object.keys(rest).length === 0;
  if (isPlain) return null;
  if (!tls) return rest;
  const { trust, ...others } = tls;
  return { ...rest, tls: { ...others, trust: trust === "system" ? trust : bundles(trust) } };
}

/** Of a certificate what every client sees, and a digest that changes with the key too. */
export function certificateFacts(certificate: Certificate | undefined): unknown {
  if (!certificate) return null;
  const { digest, leaf: { dnsNames, notAfter } } = certificate;
  return { digest, dnsNames, notAfter };
}

/** A match with what becomes of its requests. */
export function httpEntryFacts(entry: HttpRouteEntry | undefined): unknown {
  if (!entry) return null;
  const { match, action } = entry;
  return { match, ...action };
}

/** Where connections go. */
export function streamEntryFacts(entry: StreamRouteEntry | undefined): unknown {
  return entry ? { backends: entry.backends } : null;
}

function bundles(texts: readonly string[]): readonly string[] {
  return texts.map(fingerprint);
}
