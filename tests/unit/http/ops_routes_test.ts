/**
 * What an operator would lose if these failed: probes that tell the truth and say which part is
 * not ready and why.
 */

import { assertEquals } from "@std/assert";
import { parse } from "valibot";
import { ReadinessSchema } from "../../../src/api/readiness.ts";
import { createTestApi } from "../../fakes/http_api.ts";

Deno.test("/livez is ok whatever is not ready", async () => {
  const api = createTestApi();
  api.checks = [{ name: "engine", state: "failed", reason: "no" }];
  const response = await api.app.request("/livez");
  assertEquals([response.status, await response.text()], [200, "ok\n"]);
});

Deno.test("/readyz is brief when ready and lists all parts when asked or when not ready", async () => {
  const api = createTestApi();
  api.checks = [
    { name: "engine", state: "ok", reason: "settled at 7" },
    { name: "flow", state: "off", reason: "switched off by --features" },
  ];
  const brief = await api.app.request("/readyz");
  assertEquals([brief.status, await brief.text()], [200, "ok\n"]);
  const verbose = await api.app.request("/readyz?verbose");
  assertEquals(
    [verbose.status, await verbose.text()],
    [
      200,
      "[+]engine ok: settled at 7\n[ ]flow off: switched off by --features\nreadyz check passed\n",
    ],
  );
  api.checks[0] = { name: "engine", state: "failed", reason: "line\nbreak" };
  const failed = await api.app.request("/readyz");
  assertEquals(
    [failed.status, await failed.text()],
    [
      503,
      "[-]engine failed: line\\nbreak\n[ ]flow off: switched off by --features\n" +
      "readyz check failed\n",
    ],
  );
});

Deno.test("/readyz speaks JSON to who prefers it", async () => {
  const api = createTestApi();
  api.checks.push({ name: "proxy", state: "failed", reason: "port taken" });
  const response = await api.app.request("/readyz", { headers: { accept: "application/json" } });
  assertEquals(response.status, 503);
  assertEquals(parse(ReadinessSchema, await response.json()), {
    status: "failed",
    checks: api.checks,
  });
  for (const accept of ["*/*", "text/plain, application/json;q=0.5", "application/json;q=0"]) {
    const text = await api.app.request("/readyz", { headers: { accept } });
    assertEquals(text.headers.get("content-type"), "text/plain; charset=utf-8", accept);
  }
});

Deno.test("/metrics is the registry's text with the content type that Prometheus expects", async () => {
  const api = createTestApi();
  api.registry.gauge({ name: "weir_x", help: "X." }).with({}).set(1);
  const response = await api.app.request("/metrics");
  assertEquals(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  assertEquals((await response.text()).includes("\nweir_x 1\n"), true);
});

Deno.test("/readyz tells nobody but the code who was not asked for a token", async () => {
  const api = createTestApi();
  const probe = async (accept: string): Promise<string> => {
    const request = new Request("http://localhost/readyz?verbose", { headers: { accept } });
    const response = await api.app.fetch(request, { grant: { hasDetails: false } });
    return `${response.status} ${await response.text()}`;
  };
  assertEquals(await probe("*/*"), "200 ok\n");
  assertEquals(await probe("application/json"), `200 {"status":"ok","checks":[]}\n`);
  api.checks = [{ name: "cluster", state: "failed", reason: "reading Secret: forbidden" }];
  assertEquals(await probe("*/*"), "503 failed\n");
  assertEquals(await probe("application/json"), `503 {"status":"failed","checks":[]}\n`);
});
