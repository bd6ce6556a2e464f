// What a user would lose: a weir that may do what it needs in a cluster, and nothing besides.

import { assert, assertEquals } from "@std/assert";
import { type Kind, type KindInfo, kindNames, kinds } from "../../../src/kube/kinds.ts";
import {
  neededPermissions,
  type Permission,
  type PermissionScope,
  resourceName,
} from "../../../src/kube/permissions.ts";

const everything: PermissionScope = {
  namespaces: [],
  secretNamespaces: [],
  without: [],
  isClassGiven: false,
  lease: { namespace: "weir-system", name: "weir" },
};

function rows(scope: Partial<PermissionScope> = {}): readonly Permission[] {
  return neededPermissions({ ...everything, ...scope });
}

function placesOf(permissions: readonly Permission[], resource: string): string[] {
  return permissions.filter((row) => resourceName(row) === resource)
    .map(({ place }) => place === "everywhere" ? "everywhere" : place.namespace);
}

Deno.test("neededPermissions() has every kind of the table, and the status of every one that has one", () => {
  const permissions = rows();
  for (const kind of kindNames) {
    const { plural, group, hasStatus }: KindInfo = kinds[kind];
    const reading = permissions.find((row) => row.kind === kind && row.resource === plural);
    assertEquals(reading?.group, group, kind);
    assert(reading?.verbs.includes("list") && reading.verbs.includes("watch"), kind);
    const writing = permissions.find((row) => row.resource === `${plural}/status`);
    const isWritten = hasStatus && group === kinds.Gateway.group;
    assertEquals(writing?.verbs.includes("update") ?? false, isWritten, kind);
    assertEquals(reading?.verbs.includes("get"), isWritten, kind);
  }
});

Deno.test("neededPermissions() gives no right to a spec, to all of something, or to delete", () => {
  const allowed = new Set(["get", "list", "watch"]);
  for (const row of rows()) {
    assert(!`${row.group} ${row.resource} ${row.verbs}`.includes("*"), resourceName(row));
    const isOwn = row.resource === "leases" || row.resource === "events";
    const isStatus = row.resource.endsWith("/status");
    // A question in the form of a create: nothing is stored.
    const isReview = row.resource.endsWith("reviews");
    if (isReview) assertEquals(row.verbs, ["create"]);
    if (!isOwn && !isStatus && !isReview) assert(row.verbs.every((verb) => allowed.has(verb)));
    assert(!row.verbs.some((verb) => verb.startsWith("delete")), resourceName(row));
    assert(row.purpose !== "" && row.verbs.length > 0);
  }
  const update = rows().find(({ resource, verbs }) =>
    resource === "leases" && verbs.includes("update")
  );
  assertEquals(update?.names, ["weir"]);
});

Deno.test("neededPermissions() of some namespaces has nothing for the cluster but the class and callers", () => {
  const permissions = rows({ namespaces: ["a", "b"] });
  const cluster = permissions.filter(({ place }) => place === "everywhere").map(resourceName);
  assertEquals(cluster, [
    "gatewayclasses.gateway.networking.k8s.io",
    "gatewayclasses.gateway.networking.k8s.io/status",
    "customresourcedefinitions.apiextensions.k8s.io",
    "tokenreviews.authentication.k8s.io",
    "subjectaccessreviews.authorization.k8s.io",
  ]);
  assertEquals(placesOf(permissions, "httproutes.gateway.networking.k8s.io"), ["a", "b"]);
  assertEquals(placesOf(permissions, "events.events.k8s.io"), ["a", "b"]);
  assertEquals(placesOf(permissions, "namespaces"), []);
});

Deno.test("neededPermissions() has nothing for the cluster where the class is vouched for", () => {
  const permissions = rows({ namespaces: ["a"], isClassGiven: true });
  assertEquals(permissions.filter(({ place }) => place === "everywhere"), []);
});

Deno.test("neededPermissions() reads Secrets where it is told, and not what it does without", () => {
  assertEquals(placesOf(rows({ secretNamespaces: ["tls"] }), "secrets"), ["tls"]);
  assertEquals(placesOf(rows({ namespaces: ["a"] }), "secrets"), ["a"]);
  assertEquals(placesOf(rows({ namespaces: ["a"], secretNamespaces: ["tls"] }), "secrets"), [
    "tls",
  ]);
  const without: Kind[] = ["Secret", "TCPRoute"];
  const left = rows({ without }).map(({ resource }) => resource);
  for (const gone of ["secrets", "tcproutes", "tcproutes/status"]) assert(!left.includes(gone));
});
