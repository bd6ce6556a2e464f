/** The decision about a request in one sentence, and what may surprise about it. Pure. */

import type { RequestExplanation as ExplanationView } from "../api/explain.ts";
import type { Acknowledgement } from "../dataplane/data_plane.ts";
import type {
  HypotheticalRequest,
  PlacedListener,
  RequestExplanation,
} from "../dataplane/explain_request.ts";
import type { DataPlaneConfig, GatewayKey, HttpRouteAction } from "../dataplane/model.ts";

/** Ports that a sentence lists. */
const portsMax = 20;

/** The decision in a sentence. */
export function whyDecided(
  decision: ExplanationView["decision"],
  { normalized, winner, entry }: RequestExplanation,
  request: HypotheticalRequest,
  config: DataPlaneConfig,
): string {
  if (normalized.action === "reject") return "the path is not valid in a request";
  if (normalized.action === "redirect") {
    return "the path holds escaped separators, the client is sent to the one without them";
  }
  if (winner === undefined) return whyNoListener(request, config);
  const place = `listener "${winner.listener.name}" of "${winner.gateway.key}"`;
  if (entry === undefined) return `no route of ${place} matches`;
  switch (decision) {
    case "redirect":
      return "the rule redirects";
    case "preflight":
      return "the gateway answers the preflight by the rule's CORS filter, no backend is asked";
    case "backend":
      return "a backend with a ready endpoint serves it";
    case "503":
      return "no backend of the rule has a ready endpoint";
    default:
      return entry.action.backends.length === 0
        ? "the rule has no backend that takes traffic"
        : "no backend reference of the rule is valid";
  }
}

function whyNoListener(
  { port, gateway, host }: HypotheticalRequest,
  config: DataPlaneConfig,
): string {
  const gateways = [...config.gateways.values()].filter(({ key }) =>
    gateway === undefined || key === gateway
  );
  if (gateways.length === 0) {
    return gateway === undefined ? "no Gateway is served" : `Gateway "${gateway}" is not served`;
  }
  const ports = new Set(gateways.flatMap(({ listeners }) => listeners.map((one) => one.port)));
  if (ports.has(port)) return `no listener on port ${port} serves host "${host}"`;
  const known = [...ports].sort((a, b) => a - b).slice(0, portsMax).join(", ");
  return `no listener is on port ${port}, there are some on ${known}`;
}

/** What may surprise. */
export function notesOf(
  { winner, normalized, entry }: RequestExplanation,
  decision: ExplanationView["decision"],
  acknowledgements: ReadonlyMap<GatewayKey, Acknowledgement>,
): readonly string[] {
  if (winner === undefined || normalized.action !== "continue") return [];
  const notes = entry && decision === "backend" ? filterNotes(entry.action) : [];
  if (winner.listener.protocol === "HTTPS") {
    notes.push("The client is taken to name the same host in its TLS handshake (SNI)");
  }
  const answer = acknowledgements.get(winner.gateway.key);
  if (answer) notes.push(...serviceNotes(winner, answer));
  return notes;
}

/** What filters do beside the answer that the client gets. */
function filterNotes({ filters, backends }: HttpRouteAction): string[] {
  const notes = new Set<string>();
  for (const filter of [...filters, ...backends.flatMap((backend) => backend.filters)]) {
    if (filter.type === "RequestMirror") {
      const { cluster, numerator, denominator } = filter.mirror;
      const part = numerator === denominator
        ? "Each request"
        : `${numerator} of ${denominator} requests`;
      notes.add(`${part} of the rule: a copy goes to ${cluster}, and its answer is thrown away`);
    } else if (filter.type === "ExternalAuth") {
      notes.add(`Before that ${filter.auth.cluster} is asked whether to let the request through`);
    }
  }
  return [...notes];
}

function serviceNotes({ gateway, listener }: PlacedListener, answer: Acknowledgement): string[] {
  const notes: string[] = [];
  if (answer.config !== gateway) {
    notes.push("The data plane still serves an earlier configuration of this Gateway");
  }
  for (const { listener: name, reason, message } of answer.refusals) {
    if (name !== undefined && name !== listener.name) continue;
    notes.push(`The data plane does not serve all of it: ${reason}: ${message}`);
  }
  const shifted = answer.listeners.filter((bound) =>
    bound.name === listener.name && bound.boundPort !== bound.port
  );
  for (const { address, boundPort } of shifted) {
    notes.push(
      `Port ${listener.port} is really ${boundPort} at ${address}`,
    );
  }
  return notes;
}
