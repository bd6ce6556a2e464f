/**
 * An ID token ends within minutes. Who does not renew it is locked out; who renews it wrongly locks
 * the person out whose kubeconfig it is, or shows their secrets.
 */

import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { loadKubeconfigAccess } from "../../../src/kube/load_access.ts";
import type { AskProvider } from "../../../src/kube/oidc_credentials.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

const never = new AbortController().signal;
const issuer = "https://id.example/realm";

/** An unsigned token that ends at `exp`, seconds. */
function token(name: string, exp: number): string {
  return `e30.${btoa(JSON.stringify({ exp, name }))}.`;
}

const startSeconds = Date.UTC(2026, 0, 1) / 1000;

type Asked = Parameters<AskProvider>[0];

/** A kubeconfig with these settings of the provider, which answers with `answer`. */
async function login(
  config: Readonly<Record<string, string>>,
  answer: (asked: Asked, count: number) => { readonly status: number; readonly text: string },
) {
  const clock = new FakeClock();
  const asked: Asked[] = [];
  const settings = { "idp-issuer-url": issuer, "client-id": "kube", ...config };
  const content = JSON.stringify({
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
    clusters: [{ name: "k", cluster: { server: "https://a:1" } }],
    users: [{ name: "u", user: { "auth-provider": { name: "oidc", config: settings } } }],
  });
  const { credentials } = await loadKubeconfigAccess(["/home/me/config"], undefined, {
    clock,
    env: () => undefined,
    readFile: (path) => Promise.resolve(path === "/home/me/config" ? content : `text of ${path}`),
    runProgram: () => Promise.reject(new Error("no programs here")),
    askProvider: (request) => {
      asked.push(request);
      return Promise.resolve(answer(request, asked.length));
    },
  });
  const bearer = async () => (await credentials.identity(never)).authorization;
  return { clock, asked, credentials, bearer };
}

/** A provider that gives tokens of five minutes and a new refresh token with each. */
function provider(clock: () => FakeClock) {
  let given = 0;
  return ({ url }: Asked) => {
    if (url.pathname.endsWith("/.well-known/openid-configuration")) {
      return { status: 200, text: JSON.stringify({ token_endpoint: `${issuer}/token` }) };
    }
    given++;
    const exp = Math.floor(clock().now() / 1000) + 300;
    const id_token = token(`given ${given}`, exp);
    return { status: 200, text: JSON.stringify({ id_token, refresh_token: `r${given}` }) };
  };
}

Deno.test("The ID token of the kubeconfig is used while it lasts, without asking anybody", async () => {
  const first = token("first", startSeconds + 60);
  const { bearer, asked } = await login({ "id-token": first }, () => ({ status: 500, text: "" }));
  assertEquals([await bearer(), await bearer()], [`Bearer ${first}`, `Bearer ${first}`]);
  assertEquals(asked, []);
});

Deno.test("A token is renewed before it ends, once for many, with the newest refresh token", async () => {
  const made: Awaited<ReturnType<typeof login>> = await login({
    "id-token": token("first", startSeconds + 60),
    "refresh-token": "r0",
    "client-secret": "s e:cret",
    "idp-certificate-authority": "idp.crt",
  }, provider(() => made.clock));
  const { clock, asked, bearer } = made;
  await clock.advance(55_000);
  const given = `Bearer ${token("given 1", startSeconds + 55 + 300)}`;
  assertEquals(await Promise.all([bearer(), bearer(), bearer()]), [given, given, given]);
  assertEquals(asked.map(({ url }) => url.href), [
    `${issuer}/.well-known/openid-configuration`,
    `${issuer}/token`,
  ]);
  assertEquals(asked[1]?.form, { grant_type: "refresh_token", refresh_token: "r0" });
  assertEquals(asked[1]?.authorization, `Basic ${btoa("kube:s+e%3Acret")}`);
  assertEquals(asked[1]?.ca, "text of /home/me/idp.crt");
  await clock.advance(300_000);
  await bearer();
  assertEquals(asked[3]?.form?.refresh_token, "r1");
});

Deno.test("A token that the API server refused is renewed; a client without a secret names itself", async () => {
  const made: Awaited<ReturnType<typeof login>> = await login({
    "id-token": token("first", startSeconds + 3600),
    "refresh-token": "r0",
  }, provider(() => made.clock));
  made.credentials.forget();
  assertEquals(await made.bearer(), `Bearer ${token("given 1", startSeconds + 300)}`);
  assertEquals(made.asked[1]?.form?.client_id, "kube");
  assertEquals(made.asked[1]?.authorization, undefined);
});

const broken: Readonly<Record<string, readonly [Record<string, string>, number, string, string]>> =
  {
    "has no refresh token": [{}, 200, "{}", "no refresh-token"],
    "is asked in vain": [{ "refresh-token": "SECRET" }, 401, "SECRET", "answered 401"],
    "answers no JSON": [{ "refresh-token": "SECRET" }, 200, "SECRET", "makes no sense"],
    "names an endpoint in the clear": [
      { "refresh-token": "SECRET" },
      200,
      `{"token_endpoint": "http://evil.example/SECRET"}`,
      "not an https URL",
    ],
  };
for (const [what, [config, status, text, words]] of Object.entries(broken)) {
  Deno.test(`A provider that ${what} is told without secrets, and not asked again at once`, async () => {
    const { bearer, asked, clock } = await login(config, () => ({ status, text }));
    const error = await assertRejects(bearer, Error);
    assertStringIncludes(error.message, words);
    assertEquals(error.message.includes("SECRET"), false);
    const { length } = asked;
    await assertRejects(bearer, Error);
    assertEquals(asked.length, length);
    await clock.advance(6_000);
    await assertRejects(bearer, Error);
    assertEquals(asked.length, 2 * length);
  });
}
