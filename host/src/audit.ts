// The log of what operators did, as a slice sees it. Knows no database; the server brings it.
import type { RouteContext } from "./route.ts";

export interface Audit {
  /** Written before the action; an action that cannot be written down is not done. */
  record(context: RouteContext, action: string, subject: string, detail: string): Promise<void>;
}
