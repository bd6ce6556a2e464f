/**
 * A reader of statuses as controllers of DNS records are: what was True or had an address, and has it
 * no longer, costs a record, and with it traffic. It sees each write, also one that is undone at once.
 */

import { asList, asString, isRecord, type JsonRecord } from "../../src/kube/json_value.ts";
import type { ApiDouble } from "./api_double.ts";
import type { DoubleReply, DoubleRequest } from "./double_reply.ts";

/** Conditions that such readers go by. */
const readTypes: ReadonlySet<string> = new Set(["Accepted", "Programmed"]);

/** See the file's header. */
export class DnsReader {
  /** What was lost, as `Kind name: what`, in order. */
  readonly losses: string[] = [];
  readonly #seen = new Map<string, ReadonlySet<string>>();
  writeCount = 0;

  constructor(double: ApiDouble) {
    double.onWrite = (request, reply) => this.#look(request, reply);
  }

  /** All that is told now, sorted. */
  get told(): readonly string[] {
    return [...this.#seen.values()].flatMap((facts) => [...facts]).sort();
  }

  #look({ path }: DoubleRequest, reply: DoubleReply): void {
    if (!path.endsWith("/status") || reply.type !== "answer" || reply.code >= 300) return;
    this.writeCount++;
    const { kind, metadata, status }: JsonRecord = JSON.parse(reply.body);
    const name = `${kind} ${isRecord(metadata) ? metadata.name : ""}`;
    const facts = factsOf(name, isRecord(status) ? status : {});
    for (const fact of this.#seen.get(name) ?? []) if (!facts.has(fact)) this.losses.push(fact);
    this.#seen.set(name, facts);
  }
}

function factsOf(name: string, status: JsonRecord): ReadonlySet<string> {
  const facts = new Set<string>();
  for (const address of asList(status.addresses).filter(isRecord)) {
    facts.add(`${name}: address ${address.value}`);
  }
  const add = (place: string, conditions: unknown): void => {
    for (const condition of asList(conditions).filter(isRecord)) {
      const type = asString(condition.type) ?? "";
      if (condition.status === "True" && readTypes.has(type)) facts.add(`${place}: ${type}`);
    }
  };
  add(name, status.conditions);
  for (const listener of asList(status.listeners).filter(isRecord)) {
    add(`${name} listener ${listener.name}`, listener.conditions);
  }
  for (const entry of [...asList(status.parents), ...asList(status.ancestors)].filter(isRecord)) {
    const { kind = "Gateway", name: parent } = referenceOf(entry);
    add(`${name} at ${kind} ${parent}`, entry.conditions);
  }
  return facts;
}

function referenceOf({ parentRef, ancestorRef }: JsonRecord): JsonRecord {
  const reference = parentRef ?? ancestorRef;
  return isRecord(reference) ? reference : {};
}
