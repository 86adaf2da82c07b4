// What an error is to a visitor: one of two statuses and a message fit to show. Decides no looks.
import { isRouteErrorResponse } from "react-router";
import { isChunkError } from "./chunk-guard.ts";

export interface ErrorFacts {
  readonly status: 404 | 500;
  readonly message: string;
}

/** Any failure as one of the two pages. Only a refusal made on purpose has a message fit to show. */
export function readError(error: unknown): ErrorFacts {
  if (isRouteErrorResponse(error)) {
    const message = typeof error.data === "string" ? error.data : error.statusText;
    if (error.status === 404) return { status: 404, message: message || "Page Not Found" };
    return { status: 500, message: message || "Internal Server Error" };
  }
  if (isChunkError(error)) return { status: 500, message: "Could not load part of this page" };
  return {
    status: 500,
    message: error instanceof Error && error.message !== "" ? error.message : "Internal Server Error",
  };
}
