// What a user would lose: --features that switches exactly what it names, and tells what it cannot.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  enabledFeatures,
  featureNames,
  featureToggleType,
  missingRequirements,
} from "../../../src/config/features.ts";

Deno.test("enabledFeatures() starts from the defaults, and the last toggle wins", () => {
  assertEquals([...enabledFeatures([])], ["gateway", "proxy", "leader-election", "metrics"]);
  const without = [...enabledFeatures([{ name: "metrics", on: false }])];
  assertEquals(without, ["gateway", "proxy", "leader-election"]);
  const twice = [{ name: "metrics", on: false }, { name: "metrics", on: true }] as const;
  assertEquals(enabledFeatures(twice).has("metrics"), true);
});

Deno.test("featureToggleType reads +x and -x and names what is near", () => {
  assertEquals(featureToggleType.parse("-proxy"), {
    ok: true,
    value: { name: "proxy", on: false },
  });
  const refusals = [
    ["+prox", `did you mean "proxy"?`],
    ["proxy", `wanted "+proxy" or "-proxy"`],
    ["+banana", "wanted one of gateway, proxy, leader-election, local-api, metrics"],
    ["+toString", "is not a feature"],
    ["", "is not a feature"],
  ] as const;
  for (const [text, problem] of refusals) {
    const parsed = featureToggleType.parse(text);
    assert(!parsed.ok, text);
    assertStringIncludes(parsed.problem, problem);
  }
});

Deno.test("missingRequirements() names a feature whose base is off", () => {
  assertEquals(missingRequirements(new Set(featureNames)), []);
  assertEquals(missingRequirements(new Set(["proxy"])), [
    `feature "proxy" needs feature "gateway", which is off`,
  ]);
});
