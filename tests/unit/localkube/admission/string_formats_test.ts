/** Formats and addresses: too lax, and a typo is served; too strict, and a good manifest is refused. */

import { assertEquals } from "@std/assert";
import { findFormat } from "../../../../src/localkube/admission/string_formats.ts";
import { isCidr, isIpAddress } from "../../../../src/localkube/admission/ip_address.ts";

const formats: Readonly<Record<string, readonly [string[], string[]]>> = {
  "date": [["2024-02-29", "2000-02-29"], ["2023-02-29", "1900-02-29", "2024-13-01", "2024-1-1"]],
  "date-time": [
    ["2024-02-29T23:59:59Z", "2024-02-29T00:00:00.5+01:00"],
    ["2024-02-29 00:00:00Z", "2024-02-29T24:00:00Z", "2024-02-30T00:00:00Z", "2024-02-29T00:00:00"],
  ],
  "ipv4": [["0.0.0.0", "255.255.255.255"], ["256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4.5", ""]],
  "ipv6": [
    ["::", "::1", "2001:db8::1", "1:2:3:4:5:6:7:8", "::1.2.3.4", "1:2:3:4:5:6:1.2.3.4"],
    [
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
      "1::2::3",
      ":::",
      "12345::",
      "::1%eth0",
      "1.2.3.4::",
      "",
    ],
  ],
  "cidr": [["10.0.0.0/8", "::/128"], ["10.0.0.0/33", "10.0.0.0/08", "::/129", "10.0.0.0"]],
  "byte": [["", "YQ==", "YW\nFh"], ["YQ=", "Y", "a-b_"]],
  "uuid": [["123e4567-e89b-12d3-a456-426614174000"], [
    "123e4567",
    "g23e4567-e89b-12d3-a456-426614174000",
  ]],
  "duration": [["1h30m", "1.5s"], ["", "1", "h"]],
  "hostname": [["a.example.com", "a"], ["", "-a.example.com", "a..b"]],
  "uri": [["https://a.example.com/b"], ["/b", ""]],
};

for (const [format, [valid, invalid]] of Object.entries(formats)) {
  for (const text of valid) {
    Deno.test(`format ${format} takes ${JSON.stringify(text)}`, () => {
      assertEquals(findFormat(format)?.(text), true);
    });
  }
  for (const text of invalid) {
    Deno.test(`format ${format} refuses ${JSON.stringify(text)}`, () => {
      assertEquals(findFormat(format)?.(text), false);
    });
  }
}

Deno.test("findFormat() knows no check for a format that is only a remark", () => {
  assertEquals([findFormat("int32"), findFormat("constructor")], [undefined, undefined]);
});

Deno.test("isIpAddress() refuses an IPv4 address in the disguise of IPv6", () => {
  assertEquals(["::ffff:10.0.0.1", "0:0:0:0:0:ffff:10.0.0.1", "::10.0.0.1"].map(isIpAddress), [
    false,
    false,
    true,
  ]);
  assertEquals(isCidr("::ffff:10.0.0.0/104"), false);
});
