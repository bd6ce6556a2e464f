/**
 * Follows the quickstart as a new user does, in a copy of the project, with real curl: start, run
 * every printed curl line, edit a route, break a file, fix it, stop. Run by `deno task smoke`.
 *
 * What is typed is what is printed: a line that does not work is a fault of the product.
 */

// deno-lint-ignore-file no-console -- A script talks to the terminal.

import { Checklist, expect } from "./checklist.ts";
import { Child, type ChildResult } from "./child.ts";

/** What a user's copy consists of. */
const copied = ["main.ts", "deno.json", "deno.lock", "src", "scripts", "examples", "tests/std"];
const startTimeoutMs = 60_000;
/** Generous: the product promises far less, and benchmarks measure it. */
const effectTimeoutMs = 10_000;

async function copyTree(from: string, to: string): Promise<void> {
  const { isDirectory } = await Deno.stat(from);
  if (!isDirectory) return await Deno.copyFile(from, to);
  await Deno.mkdir(to, { recursive: true });
  for await (const entry of Deno.readDir(from)) {
    await copyTree(`${from}/${entry.name}`, `${to}/${entry.name}`);
  }
}

function shell(line: string): Promise<ChildResult> {
  return Child.start("sh", ["-c", line]).result();
}

/** The command lines with curl in what the quickstart printed, without a prompt sign. */
export function curlLines(output: string): string[] {
  return output.split("\n").map((line) => line.trim().replace(/^\$ /, ""))
    .filter((line) => /^(?:curl|for .*\bcurl) -/.test(line));
}

/** Whether an answer, with or without its head, is one of the 4xx or 5xx kind. */
export function isRefusal(output: string): boolean {
  return /^HTTP\/[\d.]+ [45]\d\d\b/m.test(output) || /"status":\s*[45]\d\d\b/.test(output);
}

/** A running quickstart and what was learned about it. */
class Quickstart {
  readonly folder: string;
  readonly child: Child;
  #gatewayUrl = "";

  constructor(folder: string) {
    this.folder = folder;
    this.child = Child.start(Deno.execPath(), ["task", "start"], { cwd: folder });
  }

  async waitUntilReady(): Promise<void> {
    await this.child.waitForLine(/^ready api=\S+ kube=\S+ revision=\d+/, startTimeoutMs);
    await this.child.waitForLine(/Ctrl-C/, startTimeoutMs);
    const first = await this.child.waitForLine(/-H 'Host: .*(http:\/\/[^\s/'"]+)\//, 1000);
    this.#gatewayUrl = first[1] ?? "";
  }

  /** The status code for a host at the plain listener. */
  async status(host: string): Promise<string> {
    const { stdout } = await shell(
      `curl -s -o /dev/null -w '%{http_code}' --max-time 5 -H 'Host: ${host}' ${this.#gatewayUrl}/`,
    );
    return stdout.trim();
  }

  async waitForStatus(host: string, wanted: string): Promise<void> {
    const deadline = performance.now() + effectTimeoutMs;
    for (;;) {
      const status = await this.status(host);
      if (status === wanted) return;
      expect(
        performance.now() < deadline,
        `host "${host}" answers ${status}, ${wanted} was wanted; the log:\n${this.child.output}`,
      );
    }
  }

  async edit(file: string, change: (text: string) => string): Promise<void> {
    const path = `${this.folder}/examples/quickstart/${file}`;
    const before = await Deno.readTextFile(path);
    const after = change(before);
    expect(before !== after, `editing "${file}" changed nothing`);
    await Deno.writeTextFile(path, after);
  }
}

async function follow(list: Checklist, quickstart: Quickstart): Promise<void> {
  const isReady = await list.check("task start prints the ready line and what to try", async () => {
    await quickstart.waitUntilReady();
    expect(curlLines(quickstart.child.output).length > 0, "no curl line was printed");
  });
  if (!isReady) return;

  for (const line of curlLines(quickstart.child.output)) {
    await list.check(line, async () => {
      const { code, output } = await shell(line);
      expect(code === 0 && output !== "", `ended with ${code}:\n${output}`);
      expect(!isRefusal(output), `was refused:\n${output}`);
    });
  }

  await list.check("an edited route takes effect", async () => {
    await quickstart.waitForStatus("shop.example.com", "200");
    expect(await quickstart.status("new.example.com") === "404", "the new host is served already");
    await quickstart.edit(
      "shop.yaml",
      (text) => text.replace("shop.example.com", "new.example.com"),
    );
    await quickstart.waitForStatus("new.example.com", "200");
  });

  await list.check("a broken file is told with its name, and the rest is served on", async () => {
    const fromLine = quickstart.child.lineCount;
    await quickstart.edit("shop.yaml", (text) => `${text}\n  rules: [ this is: not yaml\n`);
    await quickstart.child.waitForLine(/shop\.yaml:\d+/, effectTimeoutMs, fromLine);
    await quickstart.waitForStatus("new.example.com", "200");
  });

  await list.check("a fixed file takes effect", async () => {
    await quickstart.edit(
      "shop.yaml",
      (text) =>
        text.replace(/\n {2}rules: \[ this is.*\n/, "").replace(
          "new.example.com",
          "shop.example.com",
        ),
    );
    await quickstart.waitForStatus("new.example.com", "404");
    await quickstart.waitForStatus("shop.example.com", "200");
  });
}

if (import.meta.main) {
  const list = new Checklist();
  const folder = await Deno.makeTempDir({ prefix: "weir-smoke-" });
  try {
    await Deno.mkdir(`${folder}/tests`);
    for (const path of copied) await copyTree(path, `${folder}/${path}`);
    const quickstart = new Quickstart(folder);
    try {
      await follow(list, quickstart);
    } finally {
      await list.check("SIGTERM ends it with exit code 0", async () => {
        const { code, output } = await quickstart.child.stop();
        expect(code === 0, `ended with ${code}:\n${output}`);
      });
    }
    if (!list.isGreen) console.log(`\nIts output:\n${quickstart.child.output}`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  list.exit();
}
