/** What an operator would lose: a right for one path that opens another. */

import { assertEquals } from "@std/assert";
import { isPlainPath } from "../../../src/auth/plain_path.ts";

Deno.test("paths of the API are plain", () => {
  const paths = [
    "/",
    "/metrics",
    "/metrics/",
    "/api/v1/state/httproutes/shop/cart",
    "/api/v1/explain/gc/a.b-c_d~e",
    "/openapi.json",
    "/a/..b/...",
  ];
  for (const path of paths) assertEquals(isPlainPath(path), true, path);
});

Deno.test("what can be read in two ways is not", () => {
  const paths = [
    "",
    "metrics",
    "*",
    "//",
    "//metrics",
    "/api//v1",
    "/metrics//",
    "/.",
    "/..",
    "/livez/../metrics",
    "/livez/..",
    "/livez/./",
    "/livez/%2e%2e/metrics",
    "/%6detrics",
    "/livez%2f..%2fmetrics",
    "/livez%00",
    "/livez\\..\\metrics",
    "/livez?x",
    "/livez#x",
    "/livez x",
    "/livez\t",
    "/livez\n",
    "/m\u00e9trics",
    `/${"a".repeat(1024)}`,
  ];
  for (const path of paths) assertEquals(isPlainPath(path), false, JSON.stringify(path));
});
