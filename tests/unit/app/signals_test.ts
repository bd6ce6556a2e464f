// What a user would lose: the first Ctrl-C lets requests finish, the second one ends the process at once.

import { assert, assertEquals } from "@std/assert";
import {
  listenForTermination,
  type SignalSource,
  TerminationRequest,
  type TerminationSignal,
} from "../../../src/app/signals.ts";

function fakeSource() {
  const handlers = new Map<TerminationSignal, () => void>();
  const exits: number[] = [];
  const source: SignalSource = {
    on(name, handler) {
      handlers.set(name, handler);
      return () => void handlers.delete(name);
    },
    exit: (code) => void exits.push(code),
  };
  return { source, exits, handlers, send: (name: TerminationSignal) => handlers.get(name)?.() };
}

for (const name of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`listenForTermination() aborts at the first ${name} and exits at no time`, () => {
    const { source, exits, send } = fakeSource();
    const { signal } = listenForTermination(source);
    assertEquals(signal.aborted, false);
    send(name);
    assertEquals(signal.aborted, true);
    assert(signal.reason instanceof TerminationRequest);
    assertEquals(signal.reason.message, `Received ${name}`);
    assertEquals(exits, []);
  });
}

const pairs: readonly [first: TerminationSignal, second: TerminationSignal, code: number][] = [
  ["SIGINT", "SIGINT", 130],
  ["SIGTERM", "SIGTERM", 143],
  ["SIGTERM", "SIGINT", 130],
];

for (const [first, second, code] of pairs) {
  Deno.test(`listenForTermination() exits with ${code} at ${second} after ${first}`, () => {
    const { source, exits, send } = fakeSource();
    listenForTermination(source);
    send(first);
    send(second);
    assertEquals(exits, [code]);
  });
}

Deno.test("listenForTermination().stop() leaves later signals to the system", () => {
  const { source, handlers } = fakeSource();
  const listener = listenForTermination(source);
  listener.stop();
  listener.stop();
  assertEquals(handlers.size, 0);
});
