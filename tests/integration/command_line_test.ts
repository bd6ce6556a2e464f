// What a user would lose: a process that says once that it is ready, ends well when it is told to and at
// once when it is told twice, and a `weir version` that is as quick as its few files allow.

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ApiClient } from "../fakes/api_client.ts";

const project = new URL("../../", import.meta.url);
const permissions = [
  "--frozen",
  "--no-prompt",
  "--allow-read",
  "--allow-net",
  "--allow-env",
];
const serveArguments = [
  "serve",
  "--manifests=examples/quickstart",
  "--data-plane=none",
  "--features=-proxy",
  "--api-address=127.0.0.1:0",
];

function command(args: readonly string[], env: Record<string, string> = {}): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", ...permissions, "main.ts", ...args],
    cwd: project,
    env,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

async function output(args: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await command(args, env).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

/** Reads `stream` to its end; `onText` sees all that has come after each piece. */
async function readAll(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  onText: (text: string) => void,
): Promise<string> {
  let text = "";
  for await (const piece of stream.pipeThrough(new TextDecoderStream())) {
    text += piece;
    onText(text);
  }
  return text;
}

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`weir serve prints one ready line, serves, and exits with 0 at ${signal}`, async () => {
    const child = command(serveArguments).spawn();
    const ready = Promise.withResolvers<string>();
    const errors = readAll(child.stderr, (text) => {
      const line = /^ready api=(\S+) kube=- revision=\d+$/m.exec(text);
      if (line) ready.resolve(line[1] ?? "");
    });
    const outputs = readAll(child.stdout, () => {});
    const ended = child.status.then(() => ready.reject(new Error("it ended before it was ready")));
    const api = await ready.promise;
    const answer = await new ApiClient(api).request("/readyz");
    assertEquals(answer.status, 200);
    child.kill(signal);
    await ended;
    assertEquals((await child.status).code, 0);
    assertEquals((await errors).match(/^ready /gm)?.length, 1);
    assertEquals(await outputs, "");
  });
}

Deno.test("a second signal ends a process that does not end", async () => {
  const code = `
    import { listenForTermination, systemSignals } from "./src/app/signals.ts";
    const { signal } = listenForTermination(systemSignals);
    signal.addEventListener("abort", () => console.log("first"));
    console.log("listening");
    setTimeout(() => {}, 60_000);
  `;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", code],
    cwd: project,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let sent = 0;
  await readAll(child.stdout, (text) => {
    if (sent === 0 && text.includes("listening")) {
      sent = 1;
      child.kill("SIGTERM");
    }
    if (sent === 1 && text.includes("first")) {
      sent = 2;
      child.kill("SIGINT");
    }
  });
  assertEquals((await child.status).code, 130);
});

Deno.test("weir takes settings from the environment with the permissions that it runs with", async () => {
  const { code, out } = await output(["serve", "--print-config"], { WEIR_PORT_SHIFT: "7" });
  assertEquals(code, 0);
  assertStringIncludes(out, "port-shift: 7 # env WEIR_PORT_SHIFT\n");
});

const unreadable: readonly [path: string, reason: string][] = [
  ["none.yaml", '--config: "none.yaml" cannot be read: there is no such file'],
  ["docs", '--config: "docs" cannot be read: it is a folder, wanted a file'],
];

for (const [path, reason] of unreadable) {
  Deno.test(`weir check says why it cannot read "${path}"`, async () => {
    const { code, err } = await output(["check", `--config=${path}`]);
    assertEquals(code, 2);
    assertStringIncludes(err, reason);
  });
}

Deno.test("weir check refuses a configuration file that is too large or no text", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/large.yaml`, "#".repeat(1024 * 1024 + 1));
    await Deno.writeFile(`${folder}/binary.yaml`, new Uint8Array([0xff, 0xfe, 0x00]));
    const large = await output(["check", `--config=${folder}/large.yaml`]);
    assertEquals(large.code, 2);
    assertStringIncludes(large.err, "is larger than 1048576 bytes");
    const binary = await output(["check", `--config=${folder}/binary.yaml`]);
    assertEquals(binary.code, 2);
    assertStringIncludes(binary.err, "is not UTF-8 text");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("weir translate ends quietly when its reader has gone away", async () => {
  const child = command(["translate", "-f", "examples/quickstart", "-o", "json"]).spawn();
  await child.stdout.cancel();
  const errors = await readAll(child.stderr, () => {});
  assertEquals((await child.status).code, 0);
  assertEquals(errors, "");
});

Deno.test("weir version loads a few small files and no library", async () => {
  const { code, out } = await output(["version"]);
  assertEquals(code, 0);
  assertMatch(out, /^weir \d+\.\d+\.\d+\S*\ndeno /);
  const modules = await staticModules(["main.ts", "src/cli/version.ts"]);
  assert(modules.size <= 24, [...modules].join("\n"));
  assertEquals([...modules].filter((module) => module.startsWith("npm:")), []);
});

/** Everything that loading `roots` loads: imports in code that are not made on demand. */
async function staticModules(roots: readonly string[]): Promise<ReadonlySet<string>> {
  const loaded = new Set<string>();
  for (const root of roots) {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", root],
      cwd: project,
    }).output();
    const { modules } = JSON.parse(new TextDecoder().decode(stdout));
    const byName = new Map<string, ModuleInfo>(
      modules.map((module: ModuleInfo) => [module.specifier, module]),
    );
    const open = [new URL(root, project).href];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (loaded.has(name)) continue;
      loaded.add(name);
      for (const dependency of byName.get(name)?.dependencies ?? []) {
        if (dependency.code && !dependency.isDynamic) open.push(dependency.code.specifier);
      }
    }
  }
  return loaded;
}

/** What `deno info --json` says of a module, as far as it is used here. */
interface ModuleInfo {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly code?: { readonly specifier: string };
    readonly isDynamic?: boolean;
  }[];
}
