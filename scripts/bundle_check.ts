/**
 * Bundles the entry of the executable and runs the bundle with exactly its permissions: what can be
 * known about the executable where its runtime cannot be fetched. Run by `deno task bundle`.
 *
 * It finds imports that exist only in the source tree, files that are read instead of imported,
 * permissions that are missing, and a process that does not stop.
 */

import { Checklist, expect } from "./checklist.ts";
import { Child, type ChildResult } from "./child.ts";
import { allPermissions, permissionFlags } from "./permissions.ts";

/** Time for one command; generous, because CI machines are slow and this is no benchmark. */
const commandTimeoutMs = 60_000;

/**
 * CommonJS packages inside an ES module bundle call `require` for Node's own modules; an executable
 * has one, a bundle is given it here.
 */
const banner = `import { createRequire as __weirRequire } from "node:module";
var require = __weirRequire(import.meta.url);
`;

async function makeBundle(path: string): Promise<void> {
  const args = ["bundle", "--frozen", "--platform", "deno", "--minify", "-o", path, "main.ts"];
  const { code, output } = await Child.start(Deno.execPath(), args).result();
  expect(code === 0, `deno bundle ended with ${code}:\n${output}`);
  await Deno.writeTextFile(path, banner + await Deno.readTextFile(path));
}

/** Runs the bundle away from the project: it must bring all that it needs. */
class Bundle {
  readonly #folder: string;
  constructor(folder: string) {
    this.#folder = folder;
  }

  start(args: readonly string[]): Child {
    return Child.start(Deno.execPath(), [
      "run",
      "--no-prompt",
      "--no-config",
      "--no-remote",
      "--no-npm",
      ...permissionFlags(allPermissions()),
      `${this.#folder}/weir.js`,
      ...args,
    ], { cwd: this.#folder });
  }

  async run(args: readonly string[]): Promise<ChildResult> {
    const child = this.start(args);
    const timer = setTimeout(() => child.stop("SIGKILL"), commandTimeoutMs);
    try {
      return await child.result();
    } finally {
      clearTimeout(timer);
    }
  }
}

async function checkServe(bundle: Bundle, examples: string): Promise<void> {
  const child = bundle.start([
    "serve",
    "--manifests",
    `${examples}/quickstart`,
    "--dev-certificates",
    "--api-address",
    "127.0.0.1:0",
  ]);
  let isReady = false;
  try {
    const ready = await child.waitForLine(/^ready api=(http:\/\/\S+) /, commandTimeoutMs);
    const response = await fetch(`${ready[1]}/livez`);
    const body = await response.text();
    expect(response.status === 200, `GET /livez answered ${response.status}: ${body}`);
    isReady = true;
    // A plan starts the bundle once more, as a thread.
    const plan = await fetch(`${ready[1]}/api/v1/plan?delete=gc/weir`, { method: "POST" });
    const { verdict } = await plan.json();
    expect(
      plan.status === 200 && verdict === "worse",
      `POST /api/v1/plan: ${plan.status} ${verdict}`,
    );
  } finally {
    const { code, output } = await child.stop();
    if (isReady) expect(code === 0, `serve ended with ${code} after SIGTERM:\n${output}`);
  }
}

if (import.meta.main) {
  const examples = `${Deno.cwd()}/examples`;
  const folder = await Deno.makeTempDir({ prefix: "weir-bundle-" });
  const bundle = new Bundle(folder);
  const list = new Checklist();
  try {
    const isBundled = await list.check(
      "deno bundle main.ts",
      () => makeBundle(`${folder}/weir.js`),
    );
    if (isBundled) {
      await list.check("the bundle says its version", async () => {
        const { code, output } = await bundle.run(["version"]);
        expect(code === 0 && /\d+\.\d+\.\d+/.test(output), `ended with ${code}:\n${output}`);
      });
      await list.check("the bundle translates the quickstart", async () => {
        const { code, stdout, output } = await bundle.run([
          "translate",
          "-f",
          `${examples}/quickstart`,
          "-o",
          "json",
        ]);
        expect(code === 0, `ended with ${code}:\n${output}`);
        const { statuses } = JSON.parse(stdout);
        expect(Array.isArray(statuses) && statuses.length > 0, `no statuses in:\n${output}`);
      });
      await list.check("the bundle finds what is broken", async () => {
        const { code, output } = await bundle.run(["check", "-f", `${examples}/broken`]);
        expect(code === 3, `ended with ${code}, 3 was wanted:\n${output}`);
      });
      await list.check("the bundle serves, answers and stops", () => checkServe(bundle, examples));
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  list.exit();
}
