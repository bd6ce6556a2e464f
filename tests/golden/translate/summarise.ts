/**
 * A result of `weir translate` in a few lines that a person can check against the API's text.
 *
 *     Gateway default/web: Accepted=True Programmed=True ResolvedRefs=False/ListenersNotResolved
 *       address 127.0.0.1
 *       sets attached=1
 *       listener http attached=1 kinds=HTTPRoute: Accepted=True ...
 *     HTTPRoute default/app > ListenerSet more#http:80: Accepted=True ResolvedRefs=True
 *     BackendTLSPolicy default/secure > default/web: Accepted=True ResolvedRefs=True
 *     proxy default/web 127.0.0.1
 *       http HTTP:80 *.example.com
 *         a.example.com PathPrefix / -> 9x default/app:80(10.0.0.1:3000) 1x 500
 *     problem HTTPRoute default/bad
 *
 * What the parts mean, and what is left out, is said at the functions that write them.
 */

import type {
  Condition,
  Filter,
  ParentReference,
  ProxyGateway,
  RouteEntry,
  StreamEntry,
  TranslateResult,
  ValueMatch,
} from "./translate_result.ts";

/** One line, and the texts that an expectation may look into. */
export interface SummaryLine {
  readonly text: string;
  /** Messages by condition type; of a problem under `message`; feature names under `features`. */
  readonly details: ReadonlyMap<string, string>;
}

const kindOrder = [
  "GatewayClass",
  "Gateway",
  "ListenerSet",
  "HTTPRoute",
  "GRPCRoute",
  "TLSRoute",
  "TCPRoute",
  "UDPRoute",
  "BackendTLSPolicy",
];

/**
 * Summarises `result`; the lines depend on nothing but what it means. Left out: proxies without a
 * listener, how the proxy names things, and the API server's remark that further rules were not
 * checked because of the problems beside it.
 */
export function summarise(result: TranslateResult): readonly SummaryLine[] {
  const statuses = [...result.statuses].sort((a, b) =>
    compare(rank(a.kind), rank(b.kind)) || compare(objectName(a), objectName(b))
  );
  const proxies = result.proxy.gateways.filter((gateway) => gateway.listeners.length > 0)
    .sort((a, b) => compare(`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`));
  return [
    ...statuses.flatMap(summariseStatus),
    ...proxies.flatMap((gateway) => summariseProxy(gateway, result)),
    ...result.problems.filter(({ field }) => field !== "<nil>").map((
      { source, object, field, message },
    ) =>
      line(`problem ${object || source.replace(/:\d+$/, "")}`, [[
        "message",
        `${source}: ${field}: ${message}`,
      ]])
    ),
  ];
}

function summariseStatus(object: TranslateResult["statuses"][number]): SummaryLine[] {
  const { kind, status } = object;
  const title = `${kind} ${objectName(object)}`;
  if (status.parents) {
    return status.parents.map(({ parentRef, conditions }) =>
      conditionsLine(`${title} > ${referenceText(parentRef)}`, conditions)
    );
  }
  if (status.ancestors) {
    return status.ancestors.map(({ ancestorRef, conditions }) =>
      conditionsLine(`${title} > ${referenceText(ancestorRef)}`, conditions)
    );
  }
  const features = (status.supportedFeatures ?? []).map(({ name }) => name).join(" ");
  const head = conditionsLine(title, status.conditions ?? [], [["features", features]]);
  const addresses = (status.addresses ?? []).map(({ type, value }) =>
    line(`  address ${type === undefined || type === "IPAddress" ? "" : `${type} `}${value}`)
  );
  const listeners = (status.listeners ?? []).map((listener) => {
    const kinds = listener.supportedKinds.map(({ kind }) => kind).sort().join(",");
    const name = `  listener ${listener.name} attached=${listener.attachedRoutes} kinds=${kinds}`;
    return conditionsLine(name, listener.conditions);
  });
  const sets = status.attachedListenerSets;
  return [head, ...addresses, ...(sets ? [line(`  sets attached=${sets}`)] : []), ...listeners];
}

function referenceText({ kind, namespace, name, sectionName, port }: ParentReference): string {
  const other = kind === undefined || kind === "Gateway" ? "" : `${kind} `;
  const parent = other + [namespace, name].filter((part) => part !== undefined).join("/");
  const section = sectionName === undefined ? "" : `#${sectionName}`;
  return `${parent}${section}${port === undefined ? "" : `:${port}`}`;
}

/**
 * A condition is `Type=Status/Reason`; the reason is left out where it is the type, as for
 * `Accepted=True`. Left out altogether: `Conflicted=False`, which means the same as its absence, and
 * conditions of weir's own (`weir.dev/...`).
 */
function conditionsLine(
  title: string,
  conditions: readonly Condition[],
  details: readonly [string, string][] = [],
): SummaryLine {
  const shown = conditions
    .filter(({ type, status }) =>
      !type.startsWith("weir.dev/") && !(type === "Conflicted" && status === "False")
    )
    .sort((a, b) => compare(a.type, b.type))
    .map(({ type, status, reason }) =>
      `${type}=${status}${status === "True" && reason === type ? "" : `/${reason}`}`
    );
  return line(`${title}: ${shown.join(" ")}`.trimEnd(), [
    ...conditions.map(({ type, message }): [string, string] => [type, message]),
    ...details,
  ]);
}

function summariseProxy(gateway: ProxyGateway, result: TranslateResult): SummaryLine[] {
  const shown = gateway.clientCertificate === undefined
    ? ""
    : ` shows ${gateway.clientCertificate}`;
  const title = `proxy ${gateway.namespace}/${gateway.name} ${gateway.addresses.join(",")}`;
  const lines = [line(title.trimEnd() + shown)];
  for (const listener of gateway.listeners) {
    const { name, protocol, port, hostname = "*", certificates = [], clientValidation } = listener;
    const names = certificates.map((certificate) => ` ${certificate.name}`).join("");
    const asks = clientValidation === undefined ? "" : ` ${clientValidation}`;
    lines.push(line(`  ${name} ${protocol}:${port} ${hostname}${names}${asks}`));
    for (const entry of listener.routes) {
      lines.push(line(`    ${summariseEntry(entry, hostname, result)}`));
    }
    for (const entry of listener.streams) {
      lines.push(line(`    ${summariseStream(entry, hostname, result)}`));
    }
  }
  return lines;
}

/** `hostname kind namespace/name -> shares`; one that is written `refused` ends its connections. */
function summariseStream(entry: StreamEntry, listenerHost: string, result: TranslateResult) {
  const clusterText = clusterTexts(result);
  const shares = entry.backends.map(({ weight, cluster }) =>
    `${weight}x ${cluster === undefined ? "refused" : clusterText(cluster)}`
  );
  const { kind, namespace, name } = entry.route;
  const place = `${entry.hostname ?? listenerHost} ${kind} ${namespace}/${name}`;
  return [place, "->", ...(shares.length === 0 ? ["refused"] : shares)].join(" ");
}

/**
 * A backend written `500` is a share that is answered 500, one of a GRPCRoute `503`; an empty list of
 * endpoints is answered 503. Backends of weight 0 are left out.
 */
function summariseEntry(entry: RouteEntry, listenerHost: string, result: TranslateResult): string {
  const { match, filters, backends, requestTimeoutMs, backendRequestTimeoutMs } = entry;
  const { retry, sessionPersistence } = entry;
  // gRPC has no 500: callers shall see Unavailable (GRPCRouteRule, backendRefs).
  const invalid = entry.route.kind === "GRPCRoute" ? "503" : "500";
  const clusterText = clusterTexts(result, invalid);
  const parts = [
    entry.hostname ?? listenerHost,
    match.path.type,
    match.path.value,
    match.method,
    ...match.headers.map((header) => valueMatch("header", header)),
    ...match.queryParams.map((param) => valueMatch("query", param)),
    ...filters.map((filter) => summariseFilter(filter, clusterText)),
    requestTimeoutMs === undefined ? undefined : `request<=${requestTimeoutMs}ms`,
    backendRequestTimeoutMs === undefined ? undefined : `backend<=${backendRequestTimeoutMs}ms`,
    retry && summariseFilter({ type: "retry", retry }, clusterText),
    sessionPersistence && summariseFilter({ type: "session", sessionPersistence }, clusterText),
    "->",
  ];
  const shares = backends.filter(({ weight }) => weight > 0).map((backend) => {
    const own = backend.filters.map((filter) => ` ${summariseFilter(filter, clusterText)}`);
    return `${backend.weight}x ${clusterText(backend.cluster)}${own.join("")}`;
  });
  const isRedirect = filters.some(({ type }) => type === "RequestRedirect");
  if (shares.length === 0) shares.push(isRedirect ? "redirect" : invalid);
  return [...parts, ...shares].filter((part) => part !== undefined).join(" ");
}

function valueMatch(what: string, { name, type, value }: ValueMatch): string {
  return `${what}:${name}${type === "RegularExpression" ? "~" : "="}${value}`;
}

type ClusterText = (name: string | undefined) => string;

/** `namespace/name:port(endpoints)`, with the protocol if it has one; `invalid` of one that is not there. */
function clusterTexts({ proxy }: TranslateResult, invalid = "500"): ClusterText {
  return (name) => {
    const cluster = proxy.clusters.find((found) => found.name === name);
    if (!cluster) return invalid;
    const endpoints = cluster.endpoints.map(({ address, port }) =>
      `${address.includes(":") ? `[${address}]` : address}:${port}`
    );
    const { service, port, appProtocol, addressType, tls } = cluster;
    const names = tls?.subjectAltNames.map(({ type, value }) => `${type}:${value}`) ?? [];
    const words = [
      appProtocol,
      addressType,
      tls && ["tls", tls.hostname, ...names, tls.trust].join(" "),
    ].filter((word) => word !== undefined).join(" ");
    const place = `${service.namespace}/${service.name}:${port}`;
    return `${place}(${endpoints})${words === "" ? "" : `[${words}]`}`;
  };
}

/** `{Type key=value ...}` with nested values flattened and empty ones left out. */
function summariseFilter({ type, ...fields }: Filter, clusterText: ClusterText): string {
  const parts: string[] = [];
  const visit = (path: string, value: unknown): void => {
    if (path === "cluster" && typeof value === "string") parts.push(`to=${clusterText(value)}`);
    else if (typeof value !== "object" || value === null) parts.push(`${path}=${value}`);
    else if (Array.isArray(value)) {
      for (const item of value) {
        if (isHeader(item)) parts.push(`${path}:${item.name}=${item.value}`);
        else visit(path, item);
      }
    } else {
      const entries = Object.entries(value).sort(([a], [b]) => compare(a, b));
      for (const [key, item] of entries) visit(path === "" ? key : `${path}.${key}`, item);
    }
  };
  for (const value of Object.values(fields)) visit("", value);
  return `{${[type, ...parts].join(" ")}}`;
}

function isHeader(value: unknown): value is { name: string; value: string } {
  return typeof value === "object" && value !== null && "name" in value && "value" in value;
}

function objectName(object: TranslateResult["statuses"][number]): string {
  const { namespace, name } = object.metadata;
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function line(text: string, details: readonly [string, string][] = []): SummaryLine {
  return { text, details: new Map(details) };
}

function rank(kind: string): number {
  const index = kindOrder.indexOf(kind);
  return index < 0 ? kindOrder.length : index;
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
