/**
 * The official conformance suite's tests that look at statuses only, on weir without a data plane.
 * Without it what weir says could be well-formed and not what other tools expect.
 */

import { assertEquals } from "@std/assert";
import { systemClock } from "../../src/base/clock.ts";
import { grantAccess } from "./access.ts";
import { type TestCluster, withCluster } from "./test_cluster.ts";
import { tellFigure, until } from "./until.ts";
import { WeirRun } from "./weir_run.ts";

/** Tests of the suite that send no request, by what they are about. */
const statusTests = `
GatewayInfrastructureMetadata GatewayListenerUnsupportedProtocol GatewayInvalidParametersRef
GatewayInvalidRouteKind GatewayInvalidTLSBackendConfiguration GatewayInvalidTLSConfiguration
GatewayModifyListeners GatewayObservedGenerationBump GatewayOptionalAddressValue
GatewaySecretInvalidReferenceGrant GatewaySecretMissingReferenceGrant
GatewaySecretReferenceGrantAllInNamespace GatewaySecretReferenceGrantSpecific GatewayStaticAddresses
GatewayWithAttachedRoutes GatewayWithAttachedRoutesWithPort8080
GatewayInvalidFrontendClientCertificateValidation GatewayClassObservedGenerationBump
HTTPRouteDisallowedKind HTTPRouteInvalidCrossNamespaceParentRef
HTTPRouteInvalidParentRefNotMatchingListenerPort HTTPRouteInvalidParentRefNotMatchingSectionName
HTTPRouteInvalidParentRefSectionNameNotMatchingPort HTTPRouteObservedGenerationBump
ListenerSetAllowedNamespaceNone ListenerSetAllowedNamespaceSame ListenerSetAllowedNamespaceSelector
ListenerSetAllowedRoutesSupportedKinds ListenerSetDefaultNotAllowed ListenerSetHostnameConflict
ListenerSetProtocolConflict ListenerSetReferenceGrant ListenerSetRouteStatusScopedToParentRef
BackendTLSPolicyObservedGenerationBump TLSRouteInvalidNoMatchingListenerHostname
TLSRouteInvalidNoMatchingListener TLSRouteInvalidReferenceGrant
TLSRouteListenerMixedTerminationNotSupported TLSRouteListenerPassthroughSupportedKinds
TLSRouteListenerTerminateNotSupported TLSRouteListenerTerminateSupportedKinds
TCPRouteInvalidBackendRefNonexistent TCPRouteInvalidCrossNamespaceBackendRef
TCPRouteInvalidNonTCPListener UDPRouteInvalidBackendRefNonexistent
UDPRouteInvalidCrossNamespaceBackendRef UDPRouteMultipleRoutesAttachment UDPRouteNotAllowedByListeners
`.trim().split(/\s+/);

/** Outside of what the testbed gives to load balancers; the suite asks for 10.97.0.250 by name. */
const addresses = "10.97.0.10-10.97.0.99,10.97.0.250";
const suiteLimit = "8m";
/** For the status of the class to be written. */
const settleMs = 1_000;

/** How weir is started, and how many of the tests its class then says it supports. */
const cases: readonly {
  readonly name: string;
  readonly args: readonly string[];
  readonly passes: number;
}[] = [
  { name: "as with the embedded data plane", args: ["--data-plane=none"], passes: 26 },
  { name: "as with Envoy", args: ["--data-plane=envoy", "--features=-proxy"], passes: 46 },
];

for (const { name, args, passes } of cases) {
  Deno.test(`the suite's tests of statuses pass without traffic, ${name}`, async () => {
    await withCluster(async (cluster) => {
      const kubeconfig = await grantAccess(cluster);
      await cluster.apply(gatewayClass);
      await using weir = WeirRun.start({
        kubeconfig,
        args: [...args, `--gateway-addresses=${addresses}`],
      });
      await untilLeading(weir);
      await untilSuiteIsGone(cluster);
      const { passed, failed, skipped, output } = await runSuite(statusTests, []);
      tellFigure(`conformance ${name}`, `${passed.length} passed, skipped: ${skipped.join(" ")}`);
      assertEquals(failed, [], `${output}\n${weir.log}`);
      assertEquals(
        [...passed, ...skipped].sort(),
        [...statusTests].sort(),
        `${output}\n${weir.log}`,
      );
      assertEquals(passed.length, passes);
      // Gives the Lease back, so that the next one leads at once.
      assertEquals(await weir.stop(), 0, weir.log);
    });
  });
}

Deno.test("the suite's test of wrong parameters passes, though the class lacks their feature", async () => {
  await withCluster(async (cluster) => {
    const kubeconfig = await grantAccess(cluster);
    await cluster.apply(gatewayClass);
    await using weir = WeirRun.start({
      kubeconfig,
      args: ["--data-plane=none", `--gateway-addresses=${addresses}`],
    });
    await untilLeading(weir);
    await untilSuiteIsGone(cluster);
    const { passed, output } = await runSuite(
      ["GatewayInvalidParametersRef"],
      ["--supported-features=Gateway,HTTPRoute,GatewayInfrastructure"],
    );
    assertEquals(passed, ["GatewayInvalidParametersRef"], `${output}\n${weir.log}`);
  });
});

const gatewayClass = `
apiVersion: gateway.networking.k8s.io/v1
kind: GatewayClass
metadata: { name: weir }
spec: { controllerName: weir.dev/gateway-controller }
`;

/** The suite goes by what the class says, which the process before has written as well. */
async function untilLeading(weir: WeirRun): Promise<void> {
  await weir.ready();
  await until("weir leads", 30_000, () => /Leads now/.test(weir.log));
  await systemClock.sleep(settleMs);
}

/** The namespaces of the suite before are on their way out for a while. */
async function untilSuiteIsGone(cluster: TestCluster): Promise<void> {
  await until(
    "the suite's namespaces are gone",
    60_000,
    async () => !(await cluster.kubectl(["get", "namespaces"])).includes("gateway-conformance-"),
  );
}

interface SuiteResult {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  readonly output: string;
}

/** Runs these tests of the suite; without more, with the features that the class says it supports. */
async function runSuite(
  names: readonly string[],
  more: readonly string[],
): Promise<SuiteResult> {
  const script = new URL("testbed/testbed", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command(script, {
    args: [
      ...["conformance", "weir", `-test.run=^TestConformance$/^(${names.join("|")})$`],
      ...[`-test.timeout=${suiteLimit}`, "--timeout-config-overrides=NamespacesMustBeReady:60"],
      // The only part of these tests that sends something.
      "-test.skip=/^UDPRouteMultipleRoutesAttachment$/^Only_the_oldest_UDPRoute_should_receive_traffic$",
      ...more,
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const decoder = new TextDecoder();
  const output = `${decoder.decode(stdout)}\n${decoder.decode(stderr)}`;
  const ended = (how: string): string[] =>
    [...output.matchAll(new RegExp(`^    --- ${how}: TestConformance/(\\w+) `, "gm"))]
      .map(([, name]) => name ?? "");
  return { passed: ended("PASS"), failed: ended("FAIL"), skipped: ended("SKIP"), output };
}
