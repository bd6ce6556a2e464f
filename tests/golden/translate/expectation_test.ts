// The golden cases are worth what their comparison notices: each kind of difference must be found.

import { assertEquals } from "@std/assert";
import { findDifferences } from "./expectation.ts";
import type { SummaryLine } from "./summarise.ts";

const actual: readonly SummaryLine[] = [
  {
    text: "Gateway default/web: Accepted=True Programmed=False/AddressNotUsable",
    details: new Map([["Programmed", "192.0.2.7 is not ours"], ["features", "A B"]]),
  },
  { text: "  address 127.0.0.1", details: new Map() },
];

const cases: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "accepts what is literally there",
    "Gateway default/web: Accepted=True Programmed=False/AddressNotUsable\n  address 127.0.0.1",
    [],
  ],
  [
    "accepts any reason and any status where told",
    "Gateway default/web: Accepted=* Programmed=False/*\n  address 127.0.0.1",
    [],
  ],
  [
    "finds another status behind a free reason",
    "Gateway default/web: Accepted=True Programmed=True/*\n  address 127.0.0.1",
    [
      "wanted: Gateway default/web: Accepted=True Programmed=True/*\n   found: Gateway default/web: Accepted=True Programmed=False/AddressNotUsable",
    ],
  ],
  ["finds a line too many", "Gateway default/web: Accepted=* Programmed=*", [
    "not expected:   address 127.0.0.1",
  ]],
  [
    "finds a missing line",
    "Gateway default/web: Accepted=* Programmed=*\n  address 127.0.0.1\n  listener a",
    ["missing:   listener a"],
  ],
  [
    "lets an optional line be missing",
    "Gateway default/web: Accepted=* Programmed=*\n  ? address ::1\n  ? address 127.0.0.1",
    [],
  ],
  [
    "does not take a dot for any character",
    "Gateway default/web: Accepted=* Programmed=*\n  address 127x0x0x1",
    [
      "wanted:   address 127x0x0x1\n   found:   address 127.0.0.1",
    ],
  ],
  [
    "finds a message without the text",
    'Gateway default/web: Accepted=* Programmed=*\n  says Programmed "port"\n  address 127.0.0.1',
    [
      "wanted in Programmed: port\n   found: 192.0.2.7 is not ours\n      in: Gateway default/web: Accepted=True Programmed=False/AddressNotUsable",
    ],
  ],
  [
    "finds a feature that is missing, or is there",
    "Gateway default/web: Accepted=* Programmed=*\n  features A !B C\n  address 127.0.0.1",
    [
      "feature !B does not hold: Gateway default/web: Accepted=True Programmed=False/AddressNotUsable",
      "feature C does not hold: Gateway default/web: Accepted=True Programmed=False/AddressNotUsable",
    ],
  ],
];

for (const [name, expectation, differences] of cases) {
  Deno.test(`findDifferences() ${name}`, () => {
    assertEquals(findDifferences(expectation, actual), [...differences]);
  });
}
