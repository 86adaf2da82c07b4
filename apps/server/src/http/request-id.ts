// The name of a request in logs and answers.
import { randomUUID } from "node:crypto";

/** An incoming id is kept when it is plain and short, so that a trace crosses machines; anything else gets a new one. */
export function readRequestId(given: string | string[] | undefined): string {
  return typeof given === "string" && /^[A-Za-z0-9._-]{8,64}$/.test(given) ? given : randomUUID();
}
