/**
 * Who may do what through the local cluster's API. What an operator would lose: a token that can do
 * exactly what its rules say, and a file with a mistake that opens nothing.
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type AccessQuestion,
  type ApiUser,
  digestOf,
  isAllowed,
  mayDoAtPath,
  TokenAuthenticator,
} from "../../../../src/localkube/api/access.ts";
import { AccessFileError, parseAccessFile } from "../../../../src/localkube/api/access_file.ts";
import { configMap, configMaps, TestKubeApi } from "../../../fakes/kube_api.ts";

const token = "a-token-for-tests";

function file(rule: string): string {
  return `users: [{ name: dev, token: "${token}", rules: [${rule}] }]`;
}

async function userOf(rule: string): Promise<ApiUser> {
  const user = (await parseAccessFile(file(rule))).get(await digestOf(token));
  assert(user);
  return user;
}

const question: AccessQuestion = {
  verb: "get",
  group: "",
  resource: "secrets",
  namespace: "shop",
  name: "a",
};

Deno.test("every part of a question must be allowed by one rule", async () => {
  const user = await userOf(
    `{ verbs: [get], apiGroups: [""], resources: [secrets], namespaces: [shop], resourceNames: [a] }`,
  );
  assertEquals(isAllowed(user, question), true);
  const others: readonly Partial<AccessQuestion>[] = [
    { verb: "list" },
    { group: "apps" },
    { resource: "configmaps" },
    { resource: "secrets/status" },
    { namespace: "other" },
    { namespace: undefined },
    { name: "b" },
    { name: undefined },
  ];
  for (const other of others) {
    assertEquals(isAllowed(user, { ...question, ...other }), false, JSON.stringify(other));
  }
});

Deno.test("a star stands for anything, and a subresource needs its own right", async () => {
  const user = await userOf(`{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }`);
  assertEquals(isAllowed(user, { ...question, namespace: undefined, name: undefined }), true);
  const status = await userOf(`{ verbs: [patch], apiGroups: [""], resources: ["*/status"] }`);
  const patch = { ...question, verb: "patch" };
  assertEquals(isAllowed(status, { ...patch, resource: "services/status" }), true);
  assertEquals(isAllowed(status, { ...patch, resource: "services" }), false);
});

Deno.test("a file with a mistake is refused whole, without its tokens", async () => {
  const rule = `{ verbs: [get], apiGroups: [""], resources: [pods] }`;
  const bad = [
    "",
    "users: {}",
    "users: [",
    `users: []\n---\nusers: []`,
    `users: [{ name: a, rules: [] }]`,
    `users: [{ name: a, token: short, rules: [] }]`,
    `users: [{ name: a, token: "${token}", tokenSha256: "00", rules: [] }]`,
    `users: [{ name: a, tokenSha256: "00", rules: [] }]`,
    `users: [{ token: "${token}", rules: [] }]`,
    `users: [{ name: a, token: "${token}" }]`,
    `users: [{ name: a, token: "${token}", rules: [], admin: true }]`,
    `users: [{ name: a, token: "${token}", rules: [] }, { name: b, token: "${token}", rules: [] }]`,
    file(`{ verbs: [], apiGroups: [""], resources: [pods] }`),
    file(`{ verbs: [get], apiGroups: [""], resources: [pods], namespaces: [] }`),
    file(`{ verbs: [get], apiGroups: [""], resources: [pods], namespace: [shop] }`),
    file(`{ verbs: get, apiGroups: [""], resources: [pods] }`),
    file(`${rule}, 7`),
  ];
  for (const text of bad) {
    const error = await assertRejects(() => parseAccessFile(text), AccessFileError);
    assert(!error.message.includes(token), error.message);
  }
});

Deno.test("only a whole bearer token of the file is somebody", async () => {
  const user = await userOf(`{ verbs: [get], apiGroups: [""], resources: [pods] }`);
  const known = new TokenAuthenticator(new Map([[await digestOf(token), user]]));
  assertEquals(await known.identify(`Bearer ${token}`), user);
  for (
    const text of [
      "",
      token,
      `Basic ${btoa(token)}`,
      "Bearer",
      `Bearer ${token}x`,
      `Bearer ${token} more`,
      `Bearer ${"x".repeat(5000)}`,
    ]
  ) {
    assertEquals(await known.identify(text), undefined, text.slice(0, 40));
  }
});

Deno.test("who may patch may not create by applying", async () => {
  const users = await parseAccessFile(
    file(`{ verbs: [patch, get], apiGroups: [""], resources: [configmaps] }`),
  );
  const api = new TestKubeApi({ authenticator: new TokenAuthenticator(users) });
  const told = await api.ask("PATCH", `${configMaps}/a?fieldManager=x`, {
    body: configMap("a"),
    contentType: "application/apply-patch+yaml",
    authorization: `Bearer ${token}`,
  });
  assertEquals([told.status, told.json.reason], [403, "Forbidden"]);
  assertEquals((await api.ask("GET", configMaps)).status, 401);
});

Deno.test("a rule about paths allows those, and says nothing about resources", async () => {
  const user = await userOf(`{ verbs: [get], nonResourceURLs: [/metrics, "/api/v1/*"] }`);
  const may = (path: string, verb = "get"): boolean => mayDoAtPath(user, { verb, path });
  assertEquals([may("/metrics"), may("/api/v1/state"), may("/api/v1/")], [true, true, true]);
  assertEquals([may("/metrics/"), may("/api/v1"), may("/")], [false, false, false]);
  assertEquals(may("/metrics", "post"), false);
  assertEquals(isAllowed(user, question), false);
  const everything = await userOf(`{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }`);
  assertEquals(mayDoAtPath(everything, { verb: "get", path: "/metrics" }), false);
});

Deno.test("a rule about paths with something else, or with an odd path, stops the start", async () => {
  const rules = [
    `{ verbs: [get], nonResourceURLs: [/a], resources: [pods] }`,
    `{ verbs: [get], nonResourceURLs: [/a], namespaces: [shop] }`,
    `{ verbs: [get], nonResourceURLs: [] }`,
    `{ verbs: [], nonResourceURLs: [/a] }`,
    `{ nonResourceURLs: [/a] }`,
    `{ verbs: [get], nonResourceURLs: [metrics] }`,
    `{ verbs: [get], nonResourceURLs: ["/*/x"] }`,
    `{ verbs: [get], nonResourceURLs: [""] }`,
  ];
  for (const rule of rules) {
    await assertRejects(() => parseAccessFile(file(rule)), AccessFileError, "", rule);
  }
});
