/** Session persistence for Envoy's filter (GEP-1619): the endpoint stands in a cookie or header. */

import type { SessionPersistence } from "../../dataplane/http_filters.ts";
import type { ProtoObject } from "../codec.ts";
import { duration, extension, typed } from "./proto_fields.ts";

/** The Any for `envoy.filters.http.stateful_session` of a route. */
export function sessionConfig(persistence: SessionPersistence): ProtoObject {
  return typed("envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute", {
    statefulSession: { sessionState: sessionState(persistence) },
  });
}

function sessionState(persistence: SessionPersistence): ProtoObject {
  const { type, sessionName, isPermanent, absoluteTimeoutMs } = persistence;
  if (type === "Header") {
    return extension(
      "envoy.http.stateful_session.header",
      "envoy.extensions.http.stateful_session.header.v3.HeaderBasedSessionState",
      { name: sessionName },
    );
  }
  const ttl = isPermanent && absoluteTimeoutMs !== undefined
    ? { ttl: duration(absoluteTimeoutMs) }
    : {};
  return extension(
    "envoy.http.stateful_session.cookie",
    "envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState",
    {
      cookie: {
        name: sessionName,
        path: "/",
        ...ttl,
        attributes: [{ name: "SameSite", value: "Strict" }],
      },
    },
  );
}
