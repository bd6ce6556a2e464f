/**
 * Refusals as `metav1.Status`: what clients of the API parse, and kubectl prints.
 *
 * A refusal inside the API is an {@linkcode ApiRefusal}; whoever serves the request turns it into the
 * object here, with the details of the resource that was asked for. Pure.
 */

import type { StatusError } from "../store_contract.ts";

/** What a request was about, as far as it was understood. */
export interface StatusSubject {
  readonly group: string;
  /** The plural of a resource. */
  readonly resource: string;
  readonly name: string;
}

/** Ends the handling of a request with a refusal. */
export class ApiRefusal extends Error {
  override name = "ApiRefusal";
  readonly error: StatusError;
  /** The `continue` token to go on with, on an expired list. */
  readonly continueToken: string | undefined;

  constructor(error: StatusError, continueToken?: string) {
    super(error.message);
    this.error = error;
    this.continueToken = continueToken;
  }
}

/** 400. */
export function badRequest(message: string): ApiRefusal {
  return new ApiRefusal({ code: 400, reason: "BadRequest", message });
}

/** 405: the resource exists, and not for this method. */
export function methodNotAllowed(): ApiRefusal {
  const message = "the server does not allow this method on the requested resource";
  return new ApiRefusal({ code: 405, reason: "MethodNotAllowed", message });
}

/** 404: there is nothing of that kind at this path. */
export function unknownPath(): ApiRefusal {
  const message = "the server could not find the requested resource";
  return new ApiRefusal({ code: 404, reason: "NotFound", message });
}

/** 415: the body has a media type that this method does not take; one of a patch is not repeated. */
export function unsupportedMediaType(
  contentType: string | undefined,
  wanted: readonly string[],
): ApiRefusal {
  const message = `the body of the request was in an unknown format - accepted media types ` +
    `include: ${wanted.join(", ")}`;
  const fault = !contentType ? "" : ` (was ${JSON.stringify(contentType.slice(0, 100))})`;
  const error = { code: 415, reason: "UnsupportedMediaType", message: `${message}${fault}` };
  return new ApiRefusal(error);
}

/** The object for a refusal. */
export function statusObject(error: StatusError, subject?: StatusSubject, token?: string): object {
  const { code, reason, message, causes, about } = error;
  const { kind = "", name = "" } = about ?? { kind: subject?.resource, name: subject?.name };
  const details = {
    ...(name === "" ? {} : { name }),
    ...(subject?.group && kind !== "" ? { group: subject.group } : {}),
    ...(kind === "" ? {} : { kind }),
    ...(causes === undefined ? {} : {
      causes: causes.map((cause) => ({
        reason: cause.reason,
        message: cause.message,
        ...(cause.field === "" ? {} : { field: cause.field }),
      })),
    }),
    ...(code === 504 || code === 429 ? { retryAfterSeconds: 1 } : {}),
  };
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: token === undefined ? {} : { continue: token },
    status: "Failure",
    message,
    reason,
    ...(Object.keys(details).length === 0 ? {} : { details }),
    code,
  };
}

/** The answer to a delete that has no object to show. */
export function successObject(subject: StatusSubject, uid: string | undefined): object {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: {
      name: subject.name,
      ...(subject.group === "" ? {} : { group: subject.group }),
      kind: subject.resource,
      ...(uid === undefined ? {} : { uid }),
    },
  };
}
