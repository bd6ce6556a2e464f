/**
 * What is decided where the text of the API leaves room: from its conformance tests and from what other
 * implementations do. The number that is missing is about how to run the suite, and no rule.
 */

import type { Rule } from "./rules.ts";

/** By number. */
export const precisions: readonly Rule[] = [
  {
    rule:
      "1: A Gateway’s ResolvedRefs is about its client certificate and sums up its listeners; Accepted and Programmed are not touched",
    proofs: ["golden: 200-client-certificate"],
  },
  {
    rule: "2: Equal port, protocol and hostname within one object are refused by the CRD",
    proofs: ["golden: 13-hostname-conflict"],
  },
  {
    rule: "3: A listener that lost to an object before it does not drag its own siblings down",
    proofs: [
      "golden: 214-listener-set-conflicts",
      "unit/gateway/joined_listeners_test.ts: What lost to another object takes nothing from its siblings",
    ],
  },
  {
    rule:
      "4: Valid, for a ListenerSet, is a listener that is accepted, not conflicted and resolved",
    proofs: ["golden: 213-listener-set-partly-valid"],
  },
  {
    rule: "5: A conflicted listener says the conflict in Programmed too",
    proofs: ["golden: 214-listener-set-conflicts", "golden: 207-tcp-udp-ports"],
  },
  {
    rule: "6: ResolvedRefs of a route is told also where it is not accepted",
    proofs: [
      "unit/gateway/route_status_test.ts: ResolvedRefs is told also of a route that is not accepted, so that both faults are seen",
      "golden: 232-grpc-route-backends",
      "golden: 244-tcp-route-backends",
    ],
  },
  {
    rule:
      "7: A fault of client validation is about the HTTPS listeners that it covers, and perPort wins over the default",
    proofs: [
      "golden: 201-frontend-validation",
      "unit/gateway/gateway_tls_test.ts: A port with settings of its own has nothing of the default, not even its validation",
    ],
  },
  {
    rule:
      "8: A protocol that is not served has no supported kinds; TLS modes that one port cannot have conflict, one that is not served is unsupported",
    proofs: [
      "golden: 28-unsupported-protocol",
      "unit/gateway/tls_modes_test.ts: Where one port cannot have both TLS modes, both listeners are in conflict, others not",
      "unit/gateway/tls_modes_test.ts: A TLS mode that is not served at all is an unsupported value of that listener alone",
    ],
  },
  {
    rule:
      "9: A rewrite beside a redirect is refused by the CRD, and incompatible where an older CRD lets it through",
    proofs: [
      "golden: 261-incompatible-filters",
      "unit/gateway/route_status_test.ts: A redirect beside a rewrite is refused as incompatible",
    ],
  },
  {
    rule:
      "10: An application protocol that nobody knows changes nothing; one that the route cannot speak is UnsupportedProtocol",
    proofs: [
      "golden: 59-backend-app-protocol",
      "golden: 96-backend-app-protocol-spoken",
      "golden: 232-grpc-route-backends",
    ],
  },
  {
    rule: "11: A listener that passes TLS through ignores certificates",
    proofs: ["golden: 206-tls-modes"],
  },
  {
    rule:
      "12: A port that the Service does not have is BackendNotFound, with the port in the message",
    proofs: ["golden: 49-backend-port-missing", "golden: 232-grpc-route-backends"],
  },
  {
    rule:
      "13: A certificate that does not parse or fit its key is InvalidCertificateRef; without any the listener stays accepted and is not programmed",
    proofs: [
      "golden: 15-https-certificate-missing",
      "golden: 16-https-certificate-malformed",
      "golden: 17-https-certificate-mismatch",
      "golden: 20-https-one-certificate-of-two",
    ],
  },
  {
    rule: "14: Routes that are not accepted are not counted",
    proofs: [
      "unit/gateway/gateway_status_test.ts: attachedRoutes counts accepted routes once each, whatever the listener's state is",
      "golden: 262-first-fault",
    ],
  },
  {
    rule:
      "15: HTTP shares no port with HTTPS or TLS; HTTPS and TLS share one when their hostnames differ; TCP and UDP have numbers of their own",
    proofs: [
      "golden: 11-protocol-conflict",
      "golden: 207-tcp-udp-ports",
      "unit/gateway/listener_claims_test.ts: HTTPS and TLS share a port, not a hostname; that is a clash of hostnames",
    ],
  },
  {
    rule: "16: An empty selector selects every namespace; an IP address is no hostname of a route",
    proofs: ["golden: 34-allowed-routes-empty-selector", "golden: 45-hostname-ip-address"],
  },
  {
    rule: "17: Of several faults the first in the order of attachment gives the reason",
    proofs: ["golden: 262-first-fault"],
  },
  {
    rule:
      "18: A policy with some usable authorities is accepted; with none it is not, and routes keep their own ResolvedRefs",
    proofs: ["golden: 252-backend-tls-policy-validation"],
  },
  {
    rule:
      "19: Of two Gateways that need one address and port the younger one’s listener loses, and only that",
    proofs: [
      "golden: 79-addresses-clash",
      "golden: 217-listener-set-port-unavailable",
      "unit/gateway/gateway_status_test.ts: Of two Gateways that need one port for the same host the older one keeps it",
    ],
  },
  {
    rule:
      "21: A request goes on to a less specific hostname of the same listener when no rule of the most specific one matches",
    proofs: [
      "golden: 71-precedence-hostnames",
      "unit/dataplane/host_test.ts: HostIndex.first() goes on to less specific hostnames until one accepts",
    ],
  },
];
