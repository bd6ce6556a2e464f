/**
 * The one form of an error answer: problem details (RFC 9457).
 *
 * `reason` is our extension member: a stable CamelCase word for programs, as in the Kubernetes API.
 * `detail` is for people and may change.
 */

import * as v from "valibot";
import type { ReadonlyDeep } from "./readonly_deep.ts";

/** The content type of {@linkcode Problem}. */
export const problemContentType = "application/problem+json";

/** Reasons that any path may answer with, by status; an endpoint names its own. */
export const generalReasons: Readonly<Record<number, readonly string[]>> = {
  400: [
    ...["UnknownParameter", "DuplicateParameter", "MalformedRequest", "ContentNotExpected"],
    "MalformedContent",
    ...["HostMissing", "HostDuplicate", "HostMalformed", "HostMismatch", "TargetMalformed"],
    "PathNotPlain",
  ],
  401: ["TokenMissing", "TokenMalformed", "TokenUnknown"],
  403: ["HostNotAllowed", "OriginNotAllowed", "CrossSiteRequest", "AccessDenied"],
  404: ["NotFound"],
  405: ["MethodNotAllowed"],
  408: ["RequestTimeout"],
  413: ["ContentTooLarge"],
  429: ["TooManyReviews"],
  431: ["HeadersTooLarge"],
  500: ["InternalError"],
  503: ["ReviewForbidden", "ReviewUnavailable"],
};

/** An error answer's body. */
export const ProblemSchema = v.pipe(
  v.object({
    type: v.pipe(v.string(), v.description("about:blank: the status says what kind of problem")),
    title: v.pipe(v.string(), v.description("The status in words")),
    status: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599)),
    detail: v.pipe(v.string(), v.description("What is wrong and what is wanted, for a person")),
    instance: v.pipe(v.string(), v.description("The path of the request")),
    reason: v.pipe(v.string(), v.description("A stable word for programs, such as NotFound")),
  }),
  v.title("Problem"),
  v.description("Why a request was not served (RFC 9457)"),
);
/** See {@linkcode ProblemSchema}. */
export type Problem = ReadonlyDeep<v.InferOutput<typeof ProblemSchema>>;
