/**
 * Bodies in protobuf. What a user would lose: `kubectl create secret` and `kubectl auth can-i`, whose
 * typed clients send nothing else, and a server that broken bytes do not disturb.
 */

import { assert, assertEquals } from "@std/assert";
import { configMaps, services, TestKubeApi } from "../../../fakes/kube_api.ts";

const contentType = "application/vnd.kubernetes.protobuf";
const encoder = new TextEncoder();

function varint(value: number): number[] {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) bytes.push(value % 128 | 0x80);
  return [...bytes, value];
}

/** A field with a length: text, bytes or a message. */
function part(number: number, value: string | readonly number[]): number[] {
  const bytes = typeof value === "string" ? [...encoder.encode(value)] : value;
  return [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes];
}

function integer(number: number, value: number): number[] {
  return [...varint(number * 8), ...varint(value)];
}

function envelope(kind: string, message: readonly number[], apiVersion = "v1"): Uint8Array {
  const type = [...part(1, apiVersion), ...part(2, kind)];
  return new Uint8Array([0x6b, 0x38, 0x73, 0, ...part(1, type), ...part(2, message)]);
}

const metadata = part(1, [...part(1, "a"), ...part(2, ""), ...part(3, ""), ...part(8, [])]);

Deno.test("a ConfigMap arrives with its maps", async () => {
  const api = new TestKubeApi();
  const data = part(2, [...part(1, "key"), ...part(2, "value")]);
  const empty = part(2, part(1, "empty"));
  const binary = part(3, [...part(1, "blob"), ...part(2, [1, 2, 255])]);
  const bytes = envelope("ConfigMap", [...metadata, ...data, ...empty, ...binary]);
  const { status, json } = await api.ask("POST", configMaps, { bytes, contentType });
  assertEquals([status, json.data], [201, { key: "value", empty: "" }]);
  assertEquals(json.binaryData, { blob: "AQL/" });
});

Deno.test("a Service arrives with numbers, names and what was not set left out", async () => {
  const api = new TestKubeApi();
  const named = part(4, [...integer(1, 1), ...integer(2, 0), ...part(3, "web")]);
  const port = part(1, [
    ...part(1, ""),
    ...part(2, "TCP"),
    ...integer(3, 80),
    ...named,
    ...integer(5, 0),
  ]);
  const spec = part(2, [...port, ...part(3, ""), ...part(4, "ClusterIP"), ...integer(13, 0)]);
  const bytes = envelope("Service", [...metadata, ...spec, ...part(3, part(1, []))]);
  const { status, json } = await api.ask("POST", `${services}?fieldValidation=Strict`, {
    bytes,
    contentType,
  });
  assertEquals(status, 201, json.message);
  assertEquals(json.spec.ports, [{ port: 80, protocol: "TCP", targetPort: "web" }]);
  assertEquals(json.spec.publishNotReadyAddresses, undefined);
});

Deno.test("bytes that are no message are refused, wherever they break", async () => {
  const api = new TestKubeApi();
  const data = part(2, [...part(1, "key"), ...part(2, "value")]);
  const whole = envelope("ConfigMap", [...metadata, ...data]);
  for (let length = 0; length < whole.length; length++) {
    const bytes = whole.slice(0, length);
    const { status } = await api.ask("POST", `${configMaps}?dryRun=All`, { bytes, contentType });
    assert(status >= 400 && status < 500, `${length}: ${status}`);
  }
  for (let at = 0; at < whole.length; at++) {
    const bytes = whole.with(at, whole[at] === 0xff ? 0 : 0xff);
    const { status } = await api.ask("POST", `${configMaps}?dryRun=All`, { bytes, contentType });
    assert(status < 500, `${at}: ${status}`);
  }
});

Deno.test("a kind without a protobuf form is 415, as for custom resources", async () => {
  const api = new TestKubeApi();
  const path = "/apis/gateway.networking.k8s.io/v1/gatewayclasses";
  const bytes = envelope("GatewayClass", metadata, "gateway.networking.k8s.io/v1");
  assertEquals((await api.ask("POST", path, { bytes, contentType })).status, 415);
});
