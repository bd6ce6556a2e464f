/**
 * Rules of the Gateway API in our own words, each with the tests that would fail without it: what its
 * Go types and GEPs say of attachment, listeners and precedence, and what its conformance tests make
 * more precise. A proof is `golden: CASE`, or a file from `tests/` on and the name of a test in it.
 */

/** See the file's header. */
export interface Rule {
  readonly rule: string;
  /** At least one. */
  readonly proofs: readonly string[];
}

/** Which routes and ListenerSets a listener or Gateway takes. */
export const attachmentRules: readonly Rule[] = [
  {
    rule:
      "A reference to a Gateway attaches to its own listeners only, one to a ListenerSet to those of the set only",
    proofs: [
      "golden: 210-listener-set-routes",
      "unit/gateway/joined_listeners_test.ts: Routes reach a set by its name only, and a Gateway's routes not its sets",
    ],
  },
  {
    rule: "A section or port that is not on exactly that parent is NoMatchingParent",
    proofs: [
      "golden: 210-listener-set-routes",
      "golden: 231-grpc-route-parents",
      "golden: 243-tcp-route-parents",
    ],
  },
  {
    rule:
      "Section and port must both match where both are given; without either the whole parent is meant, and one listener that accepts is enough",
    proofs: [
      "golden: 36-parent-section",
      "golden: 37-parent-port",
      "golden: 38-parent-section-and-port",
      "golden: 42-parents-two-listeners-of-one",
    ],
  },
  {
    rule:
      "A listener takes the kinds of routes of its protocol, and of these the ones that its allowedRoutes name",
    proofs: [
      "golden: 231-grpc-route-parents",
      "golden: 241-tls-route-parents",
      "golden: 243-tcp-route-parents",
      "golden: 245-udp-route-parents",
      "unit/gateway/stream_rules_test.ts: Each kind of route is taken by listeners of its protocol only",
    ],
  },
  {
    rule:
      "Namespaces of routes: Same by default, All, Selector on the labels of the Namespace; an unknown one matches nothing",
    proofs: [
      "golden: 31-allowed-routes-same",
      "golden: 32-allowed-routes-all",
      "golden: 33-allowed-routes-selector",
      "unit/gateway/gateway_status_test.ts: A namespace that loses its label loses its routes",
    ],
  },
  {
    rule:
      "Namespaces of ListenerSets: None by default, Same, All, Selector; for listeners of a set Same is the namespace of the set",
    proofs: ["golden: 211-listener-set-not-allowed", "golden: 220-listener-set-namespaces"],
  },
  {
    rule:
      "Hostnames meet when they are equal, or one is a wildcard for any number of labels of the other but none; the rest of the route’s are ignored",
    proofs: [
      "golden: 43-hostname-intersection",
      "golden: 44-hostname-no-intersection",
      "unit/dataplane/host_test.ts: hostMatches() lets a wildcard stand for any number of labels but none",
    ],
  },
  {
    rule: "attachedRoutes counts each accepted route once, whatever the state of the listener",
    proofs: [
      "golden: 72-attached-routes",
      "golden: 73-attached-routes-unresolved-listener",
      "unit/gateway/gateway_status_test.ts: attachedRoutes counts accepted routes once each, whatever the listener's state is",
    ],
  },
  {
    rule: "supportedKinds are those of the protocol, of these the valid ones that were asked for",
    proofs: [
      "golden: 29-route-kinds-partly-invalid",
      "golden: 30-route-kinds-all-invalid",
      "golden: 206-tls-modes",
    ],
  },
  {
    rule:
      "A grant is for one kind of referrer: one for Gateways does not hold for ListenerSets, nor one for HTTPRoutes for other routes, nor the reverse",
    proofs: [
      "golden: 216-listener-set-references",
      "golden: 232-grpc-route-backends",
      "golden: 242-tls-route-backends",
      "golden: 244-tcp-route-backends",
      "golden: 246-udp-route-backends",
    ],
  },
  {
    rule: "A grant that is taken away revokes at once",
    proofs: [
      "unit/gateway/route_status_test.ts: A ReferenceGrant allows a backend, and taking it away revokes that",
      "unit/gateway/certificates_test.ts: A grant allows a Secret of another namespace; its removal revokes",
      "unit/gateway/gateway_tls_test.ts: A bundle of another namespace needs a grant for Gateways, and loses it with the grant",
    ],
  },
  {
    rule: "A reference to a parent never needs or uses a grant",
    proofs: ["golden: 249-parent-grant"],
  },
];

/** Which listeners can live together, and who answers a request. */
export const listenerRules: readonly Rule[] = [
  {
    rule:
      "Listeners are distinct by port, protocol and hostname; TCP and UDP by port, and UDP has ports of its own",
    proofs: [
      "golden: 10-listener-hostnames",
      "golden: 207-tcp-udp-ports",
      "unit/gateway/listener_claims_test.ts: UDP has ports of its own",
    ],
  },
  {
    rule: "Within one Gateway no winner is picked: all that cannot be told apart are conflicted",
    proofs: [
      "golden: 11-protocol-conflict",
      "golden: 12-protocol-conflict-everywhere",
      "unit/gateway/gateway_status_test.ts: HTTP and HTTPS on one port conflict: no winner is picked within a Gateway",
    ],
  },
  {
    rule:
      "Across a Gateway and its ListenerSets who comes first keeps what it has: the Gateway, the older set, then by name",
    proofs: [
      "golden: 214-listener-set-conflicts",
      "golden: 221-listener-set-not-valid-holds-nothing",
      "golden: 222-listener-set-after-lost-port",
      "unit/gateway/joined_listeners_test.ts: The Gateway's listeners come first, then the older set's, then by name",
      "unit/gateway/listener_rivals_test.ts: Listeners of a Gateway and its sets are conflicted as in a list of all of them",
    ],
  },
  {
    rule: "When the earlier one goes, the later one recovers",
    proofs: [
      "unit/gateway/joined_listeners_test.ts: Who lost wins when the first one leaves, moves away, or gives the hostname up",
    ],
  },
  {
    rule:
      "The listener with the most specific hostname answers: exact, longer wildcard, shorter wildcard, none",
    proofs: [
      "golden: 10-listener-hostnames",
      "unit/dataplane/host_test.ts: HostIndex.find() takes the most specific hostname",
      "unit/dataplane/explain_request_test.ts: explainRequest() chooses what the text of the API says",
    ],
  },
  {
    rule: "What no rule of the listener matches is 404",
    proofs: [
      "unit/app/explain_view_test.ts: toExplanation() says what the gateway answers itself, and why",
      "integration/proxy_routing_test.ts: proxy chooses routes by host, path, method, header and query",
    ],
  },
  {
    rule: "Names of listeners are unique within one object only",
    proofs: ["golden: 210-listener-set-routes", "golden: 214-listener-set-conflicts"],
  },
  {
    rule: "The status of a ListenerSet says nothing of its parent’s and siblings’ details",
    proofs: [
      "unit/gateway/joined_listeners_test.ts: The Gateway's own listener wins over an older set, and says nothing of it",
      "unit/gateway/joined_overlaps_test.ts: Listeners of a Gateway and of a set whose hostnames overlap both say so, not with whom",
      "golden: 217-listener-set-port-unavailable",
    ],
  },
  {
    rule: "A ListenerSet sums up its own listeners only, except that its parent takes it down",
    proofs: [
      "golden: 212-listener-set-parent",
      "golden: 213-listener-set-partly-valid",
      "golden: 223-listener-set-parent-not-programmed",
    ],
  },
];

/** Which rule serves, and what becomes of a request whose backend cannot. */
export const precedenceRules: readonly Rule[] = [
  {
    rule: "Hostnames: most characters of an exact one, then of any",
    proofs: [
      "golden: 71-precedence-hostnames",
      "unit/dataplane/precedence_test.ts: compareHttpRouteEntries() orders by the rules of the API",
    ],
  },
  {
    rule: "HTTP: exact path, longest prefix, method, most headers, most query parameters",
    proofs: [
      "golden: 69-precedence-within-a-rule-set",
      "unit/dataplane/precedence_test.ts: compareHttpRouteEntries() orders by the rules of the API",
    ],
  },
  {
    rule: "Ties: the older route, then namespace and name, then the order in the route",
    proofs: [
      "golden: 70-precedence-across-routes",
      "unit/dataplane/precedence_test.ts: compareHttpRouteEntries() orders by the rules of the API",
    ],
  },
  {
    rule: "gRPC: longer service, longer method, most headers",
    proofs: [
      "golden: 230-grpc-route",
      "unit/gateway/grpc_rules_test.ts: Entries of GRPCRoutes go by service, method and headers, then by age, name and place",
    ],
  },
  {
    rule:
      "HTTPRoutes and GRPCRoutes are not mixed on one host: exactly one of the two kinds is accepted",
    proofs: [
      "golden: 234-grpc-and-http-routes",
      "unit/gateway/listener_rivals_test.ts: Of HTTPRoutes and GRPCRoutes that want a host the older is taken, listener by listener",
    ],
  },
  {
    rule: "TLS: the most specific name, then age, then name",
    proofs: [
      "golden: 240-tls-route",
      "unit/gateway/stream_rules_test.ts: TLSRoutes go by name, then age, then their own name, in whatever order they came",
    ],
  },
  {
    rule: "A prefix matches by element of the path",
    proofs: [
      "golden: 60-matches",
      "unit/dataplane/match_test.ts: matchesEntry() matches prefixes by path element",
    ],
  },
  {
    rule: "The share of an invalid reference is answered 500, of a GRPCRoute 503",
    proofs: [
      "golden: 47-backend-kind-invalid",
      "golden: 230-grpc-route",
      "unit/dataplane/request_outcome_test.ts: outcomeOf() divides the traffic by weight and judges each share",
      "unit/dataplane/request_outcome_test.ts: outcomeOf() answers gRPC 503 where HTTP gets 500, so that callers see Unavailable",
    ],
  },
  {
    rule: "A backend without a ready endpoint is answered 503",
    proofs: [
      "golden: 54-backend-without-endpoints",
      "unit/dataplane/request_outcome_test.ts: outcomeOf() divides the traffic by weight and judges each share",
    ],
  },
  {
    rule: "A rule without backends that does not redirect is answered 500",
    proofs: [
      "unit/dataplane/request_outcome_test.ts: outcomeOf() answers 500 for a rule that leads nowhere",
      "integration/proxy_routing_test.ts: proxy answers 500 for a rule that sends nothing anywhere",
    ],
  },
  {
    rule: "Connections of an invalid reference are refused in proportion",
    proofs: ["golden: 242-tls-route-backends", "golden: 244-tcp-route-backends"],
  },
  {
    rule: "A Service reference without a port is refused by the CRD",
    proofs: ["golden: 83-document-invalid-rule"],
  },
  {
    rule:
      "A filter of a type that nobody knows drops its rule, and is never skipped; what it might have kept out gets an error",
    proofs: [
      "golden: 65-filter-unsupported",
      "golden: 66-filter-extension-ref",
      "golden: 233-grpc-route-unsupported",
      "unit/gateway/route_status_test.ts: A filter … … bars its requests, or others would serve them unguarded",
    ],
  },
  {
    rule: "A policy’s ancestor is the Gateway, and at most 16 are told",
    proofs: [
      "golden: 253-backend-tls-policy-ancestors",
      "unit/kube/ancestor_merge_test.ts: mergeStatus() adds … of three ancestors where others left room for …",
    ],
  },
  {
    rule:
      "The older policy wins for a Service and section; hostname is the name that is asked for and verified, unless other names are given",
    proofs: [
      "golden: 250-backend-tls-policy-conflicts",
      "golden: 252-backend-tls-policy-validation",
      "unit/gateway/backend_tls_test.ts: Of two policies for the same the older wins, by name if they are of one age",
    ],
  },
];
