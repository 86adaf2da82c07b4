// The operators' door as a slice sees it: who may come in, and the book every deed is written into before it counts.
// Knows no role and no database; the server brings both.
import { type Outcome, type RouteContext, type RouteRejection, refuse } from "./route.ts";

export interface Desk {
  /** Nothing when this caller may, in this session, now. */
  permit(context: RouteContext): Promise<RouteRejection | undefined>;
  /** Written before the deed; a deed that cannot be written down is not done. */
  record(context: RouteContext, action: string, subject: string, detail: string): Promise<void>;
}

/** A handler that is reached only through the door: asked before every look and every deed. */
export function behindDesk<Input, Data>(
  desk: Pick<Desk, "permit">,
  handle: (input: Input, context: RouteContext) => Promise<Outcome<Data>>,
): (input: Input, context: RouteContext) => Promise<Outcome<Data>> {
  return async (input, context) => {
    const refusal = await desk.permit(context);
    return refusal === undefined ? handle(input, context) : refuse(refusal);
  };
}
