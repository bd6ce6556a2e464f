/**
 * Plans of a running weir, on their own thread. What a user would lose: traffic that goes on while
 * somebody plans with a text that takes a second to parse, a process that survives a text that takes
 * all memory, and a weir that ends when it is told to.
 */

import { assert, assertEquals } from "@std/assert";
import { localBase } from "../../src/app/fork_base.ts";
import { createPlanThreads } from "../../src/app/plan_worker_thread.ts";
import type { PlanJob, PlanReport } from "../../src/app/plan_thread.ts";
import { planFlags } from "../../src/cli/plan_flags.ts";
import { decodeSettings } from "../../src/config/decode_settings.ts";
import { ApiClient } from "../fakes/api_client.ts";
import { gatewayYaml } from "../fakes/real_folder.ts";
import { WeirProcess } from "../fakes/weir_process.ts";

/** A valid text that the YAML library takes long for: a list of 200,000 nulls. */
const longText = `x: [a${",".repeat(200_000)}]`;

function post(client: ApiClient, body: string, signal?: AbortSignal): Promise<Response> {
  return client.request("/api/v1/plan", {
    method: "POST",
    headers: { "content-type": "application/yaml" },
    body,
    ...(signal ? { signal } : {}),
  });
}

/** A plan of {@linkcode longText} that is being computed: another one beside it was refused. */
async function startLong(
  client: ApiClient,
  signal?: AbortSignal,
): Promise<readonly [Promise<string>]> {
  for (;;) {
    const long = post(client, longText, signal).then((response) => response.text(), () => "gone");
    const beside = await post(client, "");
    await beside.body?.cancel();
    if (beside.status === 503) return [long];
    // The short one was first; the long one has been refused, or is over.
    await long;
  }
}

async function withWeir(
  use: (weir: WeirProcess, client: ApiClient) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "weir-plan-" });
  try {
    await Deno.writeTextFile(`${folder}/a.yaml`, gatewayYaml("a", 8080));
    await using weir = new WeirProcess(folder, ["--drain-timeout=0s"]);
    await use(weir, new ApiClient(await weir.ready()));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("A running weir answers others while it computes a plan", async () => {
  await withWeir(async (weir, client) => {
    let isAnswered = false;
    const long = post(client, longText).then(async (response) => {
      isAnswered = true;
      return { status: response.status, plan: await response.json() };
    });
    let others = 0;
    let refused: Response | undefined;
    while (!isAnswered) {
      const live = await client.request("/livez");
      assertEquals(live.status, 200, await live.text());
      if (!isAnswered) others++;
      if (others !== 5) continue;
      refused = await post(client, "");
      assertEquals([refused.status, refused.headers.get("retry-after")], [503, "1"]);
      assertEquals((await refused.json()).reason, "PlanInProgress");
    }
    // On the same loop at most one of them would have been answered before the plan.
    assert(others > 10 && refused !== undefined, `${others} others were answered`);
    const { status, plan } = await long;
    assertEquals([status, plan.verdict, plan.problemCount], [200, "unchanged", 1]);
    assertEquals(await weir.stop(), 0);
  });
});

Deno.test("A plan whose client goes away makes room for the next", async () => {
  await withWeir(async (weir, client) => {
    const leaving = new AbortController();
    const [left] = await startLong(client, leaving.signal);
    leaving.abort();
    assertEquals(await left, "gone");
    await weir.until(async () => {
      const next = await post(client, "");
      await next.body?.cancel();
      return next.status === 200;
    }, "another plan is computed");
    assert(!weir.errors.includes("error "), weir.errors);
    assertEquals(await weir.stop(), 0);
  });
});

Deno.test("A weir that computes a plan ends when it is told to", async () => {
  await withWeir(async (weir, client) => {
    const [long] = await startLong(client);
    assertEquals(await weir.stop(), 0);
    await long;
  });
});

Deno.test("A thread that needs more memory than it may have ends alone", async () => {
  const job: PlanJob = {
    base: localBase,
    settings: decodeSettings(planFlags, []).settings,
    baseRevision: "e.1",
    manifests: longText,
    deletions: [],
  };
  const entry = new URL("../../main.ts", import.meta.url);
  const over = Promise.withResolvers<PlanReport>();
  const thread = createPlanThreads({ entry, heapMaxMb: 40 })(job, {
    onReport(report) {
      if (report.type === "next") thread.send({ type: "objects", text: "[]", isLast: true });
      else over.resolve(report);
    },
    onFailure: over.reject,
  });
  assertEquals(await over.promise, { type: "outOfMemory" });
  thread.terminate();
});
