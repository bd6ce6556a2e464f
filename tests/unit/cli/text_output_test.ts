// What a user would lose: the end of a result that a slow reader takes in pieces, the reason why a
// result could not be saved, and a gateway that goes on although its log is full.

import { assertEquals, assertThrows } from "@std/assert";
import { runCli } from "../../../src/cli/run_cli.ts";
import { OutputError } from "../../../src/cli/output_error.ts";
import { type OutputStream, standardError, standardOutput } from "../../../src/cli/text_output.ts";
import { fakeCli } from "../../fakes/cli_context.ts";

/** A stream that does at each write what comes next: takes so many bytes, or throws. */
class ScriptedStream implements OutputStream {
  readonly #script: (number | Error)[];
  text = "";
  writeCount = 0;

  constructor(...script: (number | Error)[]) {
    this.#script = script;
  }

  isTerminal(): boolean {
    return false;
  }

  writeSync(bytes: Uint8Array): number {
    this.writeCount += 1;
    const next = this.#script.shift() ?? bytes.length;
    if (next instanceof Error) throw next;
    const taken = bytes.subarray(0, next);
    this.text += new TextDecoder().decode(taken);
    return taken.length;
  }
}

const full = (): Error => new Deno.errors.WouldBlock("Resource temporarily unavailable");
const noSpace = (): Error => new Error("No space left on device");

for (const [name, open] of Object.entries({ standardOutput, standardError })) {
  Deno.test(`${name}().write() gives a slow reader everything`, () => {
    const stream = new ScriptedStream(3, full(), 1, full(), full(), 2);
    open(stream).write("0123456789");
    assertEquals(stream.text, "0123456789");
  });

  Deno.test(`${name}().write() is quiet for good when its reader has gone away`, () => {
    const stream = new ScriptedStream(1, new Deno.errors.BrokenPipe());
    const output = open(stream);
    output.write("ab");
    output.write("c");
    assertEquals([stream.text, stream.writeCount], ["a", 2]);
  });
}

Deno.test("standardOutput().write() says why it cannot write, standardError().write() goes on", () => {
  const output = standardOutput(new ScriptedStream(noSpace()));
  assertThrows(() => output.write("a"), OutputError, "Write output: No space left on device");
  const stream = new ScriptedStream(noSpace());
  const errors = standardError(stream);
  errors.write("lost\n");
  errors.write("kept\n");
  assertEquals(stream.text, "kept\n");
});

Deno.test("runCli() exits with 1 and the reason when the result cannot be written", async () => {
  for (
    const args of [["version"], ["help"], ["help", "serve"], ["check"], ["translate", "-f", "a"]]
  ) {
    const cli = fakeCli();
    const io = { ...cli.io, stdout: standardOutput(new ScriptedStream(noSpace())) };
    assertEquals(await runCli(args, { ...cli, io }), 1, args.join(" "));
    assertEquals(cli.err(), "weir: Write output: No space left on device\n");
  }
});
