// What the routes of copy trading share: who asks, and how something that is not there is said.
import { answer, type Outcome, type RouteContext, refuseBy } from "@clockwork/kit/route";
import { REFUSALS } from "./rules.ts";

export const whoOf = ({ userId }: RouteContext): number | undefined => (userId === null ? undefined : Number(userId));
export const known = <Value>(found: Value | undefined): Outcome<Value> =>
  found === undefined ? refuseBy(REFUSALS, { code: "LEADER_UNKNOWN" }) : answer(found);
export const open = { tag: "copy", method: "GET" } as const;
