// The log of operators' actions, as a slice sees it. Independent of the database, which the server provides.
import type { RouteContext } from "./route.ts";

export interface Audit {
  /** Written before the action; an action that cannot be logged is not done. */
  record(context: RouteContext, action: string, subject: string, detail: string): Promise<void>;
}
