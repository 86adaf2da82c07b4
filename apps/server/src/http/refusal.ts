// Every code the HTTP edge itself refuses with, its status and an actionable message. A closed union: slices bring
// their own codes in a RouteRejection, the edge only these. Also maps any thrown error to one of them.
import { type EdgeCode, edgeRefusal, type Refusal } from "@clockwork/host/refusal";
import type { FastifyError } from "fastify";
import { DatabaseFault, isPassing } from "../storage/fault.ts";

export interface RefusalBody {
  readonly code: string;
  readonly data: null;
  readonly message: string;
  readonly requestId: string;
  readonly fields?: Readonly<Record<string, string>>;
}

export function refusalBody(refusal: Refusal, requestId: string): RefusalBody {
  return {
    code: refusal.code,
    data: null,
    message: refusal.message,
    requestId,
    ...(refusal.fields === undefined ? {} : { fields: refusal.fields }),
  };
}

/** A body that cannot be taken; the error handler answers it by its code. */
export class BodyRefused extends Error {
  readonly edgeCode: EdgeCode;
  constructor(edgeCode: EdgeCode) {
    super(edgeCode);
    this.edgeCode = edgeCode;
  }
}

const CODE_BY_FASTIFY_ERROR: Readonly<Record<string, EdgeCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA",
  FST_ERR_CTP_BODY_TOO_LARGE: "BODY_TOO_LARGE",
  FST_ERR_CTP_EMPTY_JSON_BODY: "MALFORMED_BODY",
  FST_ERR_CTP_INVALID_JSON_BODY: "MALFORMED_BODY",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "MALFORMED_BODY",
  FST_ERR_BAD_URL: "MALFORMED_REQUEST",
  FST_ERR_MAX_PARAM_LENGTH: "URI_TOO_LONG",
  FST_ERR_ASYNC_CONSTRAINT: "MALFORMED_REQUEST",
  FST_ERR_NOT_FOUND: "NOT_FOUND",
  FST_ERR_HANDLER_TIMEOUT: "UNAVAILABLE",
  FST_ERR_REOPENED_CLOSE_SERVER: "UNAVAILABLE",
};

/** Maps a thrown error to a refusal. An unrecognised error is INTERNAL and does not expose its cause. */
export function refusalOf(error: unknown): Refusal {
  if (typeof error !== "object" || error === null) return edgeRefusal("INTERNAL");
  if (error instanceof BodyRefused) return edgeRefusal(error.edgeCode);
  if (error instanceof DatabaseFault) return edgeRefusal(isPassing(error) ? "DATABASE_UNAVAILABLE" : "INTERNAL");
  const { code, statusCode, validation, validationContext } = error as Partial<FastifyError>;
  if (validation !== undefined) {
    const part = validationContext === "querystring" ? "query" : (validationContext ?? "body");
    return edgeRefusal("VALIDATION_FAILED", { fields: describeFields(validation, part) });
  }
  const known = code === undefined ? undefined : CODE_BY_FASTIFY_ERROR[code];
  if (known !== undefined) return edgeRefusal(known);
  if (statusCode === 400) return edgeRefusal("MALFORMED_BODY");
  if (statusCode === 413) return edgeRefusal("BODY_TOO_LARGE");
  if (statusCode === 415) return edgeRefusal("UNSUPPORTED_MEDIA");
  // A path that tries to leave its folder: there is nothing there either.
  if (statusCode === 403 || statusCode === 404) return edgeRefusal("NOT_FOUND");
  return edgeRefusal("INTERNAL");
}

const FIELDS_MAX = 20;

/** One line per field: where it is and what it must be, never what was sent. */
export function describeFields(
  problems: readonly { instancePath: string; keyword: string; params: Record<string, unknown>; message?: string }[],
  part: string,
): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { instancePath, keyword, params, message } of problems) {
    const named = params.missingProperty ?? params.additionalProperty;
    const segments = instancePath
      .split("/")
      .slice(1)
      .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (typeof named === "string") segments.push(named.slice(0, 64));
    const path = [part, ...segments].join(".");
    if (Object.keys(fields).length >= FIELDS_MAX && !(path in fields)) break;
    fields[path] ??= describeRule(keyword, message);
  }
  return fields;
}

function describeRule(keyword: string, message: string | undefined): string {
  if (keyword === "required") return "is required";
  if (keyword === "additionalProperties") return "is not known here";
  return message ?? "is wrong";
}
