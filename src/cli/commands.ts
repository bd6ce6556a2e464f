/**
 * The table of commands. A command's file is loaded when the command is called, so that `weir
 * version` does not pay for `weir serve`.
 */

import type { Command } from "./context.ts";

/** One row: what is known of a command before it is loaded. */
export interface CommandRow {
  readonly name: string;
  /** Fits one line behind the name. */
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Every command, in the order of help. */
export const commands: readonly CommandRow[] = [
  {
    name: "serve",
    summary: "Run the control plane and its data plane",
    load: async () => (await import("./serve.ts")).serveCommand,
  },
  {
    name: "translate",
    summary: "Manifests in, statuses and proxy configuration out",
    load: async () => (await import("./translate.ts")).translateCommand,
  },
  {
    name: "check",
    summary: "Say what is wrong with settings and manifests, and where",
    load: async () => (await import("./check.ts")).checkCommand,
  },
  {
    name: "explain",
    summary: "Say who would serve a request, or why a status is what it is",
    load: async () => (await import("./explain.ts")).explainCommand,
  },
  {
    name: "plan",
    summary: "Say what would change if manifests were applied",
    load: async () => (await import("./plan.ts")).planCommand,
  },
  {
    name: "install",
    summary: "Print the manifests that run weir in a cluster",
    load: async () => (await import("./install.ts")).installCommand,
  },
  {
    name: "version",
    summary: "Print versions",
    load: async () => (await import("./version.ts")).versionCommand,
  },
];

/** The help of `weir` itself. */
export function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`);
  return `weir is a gateway control plane for the Kubernetes Gateway API.

Usage: weir COMMAND [flags]

Commands:
${rows.join("")}
Run "weir help COMMAND" for the flags of a command.
Exit codes: 0 ok, 1 failed, 2 usage, 3 input invalid.
`;
}
