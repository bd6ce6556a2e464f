/**
 * From the data plane's model to everything that one Envoy is given (HTTP routes by RDS). Pure.
 *
 * The world holds what the Gateways of the configuration refer to and nothing else: an Envoy never
 * gets a key that it does not serve with. A translator remembers its last world, so that the next one
 * shares what did not change; the same configuration gives the same bytes in every process.
 */

import { equal } from "../../base/equal.ts";
import { computeBindings, type GatewayRefusal } from "../../dataplane/bindings.ts";
import type { CertificateName, DataPlaneConfig, Origin } from "../../dataplane/model.ts";
import type { RegexCache } from "../../dataplane/regex.ts";
import type { EnvoyCodec } from "../codec.ts";
import { type EnvoyWorld, messageNames, type ResourceOrigin } from "../resources.ts";
import type { ClusterOptions } from "./cluster_resource.ts";
import { ClusterSet } from "./cluster_set.ts";
import type { ConnectionOptions } from "./connection_manager.ts";
import { listenerMessage, type Place } from "./listener_resource.ts";
import { ResourceMemo } from "./resource_memo.ts";
import { type EncodedHost, RouteEncoder } from "./route_encoder.ts";
import { certificateMessage, validationMessage } from "./secret_resource.ts";
import {
  routesName,
  serveBinding,
  type ServedBinding,
  type ServedListener,
  sharesPort,
} from "./served_binding.ts";
import { UsedClusterIndex } from "./used_clusters.ts";
import { domainOf, hostsOfListener } from "./virtual_hosts.ts";

/** What a translation depends on besides the configuration. */
export interface TranslateOptions extends ClusterOptions, ConnectionOptions {
  /** Where the address and port of a specification are really opened. */
  readonly place: (address: string, port: number) => Place;
}

/** A route configuration that repeats routes because Envoy looks into one virtual host only. */
export interface CopiedRoutes {
  /** The route configuration. */
  readonly name: string;
  /** The virtual host with the most copies. */
  readonly domain: string;
  readonly copyCount: number;
}

/** What {@linkcode EnvoyTranslator.translate} returns. */
export interface EnvoyTranslation {
  readonly world: EnvoyWorld;
  /** Listeners that are not served. */
  readonly refusals: readonly GatewayRefusal[];
  /** Above {@linkcode routeCopiesMax}: served, at a cost that other ways of delivery do not have. */
  readonly copiedRoutes: readonly CopiedRoutes[];
}

/** So many routes of less specific hostnames may stand in a virtual host before it is told. */
export const routeCopiesMax = 200;

/** See the file's header. */
export class EnvoyTranslator {
  readonly #codec: EnvoyCodec;
  readonly #options: TranslateOptions;
  readonly #memo = new ResourceMemo();
  readonly #used = new UsedClusterIndex();
  readonly #routes: RouteEncoder;

  constructor(codec: EnvoyCodec, regexes: RegexCache, options: TranslateOptions) {
    this.#codec = codec;
    this.#options = options;
    this.#routes = new RouteEncoder(codec, regexes);
  }

  /** The world of `config`; costs what changed since the last one, and a look at the rest. */
  translate(config: DataPlaneConfig): EnvoyTranslation {
    const { bindings, refusals } = computeBindings(config, sharesPort);
    const clusters = new ClusterSet({
      clusters: config.clusters,
      used: this.#used,
      memo: this.#memo,
      codec: this.#codec,
      options: this.#options,
    });
    const secrets = new Map<CertificateName, ResourceOrigin[]>();
    const allRefusals = [...refusals];
    const copiedRoutes: CopiedRoutes[] = [];
    for (const binding of bindings.values()) {
      const found = serveBinding(binding, config.certificates);
      allRefusals.push(...found.refusals);
      if (found.served.listeners.length === 0) continue;
      copiedRoutes.push(...this.#putRoutes(found.served, clusters));
      this.#putListener(found.served, clusters);
      for (const listener of found.served.listeners) {
        clusters.addListener(listener.listener, listener.clientCertificate);
        this.#putValidation(listener);
        for (const name of certificatesOf(listener)) addOrigin(secrets, name, originOf(listener));
      }
    }
    this.#putCertificates(config, secrets);
    this.#routes.finish();
    const resources = this.#memo.finish();
    const world = { revision: config.revision, resources };
    return { world, refusals: allRefusals, copiedRoutes };
  }

  #putListener(served: ServedBinding, clusters: ClusterSet): void {
    const parts = served.listeners.flatMap((
      { gateway, listener, certificates, clientCertificate },
    ) => [
      ...[listener.origin, listener.name, listener.protocol, listener.hostname],
      ...[listener.clientValidation, listener.streams, certificates.join(), gateway.key],
      clientCertificate,
      ...listener.streams.map((entry) =>
        listener.protocol === "UDP" &&
        clusters.datagramClusterOf(entry, clientCertificate)
      ),
    ]);
    const { place } = this.#options;
    const { address, port } = place(served.binding.address, served.binding.port);
    this.#memo.put("listener", served.binding.key, [address, port, ...parts], () => ({
      bytes: this.#codec.encode(
        messageNames.listener,
        listenerMessage(served, {
          ...this.#options,
          datagramClusterOf: (entry, certificate) => clusters.datagramClusterOf(entry, certificate),
        }),
      ),
      origins: served.listeners.map(originOf),
    }));
  }

  /** One route configuration for the HTTP listeners of a port, and one for each with TLS. */
  #putRoutes(served: ServedBinding, clusters: ClusterSet): readonly CopiedRoutes[] {
    const byName = Map.groupBy(
      served.listeners.filter(({ listener: { protocol } }) =>
        protocol === "HTTP" || protocol === "HTTPS"
      ),
      (listener) => routesName(served, listener),
    );
    return [...byName].flatMap(([name, listeners]) => {
      const copied = { name, domain: "", copyCount: routeCopiesMax };
      const hosts: EncodedHost[] = [];
      for (const listener of listeners) {
        for (const host of hostsOfListener(listener.listener, served.owners)) {
          if (host.copyCount > copied.copyCount) Object.assign(copied, host);
          hosts.push(this.#routes.host(name, host, {
            scheme: listener.listener.protocol === "HTTPS" ? "https" : "http",
            port: served.binding.port,
            clientCertificate: listener.clientCertificate,
            isMerged: (entry) => clusters.sessionClusterOf(entry) !== undefined,
          }));
        }
      }
      this.#putConfiguration(name, hosts, misdirectedDomains(served, listeners), listeners);
      const { domain, copyCount } = copied;
      return domain === "" ? [] : [{ name, domain, copyCount }];
    });
  }

  #putConfiguration(
    name: string,
    hosts: readonly EncodedHost[],
    misdirected: readonly string[],
    listeners: readonly ServedListener[],
  ): void {
    const origins = listeners.map(originOf);
    const parts = [
      misdirected.join(),
      ...hosts,
      ...listeners.map(({ listener }) => listener.origin),
    ];
    this.#memo.put("route", name, parts, () => ({
      bytes: this.#routes.configuration(
        name,
        misdirected.length === 0
          ? hosts
          : [...hosts, this.#routes.answeringHost("misdirected", misdirected, MISDIRECTED)],
      ),
      origins: distinct([...hosts.flatMap((host) => host.origins), ...origins]),
    }));
  }

  #putValidation(served: ServedListener): void {
    const { listener: { clientValidation, origin }, validationSecret: name } = served;
    if (clientValidation === undefined) return;
    this.#memo.put("secret", name, [clientValidation, origin], () => ({
      bytes: this.#codec.encode(messageNames.secret, validationMessage(name, clientValidation)),
      origins: [originOf(served)],
    }));
  }

  #putCertificates(
    config: DataPlaneConfig,
    secrets: ReadonlyMap<CertificateName, readonly ResourceOrigin[]>,
  ): void {
    for (const [name, users] of secrets) {
      const certificate = config.certificates.get(name);
      if (certificate === undefined) continue;
      const origins = distinct([secretOrigin(name), ...users]);
      const keys = origins.map(originKey).join();
      this.#memo.put("secret", name, [certificate.digest, keys], () => ({
        bytes: this.#codec.encode(messageNames.secret, certificateMessage(certificate)),
        origins,
      }));
    }
  }
}

/** The answer where the host belongs to another listener than the server name (RFC 9110, 15.5.20). */
const MISDIRECTED = 421;

/** Hosts of the port that a chain's certificate is not for; of listeners without TLS none. */
function misdirectedDomains(
  { listeners }: ServedBinding,
  own: readonly ServedListener[],
): readonly string[] {
  return listeners.filter((other) => other.listener.protocol !== "HTTP" && !own.includes(other))
    .map(({ listener }) => domainOf(listener.hostname));
}

function certificatesOf(
  { certificates, clientCertificate }: ServedListener,
): readonly CertificateName[] {
  return clientCertificate === undefined ? certificates : [...certificates, clientCertificate];
}

function originOf({ listener: { origin, name } }: ServedListener): ResourceOrigin {
  return { ...origin, listener: name };
}

function secretOrigin(certificate: CertificateName): Origin {
  const [namespace = "", name = ""] = certificate.split("/");
  return { kind: "Secret", namespace, name };
}

function addOrigin(
  secrets: Map<CertificateName, ResourceOrigin[]>,
  name: CertificateName,
  origin: ResourceOrigin,
): void {
  const origins = secrets.get(name);
  if (origins === undefined) secrets.set(name, [origin]);
  else origins.push(origin);
}

/** Each object once, where it stands first. Ten thousand are common: no text is made for each. */
function distinct(origins: Iterable<ResourceOrigin>): readonly ResourceOrigin[] {
  const found: ResourceOrigin[] = [];
  const namespaces = new Map<string, Map<string, ResourceOrigin[]>>();
  for (const origin of new Set(origins)) {
    let names = namespaces.get(origin.namespace);
    if (names === undefined) namespaces.set(origin.namespace, names = new Map());
    const namesakes = names.get(origin.name);
    if (namesakes?.some((other) => equal(other, origin))) continue;
    if (namesakes === undefined) names.set(origin.name, [origin]);
    else namesakes.push(origin);
    found.push(origin);
  }
  return found;
}

function originKey({ kind, namespace, name, listener = "" }: ResourceOrigin): string {
  return `${kind}/${namespace}/${name}#${listener}`;
}
