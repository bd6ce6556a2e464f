/**
 * However files were edited, moved and deleted, the cluster ends as if the loader had just been
 * started on what is on disk now. If it did not, a restart would change what is served.
 *
 * Random histories of a few files that define the same few objects run on one loader; a second one
 * loads the final disk from scratch. Texts are all readable: a broken one keeps old versions on
 * purpose.
 */

import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { gatewayYaml, LoaderHarness, yamlStream } from "./loader_harness.ts";

const file = fc.constantFrom("/m/a.yaml", "/m/b.yaml", "/m/sub/a.yaml", "/m/sub/c.yaml");
const document = fc.tuple(fc.constantFrom("x", "y", "z"), fc.nat(2))
  .map(([name, n]) => gatewayYaml(name, `{n: ${n}}`));
const step = fc.oneof(
  fc.record({
    type: fc.constant("write" as const),
    file,
    text: fc.array(document, { maxLength: 3 }).map((documents) => yamlStream(...documents)),
  }),
  fc.record({ type: fc.constant("remove" as const), file: fc.oneof(file, fc.constant("/m/sub")) }),
  fc.record({ type: fc.constant("rename" as const), file, to: file }),
  fc.record({ type: fc.constant("wait" as const), ms: fc.constantFrom(1, 4, 10, 60, 3000) }),
  fc.record({ type: fc.constant("watch" as const), on: fc.boolean() }),
);

/** What a reader of the cluster and of its problems sees, but for identities and versions. */
function seen(harness: LoaderHarness): unknown {
  return {
    objects: harness.cluster.list("Gateway").items.map(({ metadata, spec }) => ({
      name: metadata.name,
      creationTimestamp: metadata.creationTimestamp,
      spec,
    })),
    namespaces: harness.cluster.list("Namespace").items.map(({ metadata }) => metadata.name),
    problems: harness.problems(),
  };
}

Deno.test("ManifestsLoader.run() ends where a restart would begin", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      await using harness = new LoaderHarness();
      harness.files.folder("/m");
      harness.files.folder("/m/sub");
      await harness.start();
      for (const step of steps) {
        if (step.type === "wait") await harness.clock.advance(step.ms);
        else if (step.type === "watch") harness.files.tellsWatchers = step.on;
        else if (step.type === "remove") harness.files.remove(step.file);
        else if (step.type === "rename") harness.files.rename(step.file, step.to);
        else {
          harness.files.folder("/m/sub");
          harness.files.write(step.file, step.text);
        }
      }
      await harness.clock.advance(10_000);
      const restarted = new LoaderHarness({ fileSystem: harness.files });
      await restarted.loader.initialLoad();
      assertEquals(seen(harness), seen(restarted));
    }),
    { numRuns: 200 },
  );
});
