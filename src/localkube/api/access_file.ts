/**
 * The file of tokens and rules: who may ask the Kubernetes API, and what each may do. Pure.
 *
 * It is read whole or not at all: a rule that nobody understands must not become one that allows more.
 * Faults name the place and never a token.
 */

import { isRecord, type JsonRecord } from "../../kube/json_value.ts";
import { readDocuments } from "../manifests/parse_chunk.ts";
import { findYamlFault } from "../manifests/yaml_fault.ts";
import { toPlainValue } from "../manifests/yaml_value.ts";
import { type AccessRule, type ApiUser, digestOf } from "./access.ts";

/** The file cannot be used; the message says where and why. */
export class AccessFileError extends Error {
  override name = "AccessFileError";
}

/** Shorter tokens can be guessed. */
const tokenLengthMin = 16;
const usersMax = 1000;

const userFields: readonly string[] = ["name", "groups", "token", "tokenSha256", "rules"];
const ruleFields: readonly string[] = [
  "verbs",
  "apiGroups",
  "resources",
  "namespaces",
  "resourceNames",
  "nonResourceURLs",
];

/**
 * The users of the file by the digest of their token.
 *
 * @throws {AccessFileError}
 */
export async function parseAccessFile(text: string): Promise<ReadonlyMap<string, ApiUser>> {
  const [document, ...more] = readDocuments(text);
  if (!document || more.length > 0) throw fault("the file", "is not one YAML document");
  const syntax = findYamlFault(document, text);
  if (syntax) throw fault("the file", `is not YAML: ${syntax.message}`);
  const data = toPlainValue(document);
  if (!data.ok) throw fault("the file", `is not YAML: ${data.fault.message}`);
  const root = asFields(data.value, "the file", ["users"]);
  const users = new Map<string, ApiUser>();
  for (const [index, value] of asItems(root.users, "users", usersMax).entries()) {
    const place = `users[${index}]`;
    const fields = asFields(value, place, userFields);
    const digest = await readDigest(fields, place);
    if (users.has(digest)) throw fault(place, "has the token of another user");
    users.set(digest, readUser(fields, place));
  }
  return users;
}

function readUser(fields: JsonRecord, place: string): ApiUser {
  const { name } = fields;
  if (typeof name !== "string" || name === "") throw fault(`${place}.name`, "is not a name");
  const rules = asItems(fields.rules, `${place}.rules`, usersMax);
  return {
    name,
    groups: [...readTexts(fields.groups ?? [], `${place}.groups`), "system:authenticated"],
    rules: rules.map((rule, index) => readRule(rule, `${place}.rules[${index}]`)),
  };
}

async function readDigest({ token, tokenSha256 }: JsonRecord, place: string): Promise<string> {
  if ((token === undefined) === (tokenSha256 === undefined)) {
    throw fault(place, `wants one of "token" and "tokenSha256"`);
  }
  if (tokenSha256 !== undefined) {
    if (typeof tokenSha256 === "string" && /^[0-9a-f]{64}$/.test(tokenSha256)) return tokenSha256;
    throw fault(`${place}.tokenSha256`, "is not a SHA-256 in 64 lower-case hexadecimal digits");
  }
  if (typeof token !== "string" || token.length < tokenLengthMin || !/^[!-~]+$/.test(token)) {
    const wanted = `at least ${tokenLengthMin} visible ASCII characters, in quotes`;
    throw fault(`${place}.token`, `is not a token, wanted ${wanted}`);
  }
  return await digestOf(token);
}

function readRule(value: unknown, place: string): AccessRule {
  const fields = asFields(value, place, ruleFields);
  const required = (name: string): readonly string[] => {
    const texts = readTexts(fields[name], `${place}.${name}`);
    if (texts.length === 0) throw fault(`${place}.${name}`, `is empty, wanted "*" for all`);
    return texts;
  };
  // A list that is there and empty would read as everything.
  const optional = (name: string): readonly string[] =>
    fields[name] === undefined ? [] : required(name);
  if (fields.nonResourceURLs !== undefined) return readPathRule(fields, required, place);
  return {
    nonResourceURLs: [],
    verbs: required("verbs"),
    apiGroups: required("apiGroups"),
    resources: required("resources"),
    namespaces: optional("namespaces"),
    resourceNames: optional("resourceNames"),
  };
}

/** A rule about paths has nothing else, as in RBAC. */
function readPathRule(
  fields: JsonRecord,
  required: (name: string) => readonly string[],
  place: string,
): AccessRule {
  const stray = Object.keys(fields).find((name) => name !== "verbs" && name !== "nonResourceURLs");
  if (stray !== undefined) throw fault(place, `has "nonResourceURLs" and "${stray}", wanted one`);
  const nonResourceURLs = required("nonResourceURLs");
  const odd = nonResourceURLs.find((url) => url !== "*" && !/^\/[^*]*\*?$/.test(url));
  if (odd !== undefined) {
    throw fault(`${place}.nonResourceURLs`, `has "${odd}", wanted "/path", "/path/*" or "*"`);
  }
  return {
    verbs: required("verbs"),
    nonResourceURLs,
    apiGroups: [],
    resources: [],
    namespaces: [],
    resourceNames: [],
  };
}

function readTexts(value: unknown, place: string): readonly string[] {
  return asItems(value, place, usersMax).map((item) => {
    if (typeof item !== "string") throw fault(place, "has an item that is not a string");
    return item;
  });
}

function asItems(value: unknown, place: string, countMax: number): readonly unknown[] {
  if (!Array.isArray(value)) throw fault(place, "is not a list");
  if (value.length > countMax) throw fault(place, `has more than ${countMax} items`);
  return value;
}

function asFields(value: unknown, place: string, known: readonly string[]): JsonRecord {
  if (!isRecord(value)) throw fault(place, "is not a mapping");
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) {
      throw fault(place, `has an unknown field "${name}", wanted one of ${known.join(", ")}`);
    }
  }
  return value;
}

function fault(place: string, why: string): AccessFileError {
  return new AccessFileError(`Read tokens: ${place} ${why}`);
}
