// What a user would lose: entries of ours that an earlier process left behind would say for ever that
// a route or a policy works, or another controller's would be taken away.

import { assertEquals } from "@std/assert";
import { StrayEntries } from "../../../src/app/stray_entries.ts";
import type { KubeObject } from "../../../src/kube/object.ts";
import {
  gateway,
  httpRoute,
  ourController,
  policy,
  routeStatus,
  storedAncestor,
  storedParent,
} from "../../fakes/status_objects.ts";

function straysOf(...objects: readonly KubeObject[]): readonly string[] {
  const strays = new StrayEntries(ourController, (parent) => parent.name !== "sibling");
  for (const object of objects) strays.observe(object);
  return strays.take(new Map());
}

const withOurs = httpRoute({ parents: [storedParent("a", ourController, [])] });

Deno.test("StrayEntries finds an entry of ours on a route and on a policy", () => {
  assertEquals(straysOf(withOurs), ["apps/web"]);
  const ours = [storedAncestor("a", ourController, [])];
  assertEquals(straysOf(policy({ ancestors: ours })), ["apps/tls"]);
});

Deno.test("StrayEntries takes no entry of others for ours, and none of the wrong list", () => {
  assertEquals(
    straysOf(
      httpRoute(),
      httpRoute({ parents: [storedParent("a", "example.com/other", [])] }),
      httpRoute({ parents: [storedParent("sibling", ourController, [])] }),
      httpRoute({ ancestors: [storedAncestor("a", ourController, [])] }),
      policy({ parents: [storedParent("a", ourController, [])] }),
      gateway({ parents: [storedParent("a", ourController, [])] }),
    ),
    [],
  );
});

Deno.test("StrayEntries forgets a suspect that has lost the entry, and each with its commit", () => {
  assertEquals(straysOf(withOurs, httpRoute({ parents: [] })), []);
  const strays = new StrayEntries(ourController, () => true);
  strays.observe(withOurs);
  const desired = routeStatus({});
  assertEquals(strays.take(new Map([[desired.key, desired]])), []);
  assertEquals(strays.take(new Map()), []);
});
