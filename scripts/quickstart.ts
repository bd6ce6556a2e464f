/**
 * The quickstart: the bundled example served with two echo backends in this process, and a list of
 * things to try. Further arguments go to `weir serve`.
 */

import { main } from "../main.ts";
import { type EchoBackend, startEcho } from "./quickstart/echo.ts";
import { type BoundAddress, formatTryLines, tryLines } from "./quickstart/try_list.ts";

/** The addresses that the example's Services name. */
const echoPorts = [["v1", 18901], ["v2", 18902]] as const;
const loopback = "127.0.0.1";

/** The example's folder as a path that works in the current directory. */
const folder = "examples/quickstart";

/** Runs until a signal; the exit code. */
async function runQuickstart(args: readonly string[]): Promise<number> {
  const backends = echoPorts.map(([name, port]) => startEcho(name, loopback, port));
  try {
    await Promise.all(backends.map(({ listening }) => listening));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    write(`quickstart: ${message}. Is another quickstart running?\n`);
    return 1;
  }
  const serveArgs = ["serve", "--manifests", folder, "--dev-certificates", ...args];
  const code = await main(serveArgs, (apiUrl) => void printTryList(apiUrl));
  await Promise.all(backends.map((backend: EchoBackend) => backend.close()));
  return code;
}

async function printTryList(apiUrl: string): Promise<void> {
  const response = await fetch(new URL("/api/v1/proxy", apiUrl));
  write(formatTryLines(tryLines(apiUrl, boundAddresses(await response.json()), folder)));
}

/** Where each listener is bound, from the JSON of `/api/v1/proxy`. */
function boundAddresses(state: unknown): readonly BoundAddress[] {
  return recordsOf(state, "gateways").flatMap((gateway) =>
    recordsOf(gateway, "listeners").flatMap((listener) =>
      recordsOf(listener, "bound").map((bound) => ({
        protocol: String(listener["protocol"]),
        address: String(bound["address"]),
        port: Number(bound["port"]),
      }))
    )
  );
}

function recordsOf(value: unknown, field: string): readonly Record<string, unknown>[] {
  const list = isRecord(value) ? value[field] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function write(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(text));
}

if (import.meta.main) Deno.exit(await runQuickstart(Deno.args));
