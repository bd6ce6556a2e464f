/**
 * Objects and problems as they may be shown to anybody who may read the API: without the values of
 * Secrets, and of ConfigMaps, in which people keep passwords all the same.
 *
 * What is shown of the two is listed here; a field that is not listed is left out. Annotations count
 * as values, because clients keep whole objects in them (`last-applied-configuration` repeats the
 * data). Keys, names and labels are shown: without them nobody finds a missing `tls.key`.
 */

import { type ManifestProblem, redactedValue, type StateObject } from "../api/state.ts";
import type { KubeObject } from "../kube/object.ts";
import { staysInService } from "../localkube/manifests/manifest_applier.ts";
import type { Problem } from "../localkube/store_contract.ts";

/** Kinds whose values are shown to nobody. */
const hiddenKinds: ReadonlySet<string> = new Set(["Secret", "ConfigMap"]);

/** The object with every value of a Secret or ConfigMap replaced; other kinds are shown whole. */
export function redactObject(object: KubeObject): StateObject {
  if (!hiddenKinds.has(object.kind)) return { ...object, metadata: { ...object.metadata } };
  const { apiVersion, kind, metadata, type, immutable, data, stringData, binaryData } = object;
  const { annotations, ...shownMetadata } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      ...shownMetadata,
      ...(annotations === undefined ? {} : { annotations: redactValues(annotations) }),
    },
    ...(type === undefined ? {} : { type }),
    ...(immutable === undefined ? {} : { immutable }),
    ...(data === undefined ? {} : { data: redactValues(data) }),
    ...(stringData === undefined ? {} : { stringData: redactValues(stringData) }),
    ...(binaryData === undefined ? {} : { binaryData: redactValues(binaryData) }),
  };
}

/** The problem with what it quotes of such an object replaced: messages repeat the refused value. */
export function redactProblem(problem: Problem): ManifestProblem {
  const { source, object, field, message } = problem;
  if (!hiddenKinds.has(object.split(" ", 1)[0] ?? "")) return { source, object, field, message };
  const isValue = /^(?:data|stringData|binaryData|metadata\.annotations)\b/.test(field);
  const shown = isValue
    ? redactRefusal(message)
    : message.replaceAll(/"(?:[^"\\]|\\.)*"/gs, `"${redactedValue}"`);
  return { source, object, field, message: shown };
}

/** Of a message that may quote a value: only what is the same whatever the value is. */
function redactRefusal(message: string): string {
  const end = message.endsWith(staysInService) ? staysInService : "";
  const fault = message.slice(0, message.length - end.length);
  // There is no value to quote; the field says which key has to be there.
  if (fault === "Required value") return message;
  return `The value is refused; neither it nor the message about it is shown${end}`;
}

/** The same keys with nothing behind them; anything but an object is replaced whole. */
function redactValues(values: unknown): unknown {
  if (typeof values !== "object" || values === null) return redactedValue;
  return Object.fromEntries(Object.keys(values).map((key) => [key, redactedValue]));
}
