/**
 * Every condition and reason that the API has for the objects that weir writes a status of, as data:
 * the constants of its Go types (`apis/v1`) with the precisions that its conformance tests make.
 *
 * A row is `object type status reason`. `Listener` is one of a Gateway, `Entry` one of a ListenerSet.
 * Each row is seen in a golden case, or a named test proves it, or proves that it is never said.
 */

const classRows = `
GatewayClass Accepted True Accepted
GatewayClass Accepted False InvalidParameters
GatewayClass Accepted False Unsupported
GatewayClass Accepted False UnsupportedVersion
GatewayClass Accepted Unknown Pending
GatewayClass SupportedVersion True SupportedVersion
GatewayClass SupportedVersion False UnsupportedVersion`;

const gatewayRows = `
Gateway Accepted True Accepted
Gateway Accepted True ListenersNotValid
Gateway Accepted False Invalid
Gateway Accepted False InvalidParameters
Gateway Accepted False UnsupportedAddress
Gateway Accepted False ListenersNotValid
Gateway Accepted Unknown Pending
Gateway Programmed True Programmed
Gateway Programmed False Invalid
Gateway Programmed False Pending
Gateway Programmed False NoResources
Gateway Programmed False AddressNotAssigned
Gateway Programmed False AddressNotUsable
Gateway Programmed Unknown Pending
Gateway ResolvedRefs True ResolvedRefs
Gateway ResolvedRefs False RefNotPermitted
Gateway ResolvedRefs False InvalidClientCertificateRef
Gateway ResolvedRefs False ListenersNotResolved
Gateway InsecureFrontendValidationMode True ConfigurationChanged
Gateway DefaultGateway True DefaultGateway`;

const listenerRows = ["Listener", "Entry"].map((listener) => `
${listener} Accepted True Accepted
${listener} Accepted False PortUnavailable
${listener} Accepted False UnsupportedProtocol
${listener} Accepted False NoValidCACertificate
${listener} Accepted False UnsupportedValue
${listener} Accepted False HostnameConflict
${listener} Accepted False ProtocolConflict
${listener} Accepted Unknown Pending
${listener} Programmed True Programmed
${listener} Programmed False Invalid
${listener} Programmed False HostnameConflict
${listener} Programmed False ProtocolConflict
${listener} Programmed Unknown Pending
${listener} ResolvedRefs True ResolvedRefs
${listener} ResolvedRefs False InvalidCertificateRef
${listener} ResolvedRefs False InvalidRouteKinds
${listener} ResolvedRefs False RefNotPermitted
${listener} ResolvedRefs False InvalidCACertificateRef
${listener} ResolvedRefs False InvalidCACertificateKind
${listener} Conflicted True HostnameConflict
${listener} Conflicted True ProtocolConflict
${listener} Conflicted False NoConflicts
${listener} OverlappingTLSConfig True OverlappingHostnames
${listener} OverlappingTLSConfig True OverlappingCertificates`).join("");

const ownListenerRows = `
Listener Programmed False Pending
Entry Accepted False TooManyListeners
Entry Programmed False PortUnavailable
Entry Conflicted True ListenerConflict`;

const setRows = `
ListenerSet Accepted True Accepted
ListenerSet Accepted True ListenersNotValid
ListenerSet Accepted False Invalid
ListenerSet Accepted False NotAllowed
ListenerSet Accepted False ParentNotAccepted
ListenerSet Accepted False ListenersNotValid
ListenerSet Accepted Unknown Pending
ListenerSet Programmed True Programmed
ListenerSet Programmed False Invalid
ListenerSet Programmed False ParentNotProgrammed
ListenerSet Programmed False ListenersNotValid
ListenerSet Programmed False PortUnavailable
ListenerSet Programmed False NotAllowed
ListenerSet Programmed Unknown Pending`;

const routeRows = ["HTTPRoute", "GRPCRoute", "TLSRoute", "TCPRoute", "UDPRoute"].map((route) => `
${route} Accepted True Accepted
${route} Accepted False NotAllowedByListeners
${route} Accepted False NoMatchingParent
${route} Accepted Unknown Pending
${route} ResolvedRefs True ResolvedRefs
${route} ResolvedRefs False RefNotPermitted
${route} ResolvedRefs False InvalidKind
${route} ResolvedRefs False BackendNotFound
${route} ResolvedRefs False UnsupportedProtocol`).join("");

/** Connections have no filters, and only some have a hostname. */
const ownRouteRows = `
HTTPRoute Accepted False NoMatchingListenerHostname
HTTPRoute Accepted False UnsupportedValue
HTTPRoute Accepted False IncompatibleFilters
HTTPRoute PartiallyInvalid True UnsupportedValue
GRPCRoute Accepted False NoMatchingListenerHostname
GRPCRoute Accepted False UnsupportedValue
GRPCRoute PartiallyInvalid True UnsupportedValue
TLSRoute Accepted False NoMatchingListenerHostname`;

const policyRows = `
BackendTLSPolicy Accepted True Accepted
BackendTLSPolicy Accepted False Conflicted
BackendTLSPolicy Accepted False Invalid
BackendTLSPolicy Accepted False TargetNotFound
BackendTLSPolicy Accepted False NoValidCACertificate
BackendTLSPolicy ResolvedRefs True ResolvedRefs
BackendTLSPolicy ResolvedRefs False InvalidCACertificateRef
BackendTLSPolicy ResolvedRefs False InvalidKind`;

/** Every row, as `object type status reason`. */
export const statusReasons: readonly string[] = [
  classRows,
  gatewayRows,
  listenerRows,
  ownListenerRows,
  setRows,
  routeRows,
  ownRouteRows,
  policyRows,
].join("").split("\n").filter((row) => row !== "");

/** A test, by its file from `tests/` on and its name. */
export type TestName = readonly [file: string, test: string];

const unreached = "unit/gateway/unreached_reasons_test.ts";
const untouched: TestName = [
  unreached,
  "An object that nobody has reconciled says Unknown and Pending, as its CRD has it",
];
const decided: TestName = [
  unreached,
  "Accepted is never Unknown in what is computed, before a data plane answers either",
];
const pending: TestName = [
  unreached,
  "Programmed is Unknown with Pending while a data plane has not answered, never False",
];
const noConflict: TestName = [
  unreached,
  "A listener without a conflict says so, in a Gateway and in a ListenerSet",
];
const setInvalid: TestName = [
  unreached,
  "A ListenerSet without a valid listener says ListenersNotValid, never Invalid",
];

/**
 * Rows that no input of `weir translate` leads to: the file and the name of the test that shows what
 * is said instead, or when it is said.
 */
export const provenElsewhere: ReadonlyMap<string, TestName> = new Map<string, TestName>([
  ["GatewayClass Accepted False Unsupported", [
    unreached,
    "Every GatewayClass with our controller name is accepted, never Unsupported",
  ]],
  ["GatewayClass Accepted False UnsupportedVersion", [
    "unit/gateway/api_bundle_test.ts",
    "GatewayClass SupportedVersion follows the installed release; absent while it is not known",
  ]],
  ["GatewayClass SupportedVersion False UnsupportedVersion", [
    "unit/gateway/api_bundle_test.ts",
    "GatewayClass SupportedVersion follows the installed release; absent while it is not known",
  ]],
  ["GatewayClass Accepted Unknown Pending", untouched],
  ["Gateway Accepted Unknown Pending", untouched],
  ["ListenerSet Accepted Unknown Pending", untouched],
  ["Gateway Programmed False Pending", pending],
  ["Gateway Programmed Unknown Pending", pending],
  ["ListenerSet Programmed Unknown Pending", pending],
  ["Listener Programmed False Pending", pending],
  ["Listener Programmed Unknown Pending", pending],
  ["Entry Programmed Unknown Pending", pending],
  ["Gateway Programmed False NoResources", [
    unreached,
    "A Gateway for which no address is left says AddressNotAssigned, never NoResources",
  ]],
  ["Gateway Programmed False AddressNotAssigned", [
    unreached,
    "A Gateway for which no address is left says AddressNotAssigned, never NoResources",
  ]],
  ["Listener Accepted Unknown Pending", decided],
  ["Entry Accepted Unknown Pending", decided],
  ["HTTPRoute Accepted Unknown Pending", decided],
  ["GRPCRoute Accepted Unknown Pending", decided],
  ["TLSRoute Accepted Unknown Pending", decided],
  ["TCPRoute Accepted Unknown Pending", decided],
  ["UDPRoute Accepted Unknown Pending", decided],
  ["Listener Conflicted False NoConflicts", noConflict],
  ["Entry Conflicted False NoConflicts", noConflict],
  ["Entry Conflicted True ListenerConflict", [
    unreached,
    "An entry whose port and hostname are taken names the hostname, never ListenerConflict",
  ]],
  ["Entry Accepted False TooManyListeners", [
    unreached,
    "A Gateway takes all listeners of its ListenerSets, never TooManyListeners",
  ]],
  ["ListenerSet Accepted False Invalid", setInvalid],
  ["ListenerSet Programmed False Invalid", setInvalid],
  ["HTTPRoute Accepted False IncompatibleFilters", [
    "unit/gateway/route_status_test.ts",
    "A redirect beside a rewrite is refused as incompatible",
  ]],
]);
