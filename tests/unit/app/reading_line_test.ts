// What a user would lose: knowing that a large cluster is being read, and a terminal that is clean
// afterwards.

import { assertEquals } from "@std/assert";
import { ReadingLine } from "../../../src/app/reading_line.ts";
import { FakeClock } from "../../fakes/fake_clock.ts";

const clear = "\r\u001b[K";

function lineOn(isTerminal: boolean) {
  const written: string[] = [];
  const clock = new FakeClock();
  const output = { isTerminal, write: (text: string) => void written.push(text) };
  return { written, clock, line: new ReadingLine(output, clock, "https://api:6443") };
}

Deno.test("A long reading is told on one line of a terminal, which goes at the end", async () => {
  const { written, clock, line } = lineOn(true);
  line.tell({ waiting: ["Secret", "Service"], objectCount: 7 });
  await clock.advance(499);
  assertEquals(written, []);
  await clock.advance(1);
  line.tell({ waiting: [], objectCount: 900 });
  line.end();
  assertEquals(written, [
    `${clear}reading https://api:6443: 7 objects, 2 kinds to go`,
    `${clear}reading https://api:6443: 900 objects`,
    clear,
  ]);
});

Deno.test("A short reading, and one without a terminal, is not told", async () => {
  for (const [isTerminal, ms] of [[true, 400], [false, 5_000]] as const) {
    const { written, clock, line } = lineOn(isTerminal);
    line.tell({ waiting: ["Secret"], objectCount: 7 });
    await clock.advance(ms);
    line.end();
    await clock.advance(1_000);
    assertEquals([written, line.waiting], [[], ["Secret"]]);
  }
});
