/**
 * The owners of fields that nobody wrote through the API: files wrote an object, and weir its status.
 * They are computed when somebody looks, because most objects are never looked at, and stored with the
 * first change through the API. Pure but for a cache of what was computed.
 */

import { asList, type JsonRecord } from "../../kube/json_value.ts";
import { statusFieldManager } from "../../kube/field_managers.ts";
import { apiVersionOf, type KindInfo } from "../../kube/kinds.ts";
import type { KubeObject } from "../../kube/object.ts";
import { differenceOf, isEmptySet, noFields, unionOf } from "./field_set.ts";
import type { FieldShape } from "./field_shapes.ts";
import { fieldsOf } from "./field_walk.ts";
import { decodeManagers, encodeManagers, type FieldManager, ownedPart } from "./managed_fields.ts";

/** Who owns what came from files, until somebody else writes it. */
export const manifestsFieldManager = "weir.dev/manifests";

/** Finds the shape of a kind in its stored version. */
export type ShapeSource = (apiVersion: string, kind: string) => FieldShape;

/** See the file's header. */
export class ImpliedOwners {
  readonly #shapes: ShapeSource;
  readonly #shown = new WeakMap<KubeObject, KubeObject>();

  constructor(shapes: ShapeSource) {
    this.#shapes = shapes;
  }

  /** Everybody who owns a field of `object`; nobody when its own list is in no form that is known. */
  managersOf(object: KubeObject, info: KindInfo): readonly FieldManager[] {
    const { metadata } = object;
    const stored = "managedFields" in metadata ? asList(metadata.managedFields) : [];
    const known = decodeManagers(stored) ?? [];
    if (stored.length > 0 && known.length === 0) return [];
    const shape = this.#shapes(object.apiVersion, object.kind);
    const implied = (manager: string, subresource: string, part: JsonRecord): FieldManager => {
      const owned = known.filter((one) => one.subresource === subresource)
        .reduce((all, one) => unionOf(all, one.fields), noFields);
      return {
        manager,
        operation: "Apply",
        apiVersion: apiVersionOf(info),
        time: undefined,
        subresource,
        fields: differenceOf(fieldsOf(part, shape), owned),
      };
    };
    const { hasStatus, group } = info;
    // Where anybody is known, the rest are defaults, which nobody owns.
    const own = known.some(({ subresource }) => subresource === "")
      ? []
      : [implied(manifestsFieldManager, "", ownedPart(object, "", hasStatus))];
    const status = hasStatus && group === "gateway.networking.k8s.io"
      ? [implied(statusFieldManager, "status", ownedPart(object, "status", true))]
      : [];
    const all = [...status, ...own].filter(({ fields }) => !isEmptySet(fields));
    return [...known, ...all];
  }

  /** `object` with all of its owners. */
  shown(object: KubeObject, info: KindInfo): KubeObject {
    const known = this.#shown.get(object);
    if (known) return known;
    const managers = this.managersOf(object, info);
    const managedFields = encodeManagers(managers);
    const shown = managers.length === 0
      ? object
      : { ...object, metadata: { ...object.metadata, managedFields } };
    this.#shown.set(object, shown);
    return shown;
  }
}
