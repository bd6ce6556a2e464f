/**
 * The fast reader of YAML may leave a text to the library, but must never read it differently: a
 * route would then mean one thing in a small file and another in a real cluster.
 *
 * Texts are made in three ways: values written by the library in its many styles, lines that fit
 * together at random, and good texts with random edits.
 */

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseAllDocuments, stringify } from "yaml";
import { yamlOptions } from "../../../../src/localkube/manifests/parse_chunk.ts";
import { readPlainYaml } from "../../../../src/localkube/manifests/plain_yaml.ts";
import { toPlainValue } from "../../../../src/localkube/manifests/yaml_value.ts";
import { findYamlFault } from "../../../../src/localkube/manifests/yaml_fault.ts";

/** What the library makes of one document without faults. */
function readByLibrary(text: string): { value: unknown; offset: number | undefined } | undefined {
  const documents = parseAllDocuments(text, yamlOptions);
  const document = Array.isArray(documents) && documents.length === 1 ? documents[0] : undefined;
  if (!document || findYamlFault(document, text)) return undefined;
  const data = toPlainValue(document);
  return data.ok ? { value: data.value, offset: document.contents?.range[0] } : undefined;
}

/** Whether the fast reader took the text; fails when it read something else than the library. */
function compare(text: string): boolean {
  const fast = readPlainYaml(text);
  if (fast === undefined) return false;
  const reference = readByLibrary(text);
  assert(reference, `the library refuses ${JSON.stringify(text)}`);
  assertEquals(fast.value, reference.value, JSON.stringify(text));
  assertEquals(fast.offset, reference.offset, JSON.stringify(text));
  return true;
}

const words = fc.constantFrom(
  ..."a b-c x.y/z true True null ~ yes 0 80 007 -1 +1 1.5 .5 1e3 0x1F 0o7 .inf .NaN 1_0".split(" "),
  ..."10.0.0.1 5s 2024-01-01 http://h/p a#b #c a: :b a:b - -- -x --- ... ? ! & * | > % @ ` ,".split(
    " ",
  ),
  ..."[] {} [a] [a,b] {a:1} {a: '' \"\" 'x' \"x\" 'it''s' << = ^/a(b|c)$ \\d __proto__ a,b".split(
    " ",
  ),
  "",
  "a b",
  "a: b",
  "a #b",
  "[a, 'b c', {d: e, f: [1, true]}]",
  '{a: 1, b: [x], c: {d: "e"}}',
  "{a: 1, a: 2}",
  "[a, ]",
  "{ a : 1 }",
  '"a\\n"',
  '"x" # c',
  "'x' y",
  "a  # c",
  "tab\there",
  "ünï",
);

const jsonValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    words,
    fc.string({ maxLength: 8 }),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(words, fc.string({ maxLength: 4 })), tie("value"), { maxKeys: 3 }),
  ),
})).value;

Deno.test("readPlainYaml() reads the library's own texts as the library does", () => {
  const styles = fc.record({
    indent: fc.constantFrom(2, 3, 4),
    indentSeq: fc.boolean(),
    defaultStringType: fc.constantFrom("PLAIN" as const, "QUOTE_SINGLE" as const),
    collectionStyle: fc.constantFrom("any" as const, "block" as const, "flow" as const),
    lineWidth: fc.constantFrom(0, 20),
  });
  fc.assert(
    fc.property(fc.dictionary(fc.string({ maxLength: 5 }), jsonValue), styles, (value, style) => {
      compare(stringify(value, style));
    }),
    { numRuns: 1000 },
  );
});

Deno.test("readPlainYaml() reads lines that fit together at random as the library does", () => {
  const start = fc.constantFrom(
    "",
    "- ",
    "-",
    "- - ",
    "k: ",
    "k:",
    "j: ",
    "i:",
    "- k: ",
    "- k:",
    "-  k: ",
  );
  const end = fc.constantFrom("", "", "", " ", " # c", "#c");
  const line = fc.tuple(fc.nat(3), start, words, end)
    .map(([indent, start, word, end]) => `${" ".repeat(indent)}${start}${word}${end}`);
  const other = fc.constantFrom("", "  ", "# c", "  # c", "---", "--- # c", "...", "%X");
  const text = fc.array(fc.oneof({ weight: 9, arbitrary: line }, other), { maxLength: 6 })
    .map((lines) => lines.join("\n"));
  fc.assert(fc.property(text, (text) => void compare(text)), { numRuns: 20_000 });
});

const manifest = `# A comment
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: r-1
  namespace: ns
  labels: {app: "x", tier: web}
  annotations:
    weir.dev/endpoints: "127.0.0.1:3000,127.0.0.1:3001"
spec:
  parentRefs:
  - name: gw # the one
    port: 80
  hostnames: ["h1.example.com", '*.example.org']
  rules:
    - matches:
        - path: {type: PathPrefix, value: /a}
          headers:
            - name: x-a
              value: 'it''s'
      backendRefs:
      -   name: svc
          weight: 0
      - name: svc2
  empty:
  last: ^/v[0-9]+/$
`;

Deno.test("readPlainYaml() takes the usual manifest itself", () => {
  assert(compare(manifest), "the fast reader left it to the library");
});

Deno.test("readPlainYaml() reads edited manifests as the library does", () => {
  const insert = fc.constantFrom(
    ..."\n -:#[]{},'\"&*!|>%@a1\t".split(""),
    "  ",
    "\n  ",
    "- ",
    ": ",
  );
  const edit = fc.tuple(fc.nat(manifest.length), fc.nat(3), fc.option(insert));
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
      let text = manifest;
      for (const [at, removed, inserted] of edits) {
        text = text.slice(0, at) + (inserted ?? "") + text.slice(at + removed);
      }
      compare(text);
    }),
    { numRuns: 3000 },
  );
});
