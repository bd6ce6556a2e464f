/** Moves of traffic for a person. Pure. */

import type { TrafficChange, TrafficTarget } from "../api/plan.ts";
import { toPrintable } from "../base/printable.ts";
import { cutText } from "./wrap.ts";

/** Characters of a line's value; the other formats show it whole. */
const valueMax = 200;

/** Three lines: a request with a sign before it, `!` where it is worse, and who answers it. */
export function trafficText(
  { port, protocol, request, before, after, isWorse }: TrafficChange,
): string {
  const sign = isWorse ? "!" : before === null ? "+" : after === null ? "-" : "~";
  const lines = [
    `  ${sign} ${requestText(protocol, port, request)}`,
    `      was ${targetText(before)}`,
    `      is  ${targetText(after)}`,
  ];
  return lines.map((line) => `${toPrintable(line)}\n`).join("");
}

/** `GET shop.example.com:80/cart?q=1 with x: 1`, or `TLS db.example.com:443`. */
function requestText(
  protocol: TrafficChange["protocol"],
  port: number,
  { method, host, path = "", headers, queryParams }: TrafficChange["request"],
): string {
  const place = host === undefined ? `port ${port}` : `${host}:${port}`;
  const query = queryParams.map(({ name, value }) => `${name}=${value}`).join("&");
  const target = query === "" ? path : `${path}?${query}`;
  const lines = headers.map(({ name, value }) => `${name}: ${value}`).join(", ");
  const text = `${method ?? protocol} ${place}${target}`;
  return cutText(lines === "" ? text : `${text} with ${lines}`, valueMax);
}

/** `90% default/web/80, 10% nobody (HTTPRoute default/web, rule 0)`, `404 (no route matches)`. */
function targetText(target: TrafficTarget | null): string {
  if (target === null) return "nobody listens";
  const { decision, route, rule, backends } = target;
  const total = backends.reduce((sum, { weight }) => sum + weight, 0);
  const shares = backends.filter(({ weight }) => weight > 0)
    .map(({ weight, cluster = "nobody" }) =>
      weight === total ? cluster : `${(100 * weight / total).toFixed(0)}% ${cluster}`
    );
  const what = decision === "backend" ? shares.join(", ") : [decision, ...shares].join(" ");
  const by = route === undefined ? "no route matches" : route;
  return cutText(`${what} (${by}${rule === undefined ? "" : `, rule ${rule}`})`, valueMax);
}
