// What a user would lose: a path for every object, as the state has it, and a reason when there is no
// explanation.

import { assertEquals, assertStringIncludes } from "@std/assert";
import type { StatusExplanation } from "../../../src/api/explain_status.ts";
import { createExplainStatusGroup } from "../../../src/http/explain_status_routes.ts";
import type { ObjectName, StatusAnswer } from "../../../src/http/views.ts";
import { kinds } from "../../../src/kube/kinds.ts";
import { createTestApi } from "../../fakes/http_api.ts";

const because = {
  ...{ kind: "Secret", namespace: "default", name: "cert", field: "data", absent: true as const },
  ...{ revision: "e1.0", time: "2026-01-01T00:00:00.000Z", source: "object" as const },
};

const explanation: StatusExplanation = {
  revision: "e1.7",
  kind: "Gateway",
  namespace: "default",
  name: "edge",
  conditions: [],
  listeners: [{
    name: "https",
    conditions: [{
      ...{ type: "ResolvedRefs", status: "False", reason: "InvalidCertificateRef", message: "m" },
      because: [because],
      truncated: false,
      superset: false,
      chain: [{ step: "input", what: "w", concluded: "c", revision: "e1.0", time: because.time }],
      lastChange: { revision: "e1.5", time: because.time, sinceStart: false, input: because },
    }],
  }],
  parents: [{ parentRef: { name: "edge", port: 80 }, conditions: [] }],
  ancestors: [{ ancestorRef: { kind: "Gateway", name: "edge" }, conditions: [] }],
  notes: ["n"],
};

function api(answer: StatusAnswer) {
  const asked: { readonly kind: string; readonly name: ObjectName }[] = [];
  const group = createExplainStatusGroup({
    kinds: [kinds.GatewayClass, kinds.Gateway, kinds.Secret],
    status: (kind, name) => {
      asked.push({ kind, name });
      return Promise.resolve(answer);
    },
  });
  return { ...createTestApi([group]), asked };
}

Deno.test("/api/v1/explain/KIND/… asks about the object by every name of its kind", async () => {
  const { app, asked } = api({ ok: true, explanation });
  for (const kind of ["gateway", "Gateways", "gtw", "GATEWAY"]) {
    const response = await app.request(`/api/v1/explain/${kind}/default/edge`);
    assertEquals([response.status, await response.json()], [200, { ...explanation }], kind);
  }
  assertEquals((await app.request("/api/v1/explain/gc/weir")).status, 200);
  assertEquals(
    asked.map(({ kind, name }) => `${kind} ${name.namespace ?? "-"}/${name.name}`),
    [...Array(4).fill("Gateway default/edge"), "GatewayClass -/weir"],
  );
});

Deno.test("/api/v1/explain/KIND/… refuses with a reason what cannot be explained", async () => {
  const refused = (reason: Extract<StatusAnswer, { ok: false }>["reason"]) =>
    api({ ok: false, reason, detail: "the detail" }).app;
  const cases = [
    ["NotFound", "gtw/default/edge", 404, "NotFound", "Find object: the detail"],
    ["NoStatus", "secrets/default/a", 404, "NoStatus", "Explain status: the detail"],
    ["NotReady", "gtw/default/edge", 503, "NotReady", "Explain status: the detail"],
    ["NotFound", "gatway/default/edge", 404, "UnknownKind", 'did you mean "gateways"?'],
    ["NotFound", "gateways/edge", 404, "NotFound", "Gateway has namespaces"],
    ["NotFound", "gc/default/weir", 404, "NotFound", "GatewayClass has no namespaces"],
  ] as const;
  for (const [answer, path, status, reason, detail] of cases) {
    const response = await refused(answer).request(`/api/v1/explain/${path}`);
    const problem = await response.json();
    assertEquals([response.status, problem.reason], [status, reason], path);
    assertStringIncludes(problem.detail, detail);
  }
});
