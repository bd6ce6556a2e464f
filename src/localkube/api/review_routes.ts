/**
 * What a client may ask about itself: who it is, whether it may do something, and what it may do.
 * Pure; nothing of it is stored.
 */

import { asString, isRecord, type JsonRecord } from "../../kube/json_value.ts";
import { type ApiUser, isAllowed } from "./access.ts";
import { badRequest, unknownPath } from "./api_status.ts";

/** Answers a question of `apiVersion`. @throws {ApiRefusal} 400, 404 */
export function answerReview(
  plural: string,
  apiVersion: string,
  body: JsonRecord,
  user: ApiUser,
): object {
  const { spec } = body;
  const asked = isRecord(spec) ? spec : {};
  switch (plural) {
    case "selfsubjectaccessreviews":
      return answer("SelfSubjectAccessReview", apiVersion, asked, reviewAccess(asked, user));
    case "selfsubjectrulesreviews":
      return answer("SelfSubjectRulesReview", apiVersion, asked, reviewRules(asked, user));
    case "selfsubjectreviews": {
      const userInfo = { username: user.name, groups: user.groups };
      return answer("SelfSubjectReview", apiVersion, undefined, { userInfo });
    }
    default:
      throw unknownPath();
  }
}

function answer(
  kind: string,
  apiVersion: string,
  spec: JsonRecord | undefined,
  status: object,
): object {
  const metadata = { creationTimestamp: null };
  return { kind, apiVersion, metadata, ...(spec ? { spec } : {}), status };
}

function reviewAccess(spec: JsonRecord, user: ApiUser): object {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (isRecord(resourceAttributes)) {
    const { verb, group, resource, subresource, namespace, name } = resourceAttributes;
    const below = asString(subresource) ?? "";
    const question = {
      verb: asString(verb) ?? "",
      group: asString(group) ?? "",
      resource: `${asString(resource) ?? ""}${below === "" ? "" : `/${below}`}`,
      namespace: asString(namespace) || undefined,
      name: asString(name) || undefined,
    };
    return { allowed: isAllowed(user, question) };
  }
  if (isRecord(nonResourceAttributes)) {
    // What is no resource is read by everybody who is known.
    return { allowed: nonResourceAttributes.verb === "get" };
  }
  throw badRequest("exactly one of nonResourceAttributes or resourceAttributes must be specified");
}

function reviewRules(spec: JsonRecord, { rules }: ApiUser): object {
  const namespace = asString(spec.namespace) ?? "";
  const here = rules.filter(({ namespaces, resources }) =>
    resources.length > 0 && (namespaces.length === 0 || namespaces.includes(namespace))
  );
  return {
    resourceRules: here.map(({ verbs, apiGroups, resources, resourceNames }) => ({
      verbs,
      apiGroups,
      resources,
      ...(resourceNames.length === 0 ? {} : { resourceNames }),
    })),
    nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["*"] }],
    incomplete: false,
  };
}
