/**
 * What people put into manifest files, and where they are told that something is wrong with it.
 */

import { assert, assertEquals, assertNotMatch, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import {
  type ParsedManifests,
  parseManifests,
  sourceOf,
} from "../../../../src/localkube/manifests/parse_manifests.ts";
import { PositionFinder } from "../../../../src/localkube/manifests/position_finder.ts";
import { splitDocuments } from "../../../../src/localkube/manifests/text_chunks.ts";
import { gatewayYaml, yamlStream } from "./loader_harness.ts";

const parse = (text: string, file = "f.yaml"): ParsedManifests => parseManifests(file, text);

function refs({ documents }: ParsedManifests): string[] {
  return documents.map(({ kind, key }) => `${kind} ${key}`);
}

function told({ problems }: ParsedManifests): string[] {
  return problems.map(({ source, object, field, message }) =>
    [source, object, field, message].join("|")
  );
}

function lineOf(parsed: ParsedManifests, field: string, index = 0): string {
  const document = parsed.documents[index];
  assert(document);
  return sourceOf(document, field, new PositionFinder());
}

Deno.test("parseManifests() reads streams with comments, markers, CRLF and a byte order mark", () => {
  const text = [
    "\ufeff# head",
    "%YAML 1.2",
    "---",
    ...gatewayYaml("a").split("\n"),
    "...",
    "# between",
    "---",
    "---",
    "# only a comment",
    "--- # the next",
    ...gatewayYaml("b").split("\n"),
    "---",
  ].join("\r\n");
  const parsed = parse(text);
  assertEquals(told(parsed), []);
  assertEquals(refs(parsed), ["Gateway default/a", "Gateway default/b"]);
  assertEquals([lineOf(parsed, "", 0), lineOf(parsed, "spec", 1)], ["f.yaml:4", "f.yaml:18"]);
});

Deno.test("parseManifests() lets a directive count for the document behind its marker", () => {
  const first = gatewayYaml("a", "!str 1");
  const parsed = parse(
    `%TAG ! tag:yaml.org,2002:\n# c\n---\n${first}---\n${gatewayYaml("b", "yes")}`,
  );
  assertEquals(told(parsed), []);
  assertEquals(parsed.documents.map(({ object }) => object.spec), ["1", "yes"]);
});

Deno.test("parseManifests() takes document markers in text for what they are", () => {
  const yaml = gatewayYaml("a", "|\n  ---\n  ...\n  text");
  assertEquals(refs(parse(yaml)), ["Gateway default/a"]);
  assertEquals(parse(yaml).documents[0]?.object.spec, "---\n...\ntext\n");
  assertEquals(splitDocuments("a: 1\n----\n---x\n").length, 1);
});

Deno.test("splitDocuments() loses nothing and counts lines right", () => {
  const line = fc.constantFrom("---", "--- a", "...", "# c", "%YAML 1.2", "a: 1", "", " ---", "-");
  fc.assert(fc.property(fc.array(line), fc.constantFrom("\n", "\r\n"), (lines, end) => {
    const text = lines.join(end);
    const chunks = splitDocuments(text);
    assertEquals(chunks.map((chunk) => chunk.text).join(""), text);
    let before = "";
    for (const chunk of chunks) {
      assertEquals(chunk.firstLine, before.split("\n").length);
      before += chunk.text;
    }
  }));
});

Deno.test("parseManifests() flattens lists, typed ones and lists in lists too", () => {
  const item = { apiVersion: "v1", kind: "Service", metadata: { name: "s" } };
  const list = {
    apiVersion: "v1",
    kind: "List",
    items: [
      item,
      {
        apiVersion: "gateway.networking.k8s.io/v1",
        kind: "GatewayList",
        items: [{ metadata: { name: "a", namespace: "x" } }, { metadata: { name: "b" } }],
      },
    ],
  };
  const text = JSON.stringify(list, undefined, 1);
  const parsed = parse(text, "f.json");
  assertEquals(refs(parsed), ["Service default/s", "Gateway x/a", "Gateway default/b"]);
  const line = text.split("\n").findIndex((line) => line.includes('"b"')) + 1;
  assertEquals(lineOf(parsed, "metadata.name", 2), `f.json:${line}`);
  assertEquals(refs(parse("kind: List\napiVersion: v1\nitems: null\n")), []);
});

Deno.test("parseManifests() drops what the server owns, so that kubectl's output can be fed back", () => {
  const [document] = parse(
    gatewayYaml("a").replace(
      "{name: a, ",
      "{name: a, uid: u, resourceVersion: '7', generation: 3, managedFields: [], finalizers: [x], ",
    ),
  ).documents;
  assertEquals(document?.object.metadata, {
    name: "a",
    namespace: "default",
    creationTimestamp: "1970-01-01T00:00:00Z",
  });
});

Deno.test("parseManifests() fills in the default namespace, and none for cluster-scoped kinds", () => {
  const yaml = "apiVersion: gateway.networking.k8s.io/v1\nkind: GatewayClass\n" +
    "metadata: {name: c, namespace: x}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: s}\n";
  const parsed = parse(yaml);
  assertEquals(refs(parsed), ["GatewayClass c", "Service default/s"]);
  assertEquals(parsed.documents.map(({ object }) => object.metadata.namespace), [
    undefined,
    "default",
  ]);
});

Deno.test("parseManifests() ignores kinds it has no use for, and tells those it ought to know", () => {
  const yaml = (apiVersion: string, kind: string): string =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: n}\n`;
  const ignored = [
    ["apps/v1", "Deployment"],
    ["v1", "PersistentVolumeClaim"],
    ["networking.istio.io/v1", "Gateway"],
    ["serving.knative.dev/v1", "Service"],
  ];
  const parsed = parse(
    yamlStream(...ignored.map(([version = "", kind = ""]) => yaml(version, kind))),
  );
  assertEquals(told(parsed), []);
  assertEquals(parsed.ignored.map(({ source, object }) => `${source} ${object}`), [
    "f.yaml:1 Deployment n",
    "f.yaml:5 PersistentVolumeClaim n",
    "f.yaml:9 Gateway n",
    "f.yaml:13 Service n",
  ]);
  assert(!parsed.hasUnknown, "a kind without use keeps nothing in service");
  const wrong = [
    ["gateway.networking.k8s.io/v1", "Gatway", ', did you mean "Gateway"?'],
    ["gateway.networking.k8s.io/v1", "Mesh", ""],
    ["gateway.networking.k8s.io/v1", "TcpRoute", ', did you mean "TCPRoute"?'],
    [
      "gateway.networking.k8s.io/v1alpha2",
      "GRPCRoute",
      ", wanted one of: gateway.networking.k8s.io/v1",
    ],
    [
      "gateway.networking.k8s.io/v9",
      "Gateway",
      ", wanted one of: gateway.networking.k8s.io/v1, gateway.networking.k8s.io/v1beta1",
    ],
    ["v1", "service", ', did you mean "Service"?'],
  ];
  for (const [version = "", kind = "", hint = ""] of wrong) {
    assertEquals(told(parse(yaml(version, kind))), [
      `f.yaml:2|${kind} n|kind|no matches for kind "${kind}" in version "${version}"${hint}`,
    ]);
  }
});

Deno.test("parseManifests() says what an object lacks, and on which line", () => {
  const cases = [
    ["a: 1", "f.yaml:1||apiVersion|Required value: apiVersion and kind"],
    ["# c\nkind: Gateway", "f.yaml:2|Gateway|apiVersion|Required value: apiVersion"],
    ["apiVersion: v1\nmetadata: {name: n}", "f.yaml:1|n|kind|Required value: kind"],
    ["- 1", "f.yaml:1|||the document is not an object"],
    [
      "apiVersion: v1\nkind: Service",
      "f.yaml:1|Service|metadata|Required value: metadata with a name",
    ],
    [
      "apiVersion: v1\nkind: Service\nmetadata:\n  generateName: x-",
      "f.yaml:3|Service|metadata.name|Required value: name is required; generateName has no meaning in a file",
    ],
  ];
  for (const [text = "", expected = ""] of cases) assertEquals(told(parse(text)), [expected]);
});

Deno.test("parseManifests() gives a fault the line of its field, the nearest one that exists", () => {
  const yaml = `${gatewayYaml("a", "")}
  listeners:
    - name: http
      port: 80
    - name: https
      tls: &t
        mode: Terminate
  labels: {a.b/c: d, "e": f}
`;
  const parsed = parse(`# first\n${yaml}`);
  const expected = {
    "": 2,
    "metadata.name": 4,
    "spec.listeners[0].port": 9,
    "spec.listeners[1]": 10,
    "spec.listeners[1].tls.mode": 12,
    "spec.listeners[1].tls.certificateRefs": 11,
    "spec.listeners[7].port": 7,
    "spec.labels[a.b/c]": 13,
    "spec.labels.a.b/c": 13,
    nothing: 2,
  };
  for (const [field, line] of Object.entries(expected)) {
    assertEquals(lineOf(parsed, field), `f.yaml:${line}`, field);
  }
});

Deno.test("parseManifests() tells each document that cannot be read, and reads the others", () => {
  const broken = [
    ["a: b: c", "f.yaml:5||"],
    ["a:\n\tb: 1", "f.yaml:6||"],
    ["a: 1\na: 2", "f.yaml:6||"],
    ["a: [1,", "f.yaml:5||"],
    ["a: *nowhere", "f.yaml:5||"],
    ["? [a]\n: 1", "f.yaml:5||"],
    ["a: !secret 1", "f.yaml:5||"],
    ["a: .inf", "f.yaml:5||"],
    ['{"a": 1, "a": 2}', "f.yaml:5||"],
  ];
  for (const [text = "", place = ""] of broken) {
    const first = gatewayYaml("a").trimEnd().replace("spec: {}", "---");
    const parsed = parse(`${first}\n${text}\n---\n${gatewayYaml("b")}`);
    assertEquals(refs(parsed), ["Gateway default/a", "Gateway default/b"], text);
    assertEquals(told(parsed).length, 1, text);
    assert(told(parsed)[0]?.startsWith(place), `${text}: ${told(parsed)[0]}`);
    assert(parsed.hasUnknown);
  }
});

Deno.test("parseManifests() never quotes the text in a problem: it may be a Secret's", () => {
  const secret = "hunter2hunter2";
  const texts = [
    `a: "\\q${secret}"`,
    `a: !${secret} 1`,
    `a: !!${secret} 1`,
    `a: | ${secret}\n b`,
    `a: "x" ${secret}`,
    `[a]: {${secret}\n}}} ${secret}`,
    `%${secret}\n---\na: *${secret}`,
    `${secret}: 1\n${secret}: 2`,
    `{"a": ${secret}}`,
    `{"a": "${secret}" ${secret}}`,
    `{"${secret}": 1, "${secret}": 2}`,
  ];
  for (const text of texts) {
    for (const file of ["f.yaml", "f.json"]) {
      const problems = parse(text, file).problems;
      assert(problems.length > 0, text);
      for (const { message } of problems) assertNotMatch(message, /hunter2/, text);
    }
  }
});

Deno.test("parseManifests() places faults of JSON", () => {
  const cases = [
    ['{\n "a": 1,\n}', 3],
    ['{\n "a": 1\n}\n{}', 4],
    ['{\n "a": 01}', 2],
    ['{\n\n "a": "\t"}', 3],
    ['{"a": 1,\n "b": 2,\n "a": 3}', 3],
    ["", undefined],
    ["x", 1],
  ] as const;
  for (const [text, line] of cases) {
    const sources = parse(text, "f.json").problems.map(({ source }) => source);
    assertEquals(sources, line === undefined ? [] : [`f.json:${line}`], text);
  }
});

Deno.test("parseManifests() expands anchors and merge keys, own keys first", () => {
  const yaml = gatewayYaml("a", "\n  base: &b {x: 1, y: 1}\n  more: &m {y: 2, z: 2}") +
    "  one: {<<: *b, y: 9}\n  two: {<<: [*b, *m]}\n  three: *b\n  text: {'<<': 1}\n";
  const parsed = parse(yaml);
  assertEquals(told(parsed), []);
  assertEquals(parsed.documents[0]?.object.spec, {
    base: { x: 1, y: 1 },
    more: { y: 2, z: 2 },
    one: { x: 1, y: 9 },
    two: { x: 1, y: 1, z: 2 },
    three: { x: 1, y: 1 },
    text: { "<<": 1 },
  });
});

Deno.test("parseManifests() survives texts that are made to exhaust it", () => {
  let laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (let level = 1; level < 40; level++) {
    laughs += `a${level}: &a${level} [${Array(10).fill(`*a${level - 1}`).join(", ")}]\n`;
  }
  const texts = [
    laughs,
    "[".repeat(20_000),
    "{a: ".repeat(20_000),
    "- ".repeat(20_000),
    `a: [${"*x, ".repeat(2000)}]`,
    Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`).join("\n"),
    "---\n".repeat(10_000),
    // Each of these once ended the process: a stack or the memory was exhausted.
    "\n".repeat(3_000_000),
    "# comment\n".repeat(1_500_000),
    `{"a": "${"\\n".repeat(3_000_000)}"}`,
    listOfLists(300),
    `x: &m {${Array.from({ length: 10_000 }, (_, n) => `k${n}: 1`).join(", ")}}\ny:\n` +
    "- {<<: *m}\n".repeat(900),
  ];
  for (const text of texts) {
    for (const file of ["f.yaml", "f.json"]) assertEquals(refs(parse(text, file)), []);
  }
});

/** A few kilobytes that name `count` to the third power objects. */
function listOfLists(count: number): string {
  const list = (anchor: string, first: string, alias: string): string =>
    `&${anchor} {apiVersion: v1, kind: List, items: [${first}${`, *${alias}`.repeat(count - 1)}]}`;
  const object = "&a {apiVersion: v1, kind: Service, metadata: {name: a}}";
  return `x: ${list("b", object, "a")}\napiVersion: v1\nkind: List\nitems:\n- ` +
    `${list("c", "*b", "b")}\n${"- *c\n".repeat(count - 1)}`;
}

Deno.test("parseManifests() names the limit of objects in one document", () => {
  const item = '{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}}';
  const list = (count: number): string =>
    `{"apiVersion": "v1", "kind": "List", "items": [${Array(count).fill(item).join(",\n")}]}`;
  assertEquals(parse(list(100_000), "f.json").documents.length, 100_000);
  const many = parse(list(100_001), "f.json");
  assertEquals(many.documents.length, 0);
  assertEquals(told(many), [
    "f.json:1|||it holds more than 100000 objects, wanted several documents",
  ]);
});

Deno.test("parseManifests() tells items and names of another type, never passes over them", () => {
  const list = (items: string): string => `apiVersion: v1\nkind: List\nitems: ${items}\n`;
  assertEquals(told(parse(list("{a: b}"))), [
    'f.yaml:3|List|items|Invalid value: "object": items in body must be of type array: "object"',
  ]);
  for (const items of ["null", "[]", ""]) assertEquals(told(parse(list(items))), []);
  assertEquals(told(parse("apiVersion: v1\nkind: Service\nmetadata: {name: 5}\n")), [
    "f.yaml:3|Service|metadata.name|" +
    'Invalid value: "integer": metadata.name in body must be of type string: "integer"',
  ]);
});

Deno.test("parseManifests() never throws, whatever the text", () => {
  const piece = fc.oneof(
    fc.constantFrom(..."-?:,[]{}#&*!|>'\"%@` \n\t\r\\~<.".split("")),
    fc.constantFrom("---\n", "...\n", "<<: ", "apiVersion: v1\n", "kind: List\n", "items:\n", "- "),
    fc.string({ unit: "binary", maxLength: 5 }),
  );
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(text, fc.constantFrom("f.yaml", "f.json"), (text, file) => {
      for (const { source } of parse(text, file).problems) {
        const line = Number(source.slice(source.indexOf(":") + 1));
        assert(
          line >= 1 && line <= text.split("\n").length,
          `${source} of ${JSON.stringify(text)}`,
        );
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("parseManifests() keeps the objects of pieces that did not change, wherever they moved", () => {
  const before = parse(yamlStream(gatewayYaml("a"), gatewayYaml("b")));
  const text = yamlStream(gatewayYaml("new"), gatewayYaml("a", "{n: 1}"), gatewayYaml("b"));
  const after = parseManifests("f.yaml", text, before);
  assertEquals(refs(after), ["Gateway default/new", "Gateway default/a", "Gateway default/b"]);
  assertStrictEquals(after.documents[2]?.object, before.documents[1]?.object);
  assertEquals(lineOf(after, "spec", 2), "f.yaml:14");
});
