/**
 * What goes over the wire to a provider of identities: a refresh token must reach nobody else, and a
 * provider that misbehaves must not hold up or fill this process.
 */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createServer } from "node:https";
import { systemClock } from "../../src/base/clock.ts";
import { askProvider } from "../../src/kube/ask_provider.ts";
import { DevelopmentCa } from "../../src/localkube/development_ca.ts";

type Handler = Parameters<typeof createServer>[1];

/** Runs `use` beside an HTTPS server whose authority only `ca` names. */
async function withProvider(
  handler: Handler,
  use: (url: URL, ca: string) => Promise<void>,
): Promise<void> {
  const authority = new DevelopmentCa(systemClock);
  const { certificateChain: cert, privateKey: key } = await authority.issue(["localhost"]);
  const server = createServer({ cert, key }, handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  try {
    await use(new URL(`https://localhost:${port}/token`), await authority.certificate());
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

Deno.test("A provider gets the form and the login, over a connection that its authority vouches for", async () => {
  const seen: string[] = [];
  await withProvider(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method, url, headers } = request;
    seen.push(`${method} ${url} ${headers["content-type"]} ${headers.authorization} ${body}`);
    response.end("hello");
  }, async (url, ca) => {
    const form = { grant_type: "refresh_token", refresh_token: "a b&c" };
    const answer = await askProvider({ url, form, authorization: "Basic x", ca });
    assertEquals(answer, { status: 200, text: "hello" });
    await assertRejects(() => askProvider({ url, form }), TypeError, "fetch failed");
  });
  assertEquals(seen, [
    "POST /token application/x-www-form-urlencoded;charset=UTF-8 Basic x " +
    "grant_type=refresh_token&refresh_token=a+b%26c",
  ]);
});

Deno.test("A provider's redirect is an answer like any other, and not followed", async () => {
  let count = 0;
  await withProvider((_, response) => {
    count++;
    response.writeHead(307, { location: "/elsewhere" }).end();
  }, async (url, ca) => {
    assertEquals((await askProvider({ url, form: { refresh_token: "r" }, ca })).status, 307);
  });
  assertEquals(count, 1);
});

Deno.test("A provider's answer that is too large is not read to its end", async () => {
  await withProvider((_, response) => {
    const piece = "x".repeat(256 * 1024);
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", more);
    more();
  }, async (url, ca) => {
    const error = await assertRejects(() => askProvider({ url, ca }), Error);
    assertStringIncludes(error.message, "more than 1048576 bytes");
  });
});
