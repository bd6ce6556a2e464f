/**
 * Filters whose order or company makes them do something else than they seem to say. Pure.
 *
 * The order is that of the API and the data plane: filters of the rule come before those of a
 * backend, and in one header modifier `remove` comes before `set` and `set` before `add`.
 */

import type { HeaderModifier } from "../../dataplane/http_filters.ts";
import type {
  HttpFilter,
  HttpRouteAction,
  HttpRouteEntry,
  WeightedBackend,
} from "../../dataplane/model.ts";
import type { Diagnostic } from "./diagnostic_codes.ts";
import type { ServedEntry, ServedRule } from "./served_rules.ts";

type ModifierType = "RequestHeaderModifier" | "ResponseHeaderModifier";

/** FilterOrder, one for each rule and thing that is easily misread. */
export function findFilterDiagnostics(rules: readonly ServedRule[]): readonly Diagnostic[] {
  return rules.flatMap(({ route, ruleIndex, entries }) => {
    const [first] = entries;
    if (!first) return [];
    const surprises = [...surprisesOf(first.entry.action), ...surprisesOfCors(entries)];
    return surprises.map((message): Diagnostic => ({
      code: "FilterOrder",
      kind: route.kind,
      namespace: route.namespace,
      name: route.name,
      part: `rule ${ruleIndex}`,
      message,
    }));
  });
}

function surprisesOf({ filters, backends }: HttpRouteAction): readonly string[] {
  const surprises = [
    ...surprisesOfRedirect(filters),
    ...filters.flatMap(surprisesOfModifier),
  ];
  for (const backend of backends) {
    surprises.push(...backend.filters.flatMap(surprisesOfModifier));
    surprises.push(...surprisesOfLayers(filters, backend.filters, describe(backend)));
  }
  return [...new Set(surprises)];
}

function describe({ cluster }: WeightedBackend): string {
  return cluster === undefined ? "an invalid backend" : `backend ${cluster}`;
}

function surprisesOfRedirect(filters: readonly HttpFilter[]): readonly string[] {
  if (!filters.some(({ type }) => type === "RequestRedirect")) return [];
  const idle = filters.filter(({ type }) =>
    type === "RequestHeaderModifier" || type === "URLRewrite" || type === "RequestMirror"
  );
  return idle.map(({ type }) => `${type} has no effect, because the rule redirects`);
}

/** What browsers send to another origin without asking first (Fetch, CORS-safelisted method). */
const unaskedMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST"]);

/**
 * Browsers ask with OPTIONS before they send most methods; a rule that matches those alone misses the
 * question, unless another rule with a policy is there to answer it.
 */
function surprisesOfCors(entries: readonly ServedEntry[]): readonly string[] {
  if (!entries.every(({ entry }) => hasCors(entry))) return [];
  const methods = new Set(entries.map(({ entry: { match } }) => match.method ?? "OPTIONS"));
  if (methods.has("OPTIONS") || [...methods].every((method) => unaskedMethods.has(method))) {
    return [];
  }
  const isAnswered = entries.some(({ listener }) =>
    listener.routes.some((entry) =>
      hasCors(entry) && (entry.match.method ?? "OPTIONS") === "OPTIONS"
    )
  );
  if (isAnswered) return [];
  return [
    `CORS answers no preflight: browsers ask with OPTIONS, and the rule matches ` +
    `${[...methods].sort().join(", ")}`,
  ];
}

function hasCors({ action }: HttpRouteEntry): boolean {
  return action.filters.some(({ type }) => type === "CORS");
}

function surprisesOfModifier(filter: HttpFilter): readonly string[] {
  if (!isModifier(filter)) return [];
  const { set, add, remove } = filter.headers;
  const written = new Set([...set, ...add].map(({ name }) => name.toLowerCase()));
  const added = new Set(add.map(({ name }) => name.toLowerCase()));
  return [
    ...remove.filter((name) => written.has(name.toLowerCase())).map((name) =>
      `${filter.type} removes header "${name}" and then writes it: remove comes first`
    ),
    ...set.filter(({ name }) => added.has(name.toLowerCase())).map(({ name }) =>
      `${filter.type} sets header "${name}" and then adds to it: it has both values`
    ),
  ];
}

/** What a backend's filters do to what the rule's have done. */
function surprisesOfLayers(
  rule: readonly HttpFilter[],
  backend: readonly HttpFilter[],
  name: string,
): readonly string[] {
  const surprises: string[] = [];
  for (const type of ["RequestHeaderModifier", "ResponseHeaderModifier"] as const) {
    const earlier = namesOf(rule, type, ({ set, add }) => [...set, ...add].map((one) => one.name));
    const later = namesOf(backend, type, ({ set, remove }) => [
      ...set.map((one) => one.name),
      ...remove,
    ]);
    for (const header of later) {
      if (!earlier.has(header)) continue;
      surprises.push(`${type} of ${name} overrides header "${header}" of the rule's`);
    }
  }
  const outer = rewriteOf(rule);
  const inner = rewriteOf(backend);
  for (const part of ["hostname", "path"] as const) {
    if (outer?.[part] === undefined || inner?.[part] === undefined) continue;
    surprises.push(`URLRewrite of ${name} overrides the ${part} of the rule's`);
  }
  return surprises;
}

function namesOf(
  filters: readonly HttpFilter[],
  type: ModifierType,
  select: (headers: HeaderModifier) => readonly string[],
): ReadonlySet<string> {
  return new Set(
    filters.filter(isModifier).filter((filter) => filter.type === type)
      .flatMap(({ headers }) => select(headers).map((header) => header.toLowerCase())),
  );
}

function rewriteOf(filters: readonly HttpFilter[]) {
  for (const filter of filters) if (filter.type === "URLRewrite") return filter.rewrite;
  return undefined;
}

function isModifier(
  filter: HttpFilter,
): filter is Extract<HttpFilter, { readonly type: ModifierType }> {
  return filter.type === "RequestHeaderModifier" || filter.type === "ResponseHeaderModifier";
}
