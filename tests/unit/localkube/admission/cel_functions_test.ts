/** Functions that rules call: a rule with an unknown one would refuse every object. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { type CelInput, isCelError, parse, plan } from "@bufbuild/cel";
import { createCelEnv } from "../../../../src/localkube/admission/cel_program.ts";
import { Re2Patterns } from "../../../../src/localkube/admission/re2_patterns.ts";

const env = createCelEnv(new Re2Patterns());

function evaluate(source: string, self: CelInput = ""): unknown {
  const result = plan(env, parse(source))({ self });
  return isCelError(result) ? `error: ${result.message}` : result;
}

const truths: readonly string[] = [
  "isIP('10.0.0.1') && isIP('::1') && isIP('2001:db8::1.2.3.4')",
  "!isIP('10.0.0.01') && !isIP('10.0.0') && !isIP('::ffff:10.0.0.1') && !isIP('fe80::1%eth0')",
  "isCIDR('10.0.0.0/8') && isCIDR('::/0') && !isCIDR('10.0.0.0/33') && !isCIDR('10.0.0.0')",
  "isURL('https://a.example.com:8080/b?c=d') && isURL('/a/b') && !isURL('a/b') && !isURL('http://[::1')",
  "url('https://a.example.com:8080/b%20c?d=1&d=2').getHost() == 'a.example.com:8080'",
  "url('https://[::1]:80/').getHostname() == '::1'",
  "url('https://a.example.com:8080/b%20c').getEscapedPath() == '/b%20c'",
  "url('https://a.example.com/?d=1&d=2').getQuery() == {'d': ['1', '2']}",
  "url('/a').getScheme() == '' && url('/a').getHost() == ''",
  "[1, 2, 2].isSorted() && !['b', 'a'].isSorted()",
  "[1, 2].sum() == 3 && [1.5, 2.0].sum() == 3.5 && [].sum() == 0",
  "[3, 1, 2].min() == 1 && ['b', 'a'].max() == 'b'",
  "[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && [1].indexOf(5) == -1",
  "format.dns1123Label().validate('a-b') == null",
  "format.dns1123Subdomain().validate('A').hasValue()",
  "format.date().validate('2026-02-29').hasValue() && !format.date().validate('2024-02-29').hasValue()",
  "'abc'.matches('b') && !'abc'.matches('^b')",
  "'a/b'.split('/')[0] == 'a' && 'abc'.substring(1) == 'bc'",
  "duration('1m') > duration('59s') && duration('500ms') < duration('1s')",
];

for (const source of truths) {
  Deno.test(`CEL: ${source}`, () => assertEquals(evaluate(source), true));
}

Deno.test("CEL functions fail on what they cannot take, and do not throw", () => {
  assertStringIncludes(String(evaluate("[].min()")), "min called on empty list");
  assertStringIncludes(String(evaluate("[1, 'a'].sum()")), "no such overload");
  assertStringIncludes(String(evaluate("url('nope')")), "URL parse error");
  assertStringIncludes(String(evaluate("'a'.matches('(?=a)')")), "error");
});

/** The rules of the API's experimental x-k8s.io group that the other kinds do not have. */
const others: readonly (readonly [string, CelInput, CelInput])[] = [
  ["!(duration(self) < duration('1s') || duration(self) > duration('1h'))", "1m", "2h"],
  ["!(duration(self) == duration('0s') || duration(self) > duration('1h'))", "1m", "0s"],
  ["!self.endsWith('.cluster.local')", "a.example.com", "a.cluster.local"],
  ["size(self) == 0 || format.dns1123Label().validate(self) == null", "a-b", "A"],
  [
    "self.mode == 'ClientAndServer' ? has(self.clientCertificateRef) : !has(self.clientCertificateRef)",
    new Map([["mode", "Server"]]),
    new Map([["mode", "ClientAndServer"]]),
  ],
  [
    "self.type == 'ExternalHostname' ? has(self.externalHostname) : !has(self.externalHostname)",
    new Map([["type", "Service"]]),
    new Map([["type", "ExternalHostname"]]),
  ],
];

for (const [source, valid, invalid] of others) {
  Deno.test(`CEL rule of the x-k8s.io group: ${source}`, () => {
    assertEquals([evaluate(source, valid), evaluate(source, invalid)], [true, false]);
  });
}
