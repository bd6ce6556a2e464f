/** What `/openapi.json` answers, as far as the document describes itself. */

import * as v from "valibot";

/** See the file's header. */
export const OpenApiDocumentSchema = v.pipe(
  v.looseObject({
    openapi: v.string(),
    info: v.looseObject({ title: v.string(), version: v.string() }),
    paths: v.record(v.string(), v.looseObject({})),
  }),
  v.title("OpenApiDocument"),
  v.description("An OpenAPI 3.1 document"),
);
