// The operator guard as a slice sees it: who may act, and the audit log every action is written to before it counts.
// Knows no role and no database; the server brings both.
import { type Outcome, type RouteContext, type RouteRejection, refuse } from "./route.ts";

export interface OperatorGuard {
  /** Nothing when this caller may, in this session, now. */
  permit(context: RouteContext): Promise<RouteRejection | undefined>;
  /** Written before the action; a action that cannot be written down is not done. */
  record(context: RouteContext, action: string, subject: string, detail: string): Promise<void>;
}

/** A handler that only a permitted operator reaches: the guard is asked before every look and every action. */
export function guarded<Input, Data>(
  guard: Pick<OperatorGuard, "permit">,
  handle: (input: Input, context: RouteContext) => Promise<Outcome<Data>>,
): (input: Input, context: RouteContext) => Promise<Outcome<Data>> {
  return async (input, context) => {
    const refusal = await guard.permit(context);
    return refusal === undefined ? handle(input, context) : refuse(refusal);
  };
}
