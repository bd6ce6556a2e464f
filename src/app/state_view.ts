/**
 * The state view of the HTTP API, read from the cluster that weir keeps itself.
 *
 * Nothing is copied or cached: a page costs a list, and is what the cluster holds at that moment.
 * Everything that leaves passes the redaction.
 */

import type { ManifestProblem, StateSummary } from "../api/state.ts";
import type { Diagnostic } from "../gateway/diagnostics/diagnostic_codes.ts";
import type { KindNames, ObjectName, ObjectPage, PageQuery, StateView } from "../http/views.ts";
import { compareStrings } from "../kube/json_value.ts";
import { isKind, kindNames, kinds } from "../kube/kinds.ts";
import { type KubeObject, objectKey } from "../kube/object.ts";
import type { Problem } from "../localkube/store_contract.ts";
import { showDiagnostic } from "./diagnostics_view.ts";
import { redactObject, redactProblem } from "./redact_secret.ts";
import type { ClusterObjects } from "./world.ts";

/** Problems, and diagnostics, that a summary lists; it says how many there are. */
const problemsMax = 1000;

/** What the view reads. */
export interface StateViewSources {
  readonly cluster: ClusterObjects;
  /** Random per start of the process. */
  readonly epoch: string;
  /** The revision of the inputs now. */
  readonly revision: () => number;
  /** What is wrong in the manifests now, in the order of files and lines; perhaps not all of it. */
  readonly problems: () => readonly Problem[];
  /** What is valid and probably not meant, now. */
  readonly diagnostics: () => readonly Diagnostic[];
  /** How much there is of it. */
  readonly problemCount: () => number;
}

/** Makes the view. */
export function createStateView(sources: StateViewSources): StateView {
  const { cluster, epoch } = sources;
  const revision = (): string => `${epoch}.${sources.revision()}`;
  return {
    kinds: kindNames.map((kind): KindNames => kinds[kind]),
    revision,
    summary: () => ({ epoch, revision: revision(), ...summarize(sources) }),
    list: (kind, query) => listPage(cluster, kind, query),
    get: (kind, { namespace, name }) => {
      const object = isKind(kind) ? cluster.get(kind, objectKey(namespace, name)) : undefined;
      return object && redactObject(object);
    },
  };
}

function summarize(
  { cluster, problems, problemCount, ...sources }: StateViewSources,
): Omit<StateSummary, "epoch" | "revision"> {
  const counts = kindNames.map((kind) => [kind, cluster.list(kind).items.length]);
  const shown: readonly ManifestProblem[] = problems().slice(0, problemsMax).map(redactProblem);
  const diagnostics = sources.diagnostics();
  return {
    counts: Object.fromEntries(counts),
    problemCount: problemCount(),
    problems: shown,
    diagnosticCount: diagnostics.length,
    diagnostics: diagnostics.slice(0, problemsMax).map(showDiagnostic),
  };
}

function listPage(
  cluster: Pick<ClusterObjects, "list">,
  kind: string,
  query: PageQuery,
): ObjectPage {
  if (!isKind(kind)) return { items: [], remaining: 0 };
  const { items } = cluster.list(kind, query.namespace);
  const start = query.after ? firstAfter(items, query.after) : 0;
  const end = Math.min(items.length, start + query.limit);
  return { items: items.slice(start, end).map(redactObject), remaining: items.length - end };
}

/** The index of the first item after `name` in the order of namespace and name; binary search. */
function firstAfter(items: readonly KubeObject[], name: ObjectName): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item && compareNames(item.metadata, name) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function compareNames(a: ObjectName, b: ObjectName): number {
  return compareStrings(a.namespace ?? "", b.namespace ?? "") || compareStrings(a.name, b.name);
}
