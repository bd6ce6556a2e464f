/**
 * `/`: what there is, as text for a terminal and as a page for a browser.
 *
 * The page has neither script nor style, so the strictest content security policy holds for it.
 */

import type { Endpoint } from "../api/endpoint.ts";
import { prefersType, type Route, type RouteGroup, textResponse } from "./route_group.ts";

/** The route of the index. */
export function createIndexGroup(
  endpoints: () => readonly Endpoint[],
  version: string,
): RouteGroup {
  const route: Route = {
    method: "GET",
    path: "/",
    summary: "This list",
    parameters: [],
    responses: [{
      status: 200,
      description: "The routes of this process",
      content: { "text/plain": "text", "text/html": "text" },
    }],
    problems: {},
    handle: ({ accept }) =>
      prefersType(accept, "text/html", "text/plain")
        ? htmlResponse(formatPage(endpoints(), version))
        : textResponse(formatText(endpoints(), version)),
  };
  return { routes: [route] };
}

/** Two lines for each route, because path and summary together are too wide for 80 columns. */
function formatText(endpoints: readonly Endpoint[], version: string): string {
  const entries = endpoints.map(({ method, path, summary }) =>
    `\n${method} ${path}\n    ${summary}\n`
  );
  return `weir ${version}\n${entries.join("")}`;
}

function formatPage(endpoints: readonly Endpoint[], version: string): string {
  const rows = endpoints.map(({ method, path, summary }) => {
    const isLink = method === "GET" && !path.includes("{");
    const place = isLink
      ? `<a href="${escapeHtml(path)}">${escapeHtml(path)}</a>`
      : escapeHtml(path);
    return `<tr><td>${method}</td><td>${place}</td><td>${escapeHtml(summary)}</td></tr>\n`;
  });
  const title = `weir ${escapeHtml(version)}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>
<h1>${title}</h1>
<table>
${rows.join("")}</table>
</body></html>
`;
}

function htmlResponse(body: string): Response {
  return new Response(body, { headers: { "content-type": "text/html; charset=utf-8" } });
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
