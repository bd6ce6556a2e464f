// What a user would lose: manifests that a cluster with strict rules takes, and that fit what the
// replicas are started with.

import { assert, assertEquals } from "@std/assert";
import { printedManifests } from "../../../src/app/install.ts";
import type { InstallManifest } from "../../../src/cli/context.ts";
import { runCli } from "../../../src/cli/run_cli.ts";
import { decodeSettings } from "../../../src/config/decode_settings.ts";
import { flags } from "../../../src/config/flags.ts";
import { readArguments } from "../../../src/config/read_arguments.ts";
import { asList, isRecord, type JsonRecord } from "../../../src/kube/json_value.ts";
import { neededPermissions } from "../../../src/kube/permissions.ts";
import { leasePlaceOf } from "../../../src/app/leader_names.ts";
import { permissionScope } from "../../../src/app/permission_scope.ts";
import { fakeCli } from "../../fakes/cli_context.ts";

async function install(...args: string[]): Promise<readonly InstallManifest[]> {
  let printed: readonly InstallManifest[] = [];
  const cli = fakeCli({
    install: (request) => Promise.resolve(printed = printedManifests(request, "1.2.3")),
  });
  assertEquals(await runCli(["install", "--image=weir", ...args], cli), 0, cli.err());
  return printed;
}

function record(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

function inside(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((found: unknown, field) => record(found)[field], value);
}

function find(manifests: readonly InstallManifest[], kind: string): JsonRecord {
  return record(manifests.find(({ object }) => object.kind === kind)?.object);
}

function podOf(manifests: readonly InstallManifest[]): JsonRecord {
  return record(inside(find(manifests, "Deployment"), "spec", "template", "spec"));
}

function containerOf(manifests: readonly InstallManifest[]): JsonRecord {
  return record(asList(podOf(manifests).containers)[0]);
}

/** What `weir serve` makes of the arguments in the Deployment. */
function servedSettings(manifests: readonly InstallManifest[]) {
  const [command, ...args] = asList(containerOf(manifests).args).map(String);
  assertEquals(command, "serve");
  const { layer, faults } = readArguments(flags, args);
  assertEquals(faults, []);
  return decodeSettings(flags, [layer]).settings;
}

Deno.test("weir install starts weir serve with flags that it takes, and what was handed on", async () => {
  const settings = servedSettings(
    await install(
      "--namespaces=a,b",
      "--secrets=c",
      "--without=TCPRoute",
      "--gateway-class=edge",
      "--proxy-max-connections=50",
      "--no-check-incremental",
      "--log-level=warn",
      "--drain-timeout=90s",
    ),
  );
  assertEquals(settings.inCluster, true);
  assertEquals(settings.namespaces, ["a", "b"]);
  assertEquals(settings.secretNamespaces, ["c"]);
  assertEquals(settings.without, ["TCPRoute"]);
  assertEquals(settings.gatewayClass, "edge");
  assertEquals(settings.proxyMaxConnections, 50);
  assertEquals([settings.logLevel, settings.logFormat], ["warn", "json"]);
  assertEquals([settings.drainTimeoutMs, settings.portShift], [90_000, 0]);
  assertEquals(settings.gatewayAddresses.map(({ text }) => text), ["0.0.0.0"]);
});

Deno.test("weir install gives exactly the rights that a process with its flags needs", async () => {
  const lines = [[], ["--secrets=all"], ["--namespaces=a,b", "--secrets=b,c"], [
    "--namespaces=a",
    "--gateway-class=x",
  ]];
  for (const args of lines) {
    const manifests = await install(...args);
    const given = manifests.flatMap(({ object }) =>
      asList(object.rules).map(record).flatMap((rule) =>
        asList(rule.resources).flatMap((resource) =>
          asList(rule.verbs).map((verb) =>
            [
              inside(object, "metadata", "namespace") ?? "",
              rule.apiGroups,
              resource,
              verb,
              rule.resourceNames ?? "",
            ].join(" ")
          )
        )
      )
    );
    const served = servedSettings(manifests);
    const lease = leasePlaceOf(served, "weir-system");
    const needed = neededPermissions({ ...permissionScope(served), lease })
      .flatMap(({ place, group, resource, verbs, names = "" }) =>
        verbs.map((verb) =>
          [place === "everywhere" ? "" : place.namespace, group, resource, verb, names].join(" ")
        )
      );
    assertEquals(given.sort(), [...needed].sort(), args.join(" "));
  }
});

Deno.test("weir install gives no right to a Lease where no leader is elected", async () => {
  const manifests = await install("--features=-leader-election");
  assert(!JSON.stringify(manifests.map(({ object }) => object.rules)).includes("leases"));
});

Deno.test("weir install reads no Secret unless it is asked for", async () => {
  const manifests = await install();
  assert(!JSON.stringify(manifests.map(({ object }) => object.rules)).includes("secrets"));
  assertEquals(servedSettings(manifests).without, ["Secret"]);
});

Deno.test("weir install waits for longer than a replica drains", async () => {
  for (const [timeout, seconds] of [["10s", 10], ["2m", 120], ["0", 0]] as const) {
    const grace = podOf(await install(`--drain-timeout=${timeout}`)).terminationGracePeriodSeconds;
    assert(typeof grace === "number" && grace >= seconds + 10, timeout);
  }
});

Deno.test("weir install names every object for its installation, and labels it", async () => {
  const manifests = await install("-n", "edge", "--class-name=edge");
  const shared = [...await install(), ...manifests].map(({ object }) =>
    [object.kind, inside(object, "metadata", "namespace"), inside(object, "metadata", "name")].join(
      "/",
    )
  );
  assertEquals(new Set(shared).size, shared.length);
  for (const { object, comment } of manifests) {
    const labels = record(inside(object, "metadata", "labels"));
    assertEquals(labels["app.kubernetes.io/name"], "weir");
    assertEquals(labels["app.kubernetes.io/instance"], "edge");
    assert(comment.endsWith("."), comment);
  }
});

Deno.test("weir install prints nothing for traffic where nothing moves it", async () => {
  const manifests = await install("--data-plane=none");
  assertEquals(find(manifests, "Service"), {});
  assertEquals(inside(find(manifests, "NetworkPolicy"), "spec", "ingress"), []);
  assertEquals(inside(podOf(manifests), "securityContext", "sysctls"), undefined);
});

Deno.test("weir install refuses what no replica could start with", async () => {
  const lines = [
    ["install"],
    ["install", "--image=Not an image"],
    ["install", "--image=weir", "--data-plane=envoy"],
    ["install", "--image=weir", "--ports=80,9080"],
    ["install", "--image=weir", "--ports=80,80"],
    ["install", "--image=weir", "--secrets=Upper"],
    ["install", "--image=weir", "--features=+local-api"],
    ["install", "--image=weir", "--manifests=x"],
    ["install", "weir"],
  ];
  for (const args of lines) {
    const cli = fakeCli();
    assertEquals(await runCli(args, cli), 2, args.join(" "));
    assert(cli.err().startsWith("weir install: "), cli.err());
  }
});
