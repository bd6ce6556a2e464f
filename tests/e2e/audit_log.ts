/**
 * What the API server wrote down: who wrote what, and what the status said then.
 *
 * The API server's own account counts every write, also those that changed nothing.
 */

import {
  asList,
  asNumber,
  asString,
  isRecord,
  type JsonRecord,
} from "../../src/kube/json_value.ts";

const credentialId = "authentication.kubernetes.io/credential-id";

/** One write. */
export interface AuditEntry {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly user: string;
  /** Of the token that was used; the empty text for other credentials. */
  readonly credential: string;
  readonly userAgent: string;
  readonly verb: string;
  /** Plural, `httproutes`. */
  readonly resource: string;
  /** `status`, or the empty text. */
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The HTTP status of the answer. */
  readonly code: number;
  /** What was sent. */
  readonly body: JsonRecord;
}

/** The entries of the file, oldest first; a last line that is not yet whole is left out. */
export async function readAuditLog(path: string): Promise<AuditEntry[]> {
  const lines = (await Deno.readTextFile(path)).split("\n");
  return lines.slice(0, -1).filter((line) => line !== "").map((line) => decode(JSON.parse(line)));
}

/** Successful writes of the status by weir, since `sinceMs`. */
export function statusWrites(entries: readonly AuditEntry[], sinceMs = 0): AuditEntry[] {
  return entries.filter(({ atMs, userAgent, subresource, code }) =>
    atMs >= sinceMs && subresource === "status" && userAgent.startsWith("weir/") && code < 300
  );
}

/** How many entries there are for each object, as `resource/namespace/name`. */
export function countByObject(entries: readonly AuditEntry[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { resource, namespace, name } of entries) {
    const key = `${resource}/${namespace}/${name}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function decode(entry: unknown): AuditEntry {
  const fields = record(entry);
  const object = record(fields.objectRef);
  const text = (value: unknown): string => asString(value) ?? "";
  return {
    atMs: Date.parse(text(fields.requestReceivedTimestamp)),
    user: text(record(fields.user).username),
    credential: text(asList(record(record(fields.user).extra)[credentialId])[0]),
    userAgent: text(fields.userAgent),
    verb: text(fields.verb),
    resource: text(object.resource),
    subresource: text(object.subresource),
    namespace: text(object.namespace),
    name: text(object.name),
    code: asNumber(record(fields.responseStatus).code) ?? 0,
    body: record(fields.requestObject),
  };
}

function record(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

/**
 * Every `type=status/reason` that a written status has, also of entries and listeners inside it:
 * `Programmed=True/Programmed`.
 */
export function writtenConditions({ body }: AuditEntry): string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isRecord(value)) return;
    for (const each of asList(value.conditions)) {
      const condition = record(each);
      found.push(`${condition.type}=${condition.status}/${condition.reason}`);
    }
    for (const [key, inner] of Object.entries(value)) if (key !== "conditions") visit(inner);
  };
  visit(body.status);
  return found;
}
