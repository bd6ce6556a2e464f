// Proxies on the way to an API server: what is said to them, and that none of their answers makes weir
// wait for ever, crash, lose bytes or tell the password.

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Buffer } from "node:buffer";
import net from "node:net";
import { systemClock } from "../../src/base/clock.ts";
import { ClusterError } from "../../src/kube/cluster_error.ts";
import { openSocket } from "../../src/kube/open_socket.ts";

type Step = string | readonly number[] | "end" | "reset";

/** A proxy that gives one answer to each piece that it reads. */
class ScriptedProxy {
  readonly read: Buffer[] = [];
  readonly #server: net.Server;
  readonly #sockets = new Set<net.Socket>();

  constructor(steps: readonly Step[]) {
    this.#server = net.createServer((socket) => {
      this.#sockets.add(socket);
      const left = [...steps];
      socket.on("error", () => {});
      socket.on("data", (data) => {
        this.read.push(Buffer.from(data));
        const step = left.shift();
        if (step === "end") socket.end();
        else if (step === "reset") socket.destroy();
        else if (step !== undefined) socket.write(Buffer.from(step));
      });
    });
  }

  /** Opens a tunnel through it to `host`, with `login` of the form `user:password@`. */
  async open(scheme: string, login = "", host = "api.example", timeoutMs = 5_000) {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const proxy = new URL(`${scheme}://${login}127.0.0.1:${port}`);
    return await openSocket({ host, port: 6443, proxy, timeoutMs }, systemClock);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

function nextText(socket: net.Socket): Promise<string> {
  return new Promise((resolve) => socket.once("data", (data) => resolve(String(data))));
}

/** The library's limit of time goes on, without holding the process, when the tunnel is there. */
function timersOf(scheme: string) {
  const isClean = !scheme.startsWith("socks");
  return { sanitizeOps: isClean, sanitizeResources: isClean };
}

const granted = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0];

Deno.test("CONNECT names the target, and what comes with the answer belongs to the tunnel", async () => {
  const hosts = [["api.example", "api.example:6443"], ["fd00::1", "[fd00::1]:6443"]];
  for (const [host, authority] of hosts) {
    await using proxy = new ScriptedProxy(["HTTP/1.1 200 OK\r\n\r\nearly", "late"]);
    const socket = await proxy.open("http", "", host);
    assertEquals(await nextText(socket), "early");
    socket.write("hello");
    assertEquals(await nextText(socket), "late");
    const [head, rest] = proxy.read.map(String);
    assertStringIncludes(head ?? "", `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n`);
    // A proxy may understand it of the tunnel.
    assert(!head?.toLowerCase().includes("connection: close"));
    assertEquals(rest, "hello");
    socket.destroy();
  }
});

Deno.test(
  "SOCKS5 is given names as names, addresses as addresses, and the login when asked",
  timersOf("socks5"),
  async () => {
    const name = [3, 11, ...new TextEncoder().encode("api.example"), 25, 43];
    const v6 = [4, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 25, 43];
    const cases: readonly [login: string, host: string, steps: Step[], wanted: number[][]][] = [
      ["", "api.example", [[5, 0], granted], [[5, 1, 0], [5, 1, 0, ...name]]],
      ["", "fd00::1", [[5, 0], granted], [[5, 1, 0], [5, 1, 0, ...v6]]],
      ["me:a%20b@", "api.example", [[5, 2], [1, 0], granted], [
        [5, 2, 0, 2],
        [1, 2, 109, 101, 3, 97, 32, 98],
        [5, 1, 0, ...name],
      ]],
    ];
    for (const [login, host, steps, wanted] of cases) {
      await using proxy = new ScriptedProxy([...steps, "data"]);
      const socket = await proxy.open("socks5", login, host);
      socket.write("hello");
      assertEquals(await nextText(socket), "data");
      assertEquals(proxy.read.map((bytes) => [...bytes]), [...wanted, [...Buffer.from("hello")]]);
      socket.destroy();
    }
  },
);

const refusals: readonly [what: string, scheme: string, steps: readonly Step[], message: string][] =
  [
    ["a refusal", "http", ["HTTP/1.1 407 Login\r\n\r\n"], "it answered 407"],
    ["another success", "http", ["HTTP/1.1 204 Done\r\n\r\n"], "it answered 204"],
    ["too much", "http", [`HTTP/1.1 200 OK\r\nX: ${"y".repeat(17_000)}`], "too long"],
    ["no HTTP", "http", ["SSH-2.0-Example\r\n"], "its answer is no HTTP"],
    ["an end", "http", ["end"], "it closed the connection"],
    ["a reset", "http", ["reset"], "it closed the connection"],
    ["no method", "socks5", [[5, 255]], "no accepted authentication"],
    ["a wrong login", "socks5", [[5, 2], [1, 1]], "uthentication failed"],
    ["a refusal", "socks5", [[5, 0], [5, 2, 0, 1, 0, 0, 0, 0, 0, 0]], "ejected"],
    ["no SOCKS", "socks5", ["HTTP/1.1 400 Bad Request\r\n\r\n"], "ersion"],
    ["an end", "socks5", ["end"], "closed"],
    ["an end later", "socks5", [[5, 0], "end"], "closed"],
  ];

for (const [what, scheme, steps, message] of refusals) {
  Deno.test(
    `A proxy (${scheme}) that answers ${what} makes no tunnel, and is told without its login`,
    timersOf(scheme),
    async () => {
      await using proxy = new ScriptedProxy(steps);
      const error = await assertRejects(
        () => proxy.open(scheme, "someone:SECRET@"),
        ClusterError,
        message,
      );
      assertEquals(error.kind, "unreachable");
      const shown = Deno.inspect(error, { depth: 10 }) + Deno.inspect(error.cause, { depth: 10 });
      assert(!shown.includes("SECRET") && !shown.includes(btoa("someone:SECRET")));
    },
  );
}

for (const scheme of ["http", "socks5"]) {
  Deno.test(
    `A proxy (${scheme}) that says nothing is left after a time`,
    timersOf(scheme),
    async () => {
      await using proxy = new ScriptedProxy([]);
      const error = await assertRejects(() => proxy.open(scheme, "", "a.b", 100), ClusterError);
      assertEquals(error.kind, "timeout");
    },
  );
}

Deno.test("A login that SOCKS5 cannot carry is refused before it is sent", async () => {
  await using proxy = new ScriptedProxy([[5, 2], [1, 0], granted]);
  const login = `${"u".repeat(256)}:SECRET@`;
  await assertRejects(() => proxy.open("socks5h", login), ClusterError, "longer than 255 bytes");
  assertEquals(proxy.read, []);
});
