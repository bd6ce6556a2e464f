/**
 * The schema of `metadata` for OpenAPI: the fields that the local cluster keeps, described in its own
 * words.
 */

const text = (description: string): object => ({ type: "string", description });
const texts = (description: string): object => ({
  type: "object",
  additionalProperties: { type: "string" },
  description,
});

/** `ObjectMeta`. */
export const objectMetaSchema: Readonly<Record<string, unknown>> = {
  type: "object",
  description: "What every object has besides its own fields",
  properties: {
    name: text("The name, unique among the objects of the kind in the namespace"),
    generateName: text("The beginning of a name that the server completes when name is empty"),
    namespace: text("The namespace; empty for kinds that are in none"),
    labels: texts("Names and values that selectors select by"),
    annotations: texts("Names and values that tools keep with the object"),
    uid: text("Identifies the object among all that ever had its name; given by the server"),
    resourceVersion: text(
      "The version of the object; a write that names another one is a conflict",
    ),
    generation: {
      type: "integer",
      format: "int64",
      description: "Counts changes of what is wanted; given by the server",
    },
    creationTimestamp: { ...text("When it was created"), format: "date-time" },
    deletionTimestamp: { ...text("When it is to be gone"), format: "date-time" },
    finalizers: {
      type: "array",
      items: { type: "string" },
      description: "Who has work to do before the object goes",
      "x-kubernetes-list-type": "set",
      "x-kubernetes-patch-strategy": "merge",
    },
    ownerReferences: {
      type: "array",
      description: "The objects that this one goes with",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["uid"],
      "x-kubernetes-patch-merge-key": "uid",
      "x-kubernetes-patch-strategy": "merge",
      items: {
        type: "object",
        required: ["apiVersion", "kind", "name", "uid"],
        properties: {
          apiVersion: text("The owner's group and version"),
          kind: text("The owner's kind"),
          name: text("The owner's name"),
          uid: text("The owner's uid"),
          controller: { type: "boolean", description: "Whether the owner manages this object" },
          blockOwnerDeletion: {
            type: "boolean",
            description: "Whether the owner waits for this object when it goes",
          },
        },
      },
    },
    managedFields: {
      type: "array",
      items: { type: "object" },
      description: "Who owns which fields",
      "x-kubernetes-list-type": "atomic",
    },
  },
};
