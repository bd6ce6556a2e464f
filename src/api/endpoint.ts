/**
 * How an endpoint of the HTTP API is described: the source of its routing, its parameter checks, its
 * line on the index page and its place in the OpenAPI document.
 */

import type { BaseIssue, BaseSchema } from "valibot";

/** Any schema of this folder. */
export type AnySchema = BaseSchema<unknown, unknown, BaseIssue<unknown>>;

/** Methods that an endpoint may have; HEAD follows GET, OPTIONS is answered by the server. */
export type EndpointMethod = "GET" | "POST" | "PUT" | "DELETE";

/** A parameter in the path or the query. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly description: string;
  /** What a person would write there. */
  readonly example?: string;
  /** Has to be given; parameters in the path always have to. */
  readonly required?: boolean;
  /** May be given several times; only in the query. */
  readonly repeatable?: boolean;
}

/** The body that an endpoint takes. */
export interface RequestBody {
  readonly description: string;
  /** Media types; the body is text with a shape of its own. */
  readonly contentTypes: readonly string[];
  readonly required: boolean;
}

/** One status that an endpoint answers with, besides problems. */
export interface EndpointResponse {
  readonly status: number;
  readonly description: string;
  /** Content types with the schema of each; a string has no schema of its own. */
  readonly content: Readonly<Record<string, AnySchema | "text">>;
  /** Of a stream: the names of its events with what the data of each is. */
  readonly events?: Readonly<Record<string, AnySchema>>;
}

/** A method on a path. */
export interface Endpoint {
  readonly method: EndpointMethod;
  /** With parameters in braces: `/api/v1/state/{kind}`. */
  readonly path: string;
  /** One line for the index page and the document. */
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  /** Absent: no body is wanted. */
  readonly requestBody?: RequestBody;
  /** Who may ask where callers need a token: everybody, or everybody for less than with one. */
  readonly withoutToken?: "whole" | "less";
  readonly responses: readonly EndpointResponse[];
  /** Reasons of problems besides {@linkcode generalReasons}, by status. */
  readonly problems: Readonly<Record<number, readonly string[]>>;
}
