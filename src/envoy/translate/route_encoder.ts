/**
 * Entries as encoded routes, and virtual hosts and route configurations put together from them.
 *
 * Each piece is encoded once for what it depends on and copied from then on: one changed route
 * encodes itself, and the bytes around it are moved.
 */

import type { CertificateName, HttpRouteEntry, Origin } from "../../dataplane/model.ts";
import type { RegexCache } from "../../dataplane/regex.ts";
import type { EnvoyCodec } from "../codec.ts";
import { mergedClusterName, referredCluster } from "./cluster_names.ts";
import { httpRoutes } from "./http_route.ts";
import { withMessages } from "./message_bytes.ts";
import { isSameParts } from "./resource_memo.ts";
import type { HostEntries } from "./virtual_hosts.ts";

/** What the routes of a virtual host depend on besides their entries. */
export interface HostContext {
  readonly scheme: "http" | "https";
  /** The port of the listener's specification. */
  readonly port: number;
  readonly clientCertificate: CertificateName | undefined;
  /** Whether all backends of an entry are one cluster. */
  readonly isMerged: (entry: HttpRouteEntry) => boolean;
}

/** An encoded `config.route.v3.VirtualHost`. */
export interface EncodedHost {
  readonly bytes: Uint8Array;
  /** Of the routes, each once, in their order. */
  readonly origins: readonly Origin[];
}

interface KeptHost extends Pick<HostContext, "scheme" | "port" | "clientCertificate"> {
  readonly entries: readonly HttpRouteEntry[];
  /** Which of the entries with sessions have one cluster for all backends. */
  readonly merged: string;
  readonly encoded: EncodedHost;
}

/** By domain. */
type KeptHosts = Map<string, KeptHost>;

/** Field numbers of Envoy's messages. */
const routesField = 3;
const virtualHostsField = 2;

/** See the file's header. */
export class RouteEncoder {
  readonly #codec: EnvoyCodec;
  readonly #regexes: RegexCache;
  readonly #routes = new WeakMap<HttpRouteEntry, Map<string, readonly Uint8Array[]>>();
  /** By route configuration. */
  #kept = new Map<string, KeptHosts>();
  #next = new Map<string, KeptHosts>();

  constructor(codec: EnvoyCodec, regexes: RegexCache) {
    this.#codec = codec;
    this.#regexes = regexes;
  }

  /** The virtual host of a route configuration, encoded unless it is what it was. */
  host(configuration: string, host: HostEntries, context: HostContext): EncodedHost {
    const { domain, entries } = host;
    const { scheme, port, clientCertificate } = context;
    const merged = mergedOf(entries, context);
    let kept = this.#kept.get(configuration)?.get(domain);
    if (
      kept === undefined || kept.merged !== merged || kept.scheme !== scheme ||
      kept.port !== port || kept.clientCertificate !== clientCertificate ||
      !isSameParts(kept.entries, entries)
    ) {
      const encoded = this.#encodeHost(host, context);
      kept = { scheme, port, clientCertificate, entries, merged, encoded };
    }
    let next = this.#next.get(configuration);
    if (next === undefined) this.#next.set(configuration, next = new Map());
    next.set(domain, kept);
    return kept.encoded;
  }

  /** A virtual host that answers `status` to every request for `domains`. */
  answeringHost(name: string, domains: readonly string[], status: number): EncodedHost {
    const routes = [{ name, match: { prefix: "/" }, directResponse: { status } }];
    const bytes = this.#codec.encode("envoy.config.route.v3.VirtualHost", {
      name,
      domains,
      routes,
    });
    return { bytes, origins: [] };
  }

  /** An encoded `config.route.v3.RouteConfiguration`. */
  configuration(name: string, hosts: readonly EncodedHost[]): Uint8Array {
    const head = this.#codec.encode("envoy.config.route.v3.RouteConfiguration", {
      name,
      validateClusters: false,
      ignorePortInHostMatching: true,
      requestHeadersToRemove: ["x-envoy-external-address"],
    });
    return withMessages(head, virtualHostsField, hosts.map(({ bytes }) => bytes));
  }

  /** Forgets the virtual hosts that were not asked for since the last call. */
  finish(): void {
    this.#kept = this.#next;
    this.#next = new Map();
  }

  #encodeHost({ domain, entries }: HostEntries, context: HostContext): EncodedHost {
    const routes = entries.flatMap((entry) => this.#encodeRoutes(entry, domain, context));
    const head = this.#codec.encode("envoy.config.route.v3.VirtualHost", {
      name: domain,
      domains: [domain],
    });
    const origins = new Set(entries.map(({ origin }) => origin));
    return { bytes: withMessages(head, routesField, routes), origins: [...origins] };
  }

  #encodeRoutes(
    entry: HttpRouteEntry,
    domain: string,
    { scheme, port, clientCertificate, isMerged }: HostContext,
  ): readonly Uint8Array[] {
    const isRedirect = entry.action.filters.some(({ type }) => type === "RequestRedirect");
    const host = isRedirect && !domain.includes("*") ? domain : undefined;
    const mergedCluster = isMerged(entry) ? mergedClusterName(entry, clientCertificate) : undefined;
    const place = isRedirect ? `${scheme} ${port} ${host ?? ""}` : "";
    const key = `${place} ${clientCertificate ?? ""} ${mergedCluster ?? ""}`;
    let encoded = this.#routes.get(entry);
    if (encoded === undefined) this.#routes.set(entry, encoded = new Map());
    let routes = encoded.get(key);
    if (routes === undefined) {
      const messages = httpRoutes(entry, {
        place: { scheme, port, ...(host === undefined ? {} : { host }) },
        regexes: this.#regexes,
        ...(mergedCluster === undefined ? {} : { mergedCluster }),
        clusterNameOf: (cluster) => referredCluster(cluster, clientCertificate),
      });
      routes = messages.map((message) =>
        this.#codec.encode("envoy.config.route.v3.Route", message)
      );
      encoded.set(key, routes);
    }
    return routes;
  }
}

/** One digit for each entry with sessions; most hosts have none. */
function mergedOf(entries: readonly HttpRouteEntry[], { isMerged }: HostContext): string {
  let merged = "";
  for (const entry of entries) {
    if (entry.action.sessionPersistence !== undefined) merged += isMerged(entry) ? "1" : "0";
  }
  return merged;
}
