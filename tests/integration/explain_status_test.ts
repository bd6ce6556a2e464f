/**
 * Explanations of a whole process whose files change. What a user would lose: the answer to "since
 * when, and because of what" of a gateway that worked yesterday.
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { parse } from "valibot";
import {
  type ConditionExplanation,
  type StatusExplanation,
  StatusExplanationSchema,
} from "../../src/api/explain_status.ts";
import { explainStatus } from "../../src/app/explain_status.ts";
import { explainFlags } from "../../src/cli/explain_flags.ts";
import { systemClock } from "../../src/base/clock.ts";
import { decodeSettings } from "../../src/config/decode_settings.ts";
import { ApiClient } from "../fakes/api_client.ts";
import { type RunningProcess, withProcess } from "../fakes/running_process.ts";

const base = `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: weir }
spec: { controllerName: weir.dev/gateway-controller }
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: { name: web }
spec:
  gatewayClassName: weir
  listeners:
    - name: http
      port: 8080
      protocol: HTTP
      allowedRoutes: { namespaces: { from: Selector, selector: { matchLabels: { team: a } } } }
    - name: https
      port: 8443
      protocol: HTTPS
      tls: { certificateRefs: [{ name: cert }] }
---
apiVersion: v1
kind: Service
metadata: { namespace: pay, name: api, annotations: { weir.dev/endpoints: "127.0.0.1:3000" } }
spec: { ports: [{ port: 80 }] }
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: { namespace: apps, name: shop }
spec:
  parentRefs: [{ namespace: default, name: web, sectionName: http }]
  rules: [{ backendRefs: [{ namespace: pay, name: api, port: 80 }] }]
`;
const apps = (team: string): string => `
apiVersion: v1
kind: Namespace
metadata: { name: apps, labels: { team: ${team} } }
`;
const grant = `
apiVersion: gateway.networking.k8s.io/v1
kind: ReferenceGrant
metadata: { namespace: pay, name: allow }
spec:
  from: [{ group: gateway.networking.k8s.io, kind: HTTPRoute, namespace: apps }]
  to: [{ group: "", kind: Service }]
`;
const manifests = { base, apps: apps("a"), grant };

interface Asked {
  readonly running: RunningProcess;
  readonly client: ApiClient;
  /** The condition of the one parent of the route, once it has this status. */
  condition(type: string, status: string): Promise<ConditionExplanation>;
}

async function ask(client: ApiClient, path: string): Promise<StatusExplanation> {
  return parse(StatusExplanationSchema, await client.json(`/api/v1/explain/${path}`));
}

async function withRoute(test: (asked: Asked) => Promise<void>): Promise<void> {
  await withProcess(manifests, async (running) => {
    const client = new ApiClient(running.api);
    const condition = async (type: string, status: string): Promise<ConditionExplanation> => {
      for (let tries = 0; tries < 500; tries++) {
        const { parents = [] } = await ask(client, "httproutes/apps/shop");
        const found = parents[0]?.conditions.find((condition) => condition.type === type);
        if (found?.status === status) return found;
        await systemClock.sleep(20);
      }
      throw new Error(`${type} never was ${status}`);
    };
    await test({ running, client, condition });
  });
}

Deno.test("/api/v1/explain tells of a deleted grant, a relabelled namespace, and the answer after them", async () => {
  await withRoute(async ({ running, condition }) => {
    const before = await condition("ResolvedRefs", "True");
    assertEquals(before.lastChange.sinceStart, true);
    await running.remove("grant");
    const unresolved = await condition("ResolvedRefs", "False");
    const { lastChange: { input, time, sinceStart } } = unresolved;
    assertEquals([input?.kind, input?.namespace, input?.name, input?.absent, sinceStart], [
      ...["ReferenceGrant", "pay", "allow", true, false],
    ]);
    assert(input && Date.parse(input.time) <= Date.parse(time));
    assertEquals(unresolved.because[0]?.lookedFor, 'ReferenceGrants in namespace "pay"');
    assertEquals(unresolved.because.some(({ name, absent }) => name === "allow" && absent), true);

    await running.save("apps", apps("b"));
    const refused = await condition("Accepted", "False");
    assertEquals(
      [refused.lastChange.input?.kind, refused.lastChange.input?.field],
      ["Namespace", "metadata.labels"],
    );
    await running.save("apps", apps("a"));
    const served = await condition("weir.dev/Programmed", "True");
    assertEquals(served.because[0]?.source, "acknowledgement");
    assertEquals(served.chain.at(-1)?.step, "input");
  });
});

Deno.test("/api/v1/explain tells of listeners, classes, and what is not there", async () => {
  await withRoute(async ({ client, running }) => {
    const gateway = await ask(client, "gtw/default/web");
    assertEquals(gateway.listeners?.map(({ name }) => name), ["http", "https"]);
    const resolved = gateway.listeners?.[1]?.conditions.find(({ type }) => type === "ResolvedRefs");
    assertEquals([resolved?.status, resolved?.because[0]?.kind, resolved?.because[0]?.absent], [
      ...["False", "Secret", true],
    ]);
    assertEquals((await ask(client, "gc/weir")).conditions[0]?.type, "Accepted");
    for (
      const [path, reason] of [
        ["gateways/default/none", "NotFound"],
        ["services/pay/api", "NoStatus"],
        ["nothing/default/web", "UnknownKind"],
        ["gateways/web", "NotFound"],
      ] as const
    ) {
      const response = await client.request(`/api/v1/explain/${path}`);
      assertEquals([response.status, (await response.json()).reason], [404, reason], path);
    }
    // The command asks the same process.
    const { settings } = decodeSettings(explainFlags, []);
    const request = { inputs: [], settings, api: running.api, namespace: "apps" };
    const { explanation } = await explainStatus({
      ...request,
      object: { kind: "httproute", name: "shop" },
    });
    assertEquals(explanation.parents?.length, 1);
    await assertRejects(
      () => explainStatus({ ...request, object: { kind: "httproute", name: "none" } }),
      Error,
      "it answered 404: Find object: there is no such HTTPRoute",
    );
  });
});
