/**
 * A whole process in a pod of a cluster that is played, its HTTP API spoken to byte by byte. What an
 * operator would lose if these failed: sidecars and whoever reaches the port would read the state and
 * plan over it, probes or Prometheus would stop, or a token would be found in a log.
 */

import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { askRunning } from "../../src/app/ask_running.ts";
import { compose } from "../../src/app/compose.ts";
import { openRunningApi } from "../../src/app/running_api.ts";
import { type AccessVerdict, refuseToken } from "../../src/auth/access.ts";
import { createHostPolicy } from "../../src/auth/host_guard.ts";
import { systemClock } from "../../src/base/clock.ts";
import { decodeSettings } from "../../src/config/decode_settings.ts";
import { flags } from "../../src/config/flags.ts";
import { readArguments } from "../../src/config/read_arguments.ts";
import { AccessGate } from "../../src/http/access_gate.ts";
import { createChangeGroup } from "../../src/http/change_routes.ts";
import { EventStreams } from "../../src/http/event_streams.ts";
import { defaultHttpLimits } from "../../src/http/http_limits.ts";
import type { Route } from "../../src/http/route_group.ts";
import { HttpServer } from "../../src/http/server.ts";
import type { ChangesView } from "../../src/http/views.ts";
import { HttpTransport } from "../../src/kube/http_transport.ts";
import { RequestPace } from "../../src/kube/request_pace.ts";
import { ApiClient } from "../fakes/api_client.ts";
import { ApiDouble } from "../fakes/api_double.ts";
import { refusal } from "../fakes/double_reply.ts";
import { DoubleServer } from "../fakes/double_server.ts";
import { createTestApi } from "../fakes/http_api.ts";
import { OpenApiCheck } from "../fakes/openapi_check.ts";
import { localPlanThreads } from "../fakes/plan_thread.ts";
import { exchange, RawConnection } from "../fakes/raw_text.ts";
import { RecordingLog } from "../fakes/recording_log.ts";

const operator = "operator-token-0123456789";
const prometheus = "prometheus-token-0123456789";

interface Pod {
  readonly double: ApiDouble;
  readonly port: number;
  readonly log: RecordingLog;
}

/** Runs weir as in a pod, for the time of `test`. No log record holds a token. */
async function withPod(test: (pod: Pod) => Promise<void>): Promise<void> {
  const double = new ApiDouble();
  const { tokens, rights } = double.reviews;
  tokens.set(operator, { user: "operator" });
  tokens.set(prometheus, { user: "system:serviceaccount:monitoring:prometheus" });
  rights.add("system:serviceaccount:monitoring:prometheus get /metrics");
  rights.add("operator get /metrics");
  for (const path of ["/readyz", "/api/v1/state", "/api/v1/changes", "/openapi.json"]) {
    rights.add(`operator get /weir.dev${path}`);
    // What every cluster gives to all who have a token.
    rights.add(`system:serviceaccount:monitoring:prometheus get ${path}`);
  }
  rights.add("operator post /weir.dev/api/v1/plan");
  const server = new DoubleServer(double);
  const transport = new HttpTransport({
    access: {
      server: await server.start(),
      isInsecure: false,
      credentials: { identity: () => Promise.resolve({}), forget: () => {} },
    },
    clock: systemClock,
    pace: new RequestPace({ perSecond: 1_000, burst: 1_000 }, systemClock),
    userAgent: "weir/test",
  });
  const { layer } = readArguments(flags, [
    "--in-cluster",
    "--data-plane=none",
    "--api-address=127.0.0.1:0",
  ]);
  const log = new RecordingLog();
  const newId = (): string => crypto.randomUUID();
  const { runner, subsystems, apiUrl } = compose(decodeSettings(flags, [layer]).settings, {
    clock: systemClock,
    log,
    random: () => 0.5,
    newId,
    version: "0.0.0-test",
    cluster: {
      transport,
      leaseTransport: transport,
      server: server.url,
      isPod: true,
      delayedCount: () => 0,
      close: () => {},
    },
    readTextFile: () => Promise.reject(new Error("no file is named")),
    mayWriteFile: () => Promise.resolve(true),
    writeSecretFile: () => Promise.resolve(),
    writeAccessLog: () => {},
    startPlanThread: localPlanThreads({ clock: systemClock, newUid: newId }),
  });
  const controller = new AbortController();
  const run = runner.run(subsystems, controller.signal);
  try {
    await runner.untilReady(AbortSignal.timeout(20_000));
    await test({ double, port: Number(new URL(apiUrl() ?? "").port), log });
  } finally {
    controller.abort();
    await run;
    transport.close();
    await server.stop();
  }
  const records = JSON.stringify(log.records);
  for (const token of [operator, prometheus]) assertEquals(records.includes(token), false);
}

function ask(start: string, ...lines: readonly string[]): string {
  const all = [`${start} HTTP/1.1`, "Host: localhost", ...lines, "Connection: close"];
  return `${all.join("\r\n")}\r\n\r\n`;
}

const as = (token: string): string => `Authorization: Bearer ${token}`;

/** `status reason`, or `status` of what is no problem. */
function wordsOf(answer: string): string {
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? `no answer: ${answer}`;
  const body = answer.slice(answer.indexOf("\r\n\r\n") + 4);
  if (!/\r\ncontent-type: application\/problem\+json\r\n/i.test(answer)) return status;
  return body === "" ? `${status} problem` : `${status} ${JSON.parse(body).reason}`;
}

Deno.test("a pod answers probes, and everything else to who may alone", async (context) => {
  await withPod(async ({ double, port }) => {
    const wordOf = async (...parts: string[]): Promise<string> =>
      wordsOf(await exchange(port, ...parts));

    await context.step("probes need nothing and learn nothing", async () => {
      for (const path of ["/livez", "/readyz", "/readyz?verbose"]) {
        const answer = await exchange(port, ask(`GET ${path}`));
        assertMatch(answer, /^HTTP\/1\.1 200 /);
        assertEquals(answer.slice(answer.indexOf("\r\n\r\n") + 4), "ok\n");
      }
      assertEquals(double.reviews.asked, []);
      const verbose = await exchange(port, ask("GET /readyz?verbose", as(operator)));
      assertStringIncludes(verbose, "[+]cluster ok");
    });

    await context.step("without a token there is nothing else", async () => {
      const paths = ["/", "/metrics", "/openapi.json", "/api/v1/state", "/api/v1/changes", "/none"];
      for (const path of paths) {
        for (const method of ["GET", "OPTIONS", "POST", "DELETE"]) {
          const answer = await exchange(port, ask(`${method} ${path}`));
          assertEquals(wordsOf(answer), "401 TokenMissing", `${method} ${path}`);
          assertMatch(answer, /\r\nwww-authenticate: Bearer realm="weir"\r\n/i);
        }
        const head = await exchange(port, ask(`HEAD ${path}`));
        assertEquals(wordsOf(head), "401 problem", path);
      }
    });

    await context.step("a scraper may scrape, and nothing else", async () => {
      const scrape = await exchange(port, ask("GET /metrics", as(prometheus)));
      assertEquals(wordsOf(scrape), "200");
      assertStringIncludes(scrape, "weir_api_reviews_total");
      assertEquals(scrape.includes(prometheus), false);
      assertEquals(await wordOf(ask("HEAD /metrics", as(prometheus))), "200");
      assertEquals(await wordOf(ask("POST /metrics", as(prometheus))), "403 AccessDenied");
      assertEquals(await wordOf(ask("GET /api/v1/state", as(prometheus))), "403 AccessDenied");
      assertEquals(await wordOf(ask("GET /readyz", as(prometheus))), "403 AccessDenied");
      assertEquals(
        await wordOf(ask("GET /metrics?a=/livez", as(prometheus))),
        "400 UnknownParameter",
      );
    });

    await context.step("header tricks are no token", async () => {
      const lines = [
        ["Authorization:"],
        ["Authorization: Bearer"],
        ["Authorization: Basic b3BlcmF0b3I6eA=="],
        [`Authorization: Bearer ${operator}, Bearer ${operator}`],
        [as(operator), as(operator)],
        [as(prometheus), as(operator)],
        [as(operator), "authorization: Bearer x"],
        [`Authorization: Bearer ${"a".repeat(8_193)}`],
      ];
      for (const some of lines) {
        const answer = await exchange(port, ask("GET /api/v1/state", ...some));
        assertEquals(wordsOf(answer), "401 TokenMalformed", some.join("|").slice(0, 80));
        assertEquals(answer.includes(operator), false);
      }
      const others = [
        [`Proxy-Authorization: Bearer ${operator}`],
        [`X-Remote-User: operator`, "X-Forwarded-User: operator"],
        [`Cookie: token=${operator}`],
      ];
      for (const some of others) {
        assertEquals(await wordOf(ask("GET /api/v1/state", ...some)), "401 TokenMissing");
      }
      const query = ask(`GET /api/v1/state?access_token=${operator}`);
      assertEquals(await wordOf(query), "401 TokenMissing");
      const huge = ask("GET /api/v1/state", `Authorization: Bearer ${"a".repeat(20_000)}`);
      assertEquals(await wordOf(huge), "431 HeadersTooLarge");
      assertEquals(
        await wordOf(ask("GET /api/v1/state", `AUTHORIZATION: bearer ${operator}`)),
        "200",
      );
      // A folded line is no header line (RFC 9112 5.2).
      const folded = ask("GET /api/v1/state", "Authorization: Bearer", ` ${operator}`);
      assertMatch(await wordOf(folded), /^40[01] /);
    });

    await context.step("no spelling of a path gets around its right", async () => {
      const odd = [
        "/livez/../api/v1/state",
        "/livez/%2e%2e/api/v1/state",
        "/livez/..%2fapi/v1/state",
        "/api/v1/%73tate",
        "//livez",
        "/./livez",
        "/livez%20",
        "/livez\\..\\api",
      ];
      for (const path of odd) {
        assertEquals(await wordOf(ask(`GET ${path}`)), "400 PathNotPlain", path);
        assertEquals(await wordOf(ask(`GET ${path}`, as(prometheus))), "400 PathNotPlain", path);
      }
      assertEquals(await wordOf(ask("GET http://localhost/api/v1/state")), "401 TokenMissing");
      assertEquals(await wordOf(ask("GET http://localhost/livez")), "200");
      assertEquals(await wordOf(ask("GET /livez/")), "401 TokenMissing");
      assertEquals(await wordOf(ask("GET /livez#/../api")), "200");
    });

    await context.step("each request of a connection is asked for itself", async () => {
      const open = (start: string, ...lines: string[]): string =>
        ask(start, ...lines).replace("Connection: close\r\n", "");
      const answer = await exchange(
        port,
        open("GET /api/v1/state", as(operator)) + open("GET /api/v1/state") +
          open("GET /livez") + open("GET /metrics", as("nobody-knows-it")) +
          ask("GET /metrics", as(prometheus)),
      );
      const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status);
      assertEquals(statuses, ["200", "401", "200", "401", "200"]);
    });

    await context.step(
      "a body is not waited for, and not asked for, before the right is known",
      async () => {
        using connection = await RawConnection.open(port);
        await connection.send(
          "POST /api/v1/plan HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/yaml\r\n" +
            "Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n",
        );
        const head = await connection.readUntil("\r\n\r\n");
        assertMatch(head, /^HTTP\/1\.1 401 /);
        const sent = await exchange(
          port,
          ask("POST /api/v1/plan", "Content-Type: application/yaml", "Content-Length: 1000"),
        );
        assertEquals(wordsOf(sent), "401 TokenMissing");
        const allowed = await exchange(
          port,
          ask(
            "POST /api/v1/plan",
            as(operator),
            "Content-Type: application/yaml",
            "Content-Length: 3",
          ) +
            "---",
        );
        assertEquals(wordsOf(allowed), "200");
      },
    );
  });
});

Deno.test("nobody is let in while the API server cannot be asked, and probes go on", async () => {
  await withPod(async ({ double, port, log }) => {
    const state = ask("GET /api/v1/state", as(operator));
    const refuse = (code: number, reason: string): void => {
      double.intercept = ({ method }) => method === "POST" ? refusal(code, reason) : undefined;
    };
    refuse(500, "InternalError");
    const answer = await exchange(port, state);
    assertEquals(wordsOf(answer), "503 ReviewUnavailable");
    assertMatch(answer, /\r\nretry-after: 1\r\n/i);
    assertEquals(wordsOf(await exchange(port, ask("GET /livez"))), "200");
    refuse(403, "Forbidden");
    const other = ask("GET /api/v1/state", as(prometheus));
    assertEquals(wordsOf(await exchange(port, other)), "503 ReviewForbidden");
    assert(log.records.some(({ message }) => message.includes("cannot be reviewed")));
    double.intercept = () => undefined;
    // A failure holds for a moment.
    const lastMs = systemClock.monotonicMs() + 20_000;
    while (wordsOf(await exchange(port, state)) !== "200") {
      assert(systemClock.monotonicMs() < lastMs, "the operator is let in again");
    }
  });
});

Deno.test("requests with one token are one review, and random tokens come to a limit", async () => {
  await withPod(async ({ double, port }) => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => exchange(port, ask("GET /api/v1/state", as(operator)))),
    );
    assertEquals(new Set(answers.map(wordsOf)), new Set(["200"]));
    assertEquals(double.reviews.asked, [
      `token ${operator}`,
      "access operator get /weir.dev/api/v1/state",
    ]);
    const flood = await Promise.all(
      Array.from(
        { length: 150 },
        (_, index) => exchange(port, ask("GET /metrics", as(`random-${index}`))),
      ),
    );
    const words = flood.map(wordsOf);
    const limited = words.filter((word) => word === "429 TooManyReviews").length;
    assert(limited > 50, `${limited} were limited`);
    assertEquals(words.filter((word) => word !== "429 TooManyReviews")[0], "401 TokenUnknown");
    assertEquals(wordsOf(await exchange(port, ask("GET /api/v1/state", as(operator)))), "200");
  });
});

Deno.test("the document says where a token is needed, and what refusals there are", async () => {
  await withPod(async ({ port }) => {
    const text = async (start: string, ...lines: string[]) => {
      const answer = await exchange(port, ask(start, ...lines));
      return { answer, body: answer.slice(answer.indexOf("\r\n\r\n") + 4) };
    };
    const { answer: whole } = await text("GET /openapi.json", as(operator));
    const authorization = `Bearer ${operator}`;
    const client = new ApiClient(`http://127.0.0.1:${port}`, { authorization });
    const { body: documentText } = await text("GET /openapi.json", as(operator));
    const json = JSON.parse(documentText);
    await client.json("/api/v1/state");
    assertEquals(wordsOf(whole), "200");
    assertEquals(json.components.securitySchemes.bearer.scheme, "bearer");
    assertEquals(json.paths["/livez"].get.security, []);
    const check = new OpenApiCheck(json);
    const requests: readonly (readonly string[])[] = [
      ["GET /metrics"],
      ["GET /metrics", as("nobody-knows-it")],
      ["GET /api/v1/state", as(prometheus)],
      ["GET /metrics/../x"],
    ];
    for (const [start = "", ...lines] of requests) {
      const { answer, body } = await text(start, ...lines);
      const [method = "", target = ""] = start.split(" ");
      check.checkAnswer(method, target.replace("/../x", ""), {
        status: Number(answer.slice(9, 12)),
        contentType: "application/problem+json",
        body,
      });
    }
  });
});

Deno.test("a stream ends soon after its reader's token was taken away, and is cut when not read", async () => {
  const gone = refuseToken("TokenUnknown", "the token has ended");
  const who = { allowed: true, caller: { name: "jane", groups: [], extra: {} } } as const;
  let verdict: AccessVerdict = who;
  const control = { check: () => Promise.resolve(verdict) };
  const limits = { recheckMs: 20, undecidedMs: 1_000, endMs: 200 };
  const streams = new EventStreams(systemClock);
  const changes: ChangesView = { follow: (_since, sink) => (sink.mark("e.1"), () => {}) };
  const arrived = Promise.withResolvers<void>();
  const held = Promise.withResolvers<Response>();
  const holding: Route = {
    ...{ method: "GET", path: "/held", summary: "", parameters: [], responses: [], problems: {} },
    handle: () => {
      arrived.resolve();
      return held.promise;
    },
  };
  const listening = Promise.withResolvers<string>();
  const server = new HttpServer({
    ...{ name: "api", host: "127.0.0.1", port: 0, flag: "--api-address", streamPaths: [] },
    policy: createHostPolicy([]),
    app: createTestApi([createChangeGroup(changes, streams), { routes: [holding] }]).app,
    access: new AccessGate({ control, clock: systemClock, limits }),
    limits: defaultHttpLimits,
    clock: systemClock,
    log: new RecordingLog(),
    onListening: listening.resolve,
  });
  const controller = new AbortController();
  const run = server.run(controller.signal);
  const port = Number(new URL(await listening.promise).port);
  try {
    using stream = await RawConnection.open(port);
    await stream.send(ask("GET /api/v1/changes", as(operator)));
    await stream.readUntil("id: e.1");
    using deaf = await RawConnection.open(port);
    await deaf.send(ask("GET /held", as(operator)));
    await arrived.promise;
    verdict = gone;
    assertStringIncludes(await stream.readToEnd(), `data: {"reason":"AccessEnded"}`);
    assertEquals(await deaf.readToEnd(), "");
    assertEquals(streams.size, 0);
  } finally {
    held.resolve(new Response(null));
    controller.abort();
    await run;
  }
});

Deno.test("weir explain --api sends the token of a file, and tells of it nothing", async () => {
  await withPod(async ({ double, port }) => {
    double.reviews.rights.add("operator get /weir.dev/api/v1/explain/request");
    const folder = await Deno.makeTempDir();
    const file = `${folder}/token`;
    const api = `http://127.0.0.1:${port}`;
    const request = { method: "GET", host: "a", path: "/", port: 80, headers: [] };
    const explain = async (apiTokenFile?: string) => {
      const running = await openRunningApi({ api, ...apiTokenFile ? { apiTokenFile } : {} });
      return await askRunning(running ?? { origin: "" }, request);
    };
    try {
      await assertRejects(() => explain(), Error, "--api-token-file");
      await Deno.writeTextFile(file, `${operator}\n`);
      assertEquals((await explain(file)).decision, "404");
      await Deno.writeTextFile(file, `${prometheus}\n`);
      await assertRejects(
        () => explain(file),
        Error,
        `may not get "/weir.dev/api/v1/explain/request"`,
      );
      for (const text of ["", "\n", "a secret\n", "a\nb"]) {
        await Deno.writeTextFile(file, text);
        const error = await assertRejects(() => explain(file), Error, "holds no token");
        assertEquals(error.message.includes("secret"), false);
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
});
