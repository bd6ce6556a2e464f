/**
 * How Envoy reads listeners and route configurations, written down from its documentation: filter
 * chains by server name, virtual hosts by domain, the first route that matches. Shares no code with
 * the translation. Only what weir writes is understood; anything else is an error. Pure.
 */

import type { ProtoJson, ProtoObject } from "../../src/envoy/codec.ts";
import type { PlainRequest } from "./naive_routing.ts";

/** The most specific of `patterns` that matches `name`: exact, then the longest suffix, then `*`. */
export function mostSpecific(patterns: readonly string[], name: string): string | undefined {
  if (patterns.includes(name)) return name;
  const suffixes = patterns.filter((pattern) =>
    pattern.startsWith("*.") && name.endsWith(pattern.slice(1)) && name.length >= pattern.length
  ).sort((a, b) => b.length - a.length);
  return suffixes[0] ?? (patterns.includes("*") ? "*" : undefined);
}

/** The route configuration of the chain that takes a connection for `serverName`. */
export function routesForServerName(
  listener: ProtoObject,
  serverName: string,
): string | undefined {
  const chains = objects(listener.filterChains).map((chain) => {
    const match = object(chain.filterChainMatch ?? {});
    return { names: match.serverNames ? texts(match.serverNames) : ["*"], chain };
  });
  const best = mostSpecific(chains.flatMap(({ names }) => names), serverName);
  const found = chains.find(({ names }) => best !== undefined && names.includes(best));
  const filter = found && objects(found.chain.filters)[0];
  const manager = filter && object(filter.typedConfig);
  return manager && String(object(manager.rds).routeConfigName);
}

/** The route that serves `request`; undefined: answered 404. */
export function chooseRoute(
  configuration: ProtoObject,
  request: PlainRequest,
): ProtoObject | undefined {
  const hosts = objects(configuration.virtualHosts);
  const domain = mostSpecific(hosts.flatMap(({ domains }) => texts(domains)), request.host);
  const host = hosts.find(({ domains }) => domain !== undefined && texts(domains).includes(domain));
  return host && objects(host.routes).find(({ match }) => matchesRoute(object(match), request));
}

function matchesRoute(match: ProtoObject, request: PlainRequest): boolean {
  const { headers, queryParameters, ...path } = match;
  return matchesPath(path, request.path) &&
    objects(headers).every((matcher) => {
      const name = String(matcher.name).toLowerCase();
      const values = name === ":method"
        ? [request.method]
        : name === ":authority"
        ? [request.host]
        : request.headers.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
      return values.some((value) => matchesText(object(matcher.stringMatch), value));
    }) &&
    objects(queryParameters).every((matcher) => {
      const first = request.query.split("&").map((pair) => pair.split("="))
        .find(([key]) => key === matcher.name);
      return first !== undefined && matchesText(object(matcher.stringMatch), first[1] ?? "");
    });
}

function matchesPath(match: ProtoObject, path: string): boolean {
  const [[kind, value] = ["", null], ...others] = Object.entries(match);
  if (others.length > 0) {
    throw new Error(`Cannot match ${JSON.stringify(match)}: two kinds of path`);
  }
  switch (kind) {
    case "path":
      return path === value;
    case "prefix":
      return path.startsWith(String(value));
    case "pathSeparatedPrefix":
      return path === value || path.startsWith(`${value}/`);
    case "safeRegex":
      return new RegExp(`^(?:${object(value).regex})$`).test(path);
    default:
      throw new Error(`Cannot match ${JSON.stringify(match)}: not known`);
  }
}

function matchesText(match: ProtoObject, text: string): boolean {
  if (match.exact !== undefined) return match.exact === text;
  return new RegExp(`^(?:${object(match.safeRegex).regex})$`).test(text);
}

function objects(value: ProtoJson | undefined): readonly ProtoObject[] {
  return list(value).map(object);
}

function texts(value: ProtoJson | undefined): readonly string[] {
  return list(value).map(String);
}

function list(value: ProtoJson | undefined): readonly ProtoJson[] {
  return isList(value) ? value : [];
}

function isList(value: ProtoJson | undefined): value is readonly ProtoJson[] {
  return Array.isArray(value);
}

/** `value`, which is an object. */
export function object(value: ProtoJson | undefined): ProtoObject {
  if (typeof value === "object" && value !== null && !isList(value)) return value;
  throw new Error(`Cannot read ${JSON.stringify(value)}: wanted an object`);
}
