/**
 * What the API serves, in its own words: groups, versions and resources, one by one and all in one
 * document (aggregated discovery). Pure.
 */

import {
  apiGroups,
  type ApiResource,
  apiResources,
  statusVerbsOf,
  verbsOf,
} from "./api_resources.ts";
import { reviewGroups } from "./api_path.ts";
import { parseAccept, takesJson } from "./render_objects.ts";
import { ApiRefusal, unknownPath } from "./api_status.ts";
import { jsonAnswer, type TextAnswer } from "./api_request.ts";

/** The Kubernetes release whose API this one follows, as `/version` tells it. */
const kubernetesMinor = 36;

/** The kinds of the groups of questions, by their plural. */
const reviewKinds: Readonly<Record<string, string>> = {
  selfsubjectaccessreviews: "SelfSubjectAccessReview",
  selfsubjectrulesreviews: "SelfSubjectRulesReview",
  selfsubjectreviews: "SelfSubjectReview",
};

/** `/api` or `/apis`: the groups, or everything when `accept` asks for the aggregated form. */
export function discoveryRoot(root: "api" | "apis", accept: string): TextAnswer {
  for (const range of parseAccept(accept)) {
    if (!takesJson(range)) continue;
    const as = range.parameters.get("as");
    if (as === undefined) return jsonAnswer(root === "api" ? coreVersions() : groupList());
    const version = range.parameters.get("v");
    const isServed = range.parameters.get("g") === "apidiscovery.k8s.io" &&
      as === "APIGroupDiscoveryList" && (version === "v2" || version === "v2beta1");
    if (!isServed) continue;
    const contentType = `application/json;g=apidiscovery.k8s.io;v=${version};as=${as}`;
    return { ...jsonAnswer(aggregated(root, version)), contentType };
  }
  const message = "only the following media types are accepted: application/json";
  throw new ApiRefusal({ code: 406, reason: "NotAcceptable", message });
}

/** `/apis/GROUP`. @throws {ApiRefusal} 404 */
export function groupDocument(name: string): object {
  const group = groups().find((one) => one.name === name);
  if (!group) throw unknownPath();
  return { kind: "APIGroup", apiVersion: "v1", ...group };
}

/** `/api/v1` or `/apis/GROUP/VERSION`. @throws {ApiRefusal} 404 */
export function versionDocument(apiVersion: string): object {
  const served = apiResources.filter((resource) => resource.apiVersion === apiVersion);
  const reviews = reviewGroups.get(apiVersion) ?? [];
  if (served.length === 0 && reviews.length === 0) throw unknownPath();
  return {
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: apiVersion,
    resources: [
      ...served.flatMap(listedResource),
      ...reviews.map((name) => ({
        name,
        singularName: (reviewKinds[name] ?? "").toLowerCase(),
        namespaced: false,
        kind: reviewKinds[name],
        verbs: ["create"],
      })),
    ],
  };
}

/** `/version`. */
export function versionInfo(weirVersion: string): object {
  return {
    major: "1",
    minor: String(kubernetesMinor),
    gitVersion: `v1.${kubernetesMinor}.0+weir.${weirVersion}`,
    gitCommit: "",
    gitTreeState: "clean",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "",
    compiler: "deno",
    platform: "weir",
  };
}

function listedResource(resource: ApiResource): readonly object[] {
  const { kind, info } = resource;
  const { plural, namespaced, shortNames, hasStatus } = info;
  const common = { namespaced, kind };
  const categories = categoriesOf(kind, info.group);
  return [
    {
      name: plural,
      singularName: kind.toLowerCase(),
      ...common,
      verbs: verbsOf(resource),
      ...(shortNames.length === 0 ? {} : { shortNames }),
      ...(categories.length === 0 ? {} : { categories }),
    },
    ...(hasStatus
      ? [{ name: `${plural}/status`, singularName: "", ...common, verbs: statusVerbsOf(resource) }]
      : []),
  ];
}

/** What `kubectl get CATEGORY` lists: `gateway-api` as the CRDs say, `all` as a cluster does. */
function categoriesOf(kind: string, group: string): readonly string[] {
  if (group === "gateway.networking.k8s.io") return ["gateway-api"];
  return kind === "Service" || kind === "Pod" ? ["all"] : [];
}

function coreVersions(): object {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [],
  };
}

function groupList(): object {
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups() };
}

interface GroupDocument {
  readonly name: string;
  readonly versions: readonly { readonly groupVersion: string; readonly version: string }[];
  readonly preferredVersion: { readonly groupVersion: string; readonly version: string };
}

function groups(): readonly GroupDocument[] {
  const found: GroupDocument[] = [];
  for (const [name, versions] of allGroups()) {
    if (name === "") continue;
    const listed = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }));
    const [preferredVersion] = listed;
    if (preferredVersion) found.push({ name, versions: listed, preferredVersion });
  }
  return found;
}

function allGroups(): ReadonlyMap<string, readonly string[]> {
  const all = new Map(apiGroups());
  for (const apiVersion of reviewGroups.keys()) {
    const [group = "", version = ""] = apiVersion.split("/");
    all.set(group, [version]);
  }
  return all;
}

function aggregated(root: "api" | "apis", version: string): object {
  const items = [...allGroups()].filter(([group]) => (group === "") === (root === "api"));
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: `apidiscovery.k8s.io/${version}`,
    metadata: {},
    items: items.map(([group, versions]) => ({
      metadata: { name: group, creationTimestamp: null },
      versions: versions.map((one) => ({
        version: one,
        freshness: "Current",
        resources: aggregatedResources(group, one),
      })),
    })),
  };
}

function aggregatedResources(group: string, version: string): readonly object[] {
  const reviews = reviewGroups.get(`${group}/${version}`) ?? [];
  const served = apiResources.filter((one) => one.group === group && one.version === version);
  const asked = reviews.map((name) => ({
    resource: name,
    responseKind: { group, version, kind: reviewKinds[name] },
    scope: "Cluster",
    singularResource: (reviewKinds[name] ?? "").toLowerCase(),
    verbs: ["create"],
  }));
  return [...served.map(aggregatedResource), ...asked];
}

function aggregatedResource(resource: ApiResource): object {
  const { kind, info, group, version } = resource;
  const responseKind = { group, version, kind };
  const categories = categoriesOf(kind, group);
  return {
    resource: info.plural,
    responseKind,
    scope: info.namespaced ? "Namespaced" : "Cluster",
    singularResource: kind.toLowerCase(),
    verbs: verbsOf(resource),
    ...(info.shortNames.length === 0 ? {} : { shortNames: info.shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(info.hasStatus
      ? { subresources: [{ subresource: "status", responseKind, verbs: statusVerbsOf(resource) }] }
      : {}),
  };
}
