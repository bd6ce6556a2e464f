/** Settings of who may use the HTTP API that would be taken for a protection and are none. */

import { assertEquals } from "@std/assert";
import {
  type Checked,
  checkSettings,
  settingWarnings,
} from "../../../src/config/check_settings.ts";

function faultsOf(settings: Checked): readonly string[] {
  return checkSettings(settings).map(({ flag }) => flag);
}

Deno.test("tokens of a file are for manifests, audiences for a cluster", () => {
  const tokens = { apiTokens: "t.yaml" };
  assertEquals(faultsOf({ ...tokens, manifests: ["a"] }), []);
  assertEquals(faultsOf({ ...tokens, filename: ["a"] }), []);
  assertEquals(faultsOf({ ...tokens, kubeconfig: "k" }), ["api-tokens"]);
  assertEquals(faultsOf({ ...tokens, context: "c" }), ["api-tokens"]);
  assertEquals(faultsOf({ ...tokens, inCluster: true }), ["api-tokens"]);
  const audiences = { apiAudiences: ["weir"] };
  assertEquals(faultsOf({ ...audiences, inCluster: true }), []);
  assertEquals(faultsOf({ ...audiences, manifests: ["a"] }), ["api-audiences"]);
});

Deno.test("an address that others reach is a warning where nobody could get in", () => {
  const others = { apiAddress: { host: "0.0.0.0", port: 1 }, manifests: ["a"] };
  assertEquals(settingWarnings(others).length, 1);
  assertEquals(settingWarnings({ ...others, apiTokens: "t.yaml" }), []);
  assertEquals(settingWarnings({ apiAddress: others.apiAddress, kubeconfig: "k" }), []);
  assertEquals(settingWarnings({ ...others, apiAddress: { host: "::1", port: 1 } }), []);
});
