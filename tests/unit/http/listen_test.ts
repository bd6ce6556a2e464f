// What a user would lose: an error that says what is wrong with the address that was given, and which
// flag to change, whatever code the runtime has for it.

import { assertRejects } from "@std/assert";
import { createServer } from "node:http";
import { listen, ListenError } from "../../../src/http/listen.ts";

const cases: readonly [code: string, message: string][] = [
  ["EADDRINUSE", '"192.0.2.7:80" is in use by another process'],
  ["EACCES", '"192.0.2.7:80" may not be bound by this user'],
  ["EADDRNOTAVAIL", '"192.0.2.7:80" is no address of this machine'],
  ["EINVAL", '"192.0.2.7:80" is no address of this machine'],
  ["EWHATEVER", '"192.0.2.7:80" cannot be bound (EWHATEVER)'],
];

for (const [code, message] of cases) {
  Deno.test(`listen() says what ${code} means`, async () => {
    const server = createServer();
    server.listen = () => {
      queueMicrotask(() => server.emit("error", Object.assign(new Error(code), { code })));
      return server;
    };
    await assertRejects(
      () => listen(server, { host: "192.0.2.7", port: 80, flag: "--api-address" }),
      ListenError,
      `Listen: ${message}, wanted an address to listen on (set --api-address)`,
    );
  });
}
