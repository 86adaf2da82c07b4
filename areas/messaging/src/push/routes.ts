// REST of push tokens: schema → service → envelope.
import { answer, type RouteContext, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { PUSH_CALLS, type PushBody } from "./contract.ts";
import { REFUSALS } from "./refusals.ts";
import type { PushService } from "./service.ts";

/** An app submits its token at its start, and again after signing in or out. */
const rate = { callsMax: 30, windowMs: 60_000 };

export function pushRoutes(service: PushService): readonly RouteSpec[] {
  const take = async (body: PushBody, userId: number | null, { locale, timeMs }: RouteContext) => {
    const taken = await service.register(body, { userId, locale }, timeMs);
    return taken.done ? answer(null) : refuseBy(REFUSALS, taken);
  };
  const common = { tag: "push", rate } as const;
  return [
    serve(PUSH_CALLS.private, {
      ...common,
      scope: "user",
      summary: "Sends the account's notices to this phone too",
      handle: ({ body }, context) => take(body, Number(context.userId), context),
    }),
    serve(PUSH_CALLS.public, {
      ...common,
      summary: "Sends this phone what everybody may hear; whoever it belonged to before no longer does",
      handle: ({ body }, context) => take(body, null, context),
    }),
  ];
}
