/**
 * Brings the local cluster to what the documents say, one object at a time, and remembers why one
 * could not be brought there.
 *
 * An object whose document did not change is not touched. A document that is refused leaves the
 * version in service that was there before. Problems of an object are made anew when its file is read
 * again, because its lines may have moved.
 */

import type { Kind } from "../../kube/kinds.ts";
import type { ObjectKey } from "../../kube/object.ts";
import { noField, rulesNotRun } from "../admission/field_error.ts";
import type { LocalCluster, ObjectInput, Problem, StatusError } from "../store_contract.ts";
import type { DefinitionTable, ManifestKey } from "./definition_table.ts";
import { type ManifestDocument, sourceOf } from "./parse_manifests.ts";
import type { PositionFinder } from "./position_finder.ts";

/** How a problem ends when an earlier version of its object is still served. */
export const staysInService = "; the version before it stays in service";

/** What was done to an object, in the words of kubectl. */
export interface AppliedChange {
  readonly verb: "created" | "configured" | "deleted";
  readonly key: ManifestKey;
  /** Its document; the last one when it was deleted. */
  readonly document: ManifestDocument;
  /** What admission had to say that is no fault, such as that a version is deprecated. */
  readonly warnings: readonly string[];
}

/** What became of an object's document. */
interface Attempt {
  readonly kind: Kind;
  readonly key: ObjectKey;
  /** The document that was tried last. */
  readonly object: ObjectInput;
  readonly document: ManifestDocument;
  readonly error?: StatusError;
  /** Fields that were dropped, because the kind has none of that name. */
  readonly unknownFields: readonly string[];
  /** Whether some version of the object is in the cluster because of us. */
  readonly isInService: boolean;
}

/** See the file's header. */
export class ManifestApplier {
  readonly #cluster: LocalCluster;
  readonly #table: DefinitionTable;
  readonly #attempts = new Map<ManifestKey, Attempt>();

  constructor(cluster: LocalCluster, table: DefinitionTable) {
    this.#cluster = cluster;
    this.#table = table;
  }

  /** Objects that are in the cluster because of a document. */
  get count(): number {
    return this.#attempts.size;
  }

  /** Brings one object to its winning document; what that changed, if anything. */
  reconcile(ref: ManifestKey): AppliedChange | undefined {
    const [winner] = this.#table.get(ref);
    const attempt = this.#attempts.get(ref);
    if (!winner) return attempt && this.#delete(ref, attempt);
    const { document } = winner;
    if (attempt?.object === document.object) {
      this.#attempts.set(ref, { ...attempt, document });
      return undefined;
    }
    return this.#apply(ref, document, attempt?.isInService ?? false);
  }

  /** Every problem of an object as of now. */
  problemsOf(ref: ManifestKey, finder: PositionFinder): readonly Problem[] {
    const attempt = this.#attempts.get(ref);
    return [
      ...(attempt ? problemsOfAttempt(ref, attempt, finder) : []),
      ...this.#duplicates(ref, finder),
    ];
  }

  #apply(
    ref: ManifestKey,
    document: ManifestDocument,
    wasInService: boolean,
  ): AppliedChange | undefined {
    const { kind, key, object } = document;
    const isNew = this.#cluster.get(kind, key) === undefined;
    const result = this.#cluster.apply(kind, object);
    const common = { kind, key, object, document };
    if (!result.ok) {
      const { error } = result;
      const isInService = wasInService;
      this.#attempts.set(ref, { ...common, error, unknownFields: [], isInService });
      return undefined;
    }
    const all = result.warnings ?? [];
    const unknownFields = all.flatMap((warning) => unknownFieldIn(warning) ?? []);
    this.#attempts.set(ref, { ...common, unknownFields, isInService: true });
    if (!result.changed) return undefined;
    const warnings = all.filter((warning) => unknownFieldIn(warning) === undefined);
    return { verb: isNew ? "created" : "configured", key: ref, document, warnings };
  }

  #delete(ref: ManifestKey, attempt: Attempt): AppliedChange | undefined {
    this.#attempts.delete(ref);
    if (!attempt.isInService) return undefined;
    const result = this.#cluster.delete(attempt.kind, attempt.key);
    // Somebody else may have deleted it: then it is gone, which was wanted.
    const { document } = attempt;
    return result.ok ? { verb: "deleted", key: ref, document, warnings: [] } : undefined;
  }

  /** Documents that lost to an earlier one; those that are only kept are no fault. */
  #duplicates(ref: ManifestKey, finder: PositionFinder): readonly Problem[] {
    const definitions = this.#table.get(ref);
    const [winner, ...others] = definitions.filter(({ removeAtMs }) => removeAtMs === undefined);
    if (!winner || others.length === 0) return [];
    const first = sourceOf(winner.document, "", finder);
    return others.map(({ document }) => ({
      source: sourceOf(document, "", finder),
      object: ref,
      field: "metadata.name",
      message: `The object is defined already at ${first}, this document is not used`,
    }));
  }
}

function problemsOfAttempt(
  ref: ManifestKey,
  attempt: Attempt,
  finder: PositionFinder,
): readonly Problem[] {
  const { document, error, unknownFields, isInService } = attempt;
  const tell = (field: string, message: string): Problem => ({
    source: sourceOf(document, field, finder),
    object: ref,
    field,
    message,
  });
  if (!error) return unknownFields.map((field) => tell(field, `unknown field "${field}"`));
  const stays = isInService ? staysInService : "";
  return causesForPeople(error).map(({ field, message }) => tell(field, `${message}${stays}`));
}

/**
 * The causes of a refusal without what only a client of the API needs: that rules did not run says
 * nothing of the object, and `<nil>` is no field of it.
 */
function causesForPeople(error: StatusError): readonly Pick<Problem, "field" | "message">[] {
  const causes = (error.causes ?? []).filter(({ field, message }) =>
    field !== noField || !message.endsWith(rulesNotRun)
  );
  if (causes.length === 0) return [{ field: "", message: error.message }];
  return causes.map(({ field, message }) => ({ field: field === noField ? "" : field, message }));
}

/** The field that a warning of admission says was dropped: `unknown field "spec.rulez"`. */
function unknownFieldIn(warning: string): string | undefined {
  return /^unknown field "(.+)"$/.exec(warning)?.[1];
}
