// REST of spring cards: schema → service → envelope.
import type { Claimant } from "@clockwork/host/claimant";
import { answer, type Outcome, type RouteContext, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import type { Result } from "@clockwork/kit/result";
import { SPRING_CALLS, type SpringDraw } from "./contract.ts";
import { REFUSALS, type SpringRefusal } from "./refusals.ts";
import type { SpringService } from "./service.ts";

const RETRY_SECONDS = 2;
const RATE = { callsMax: 60, windowMs: 60_000 } as const;
const own = { tag: "spring", scope: "user" } as const;

function result(drawn: Result<SpringDraw, SpringRefusal>): Outcome<SpringDraw, SpringRefusal> {
  if (drawn.done) return answer(drawn.value);
  const refusal = refuseBy(REFUSALS, drawn);
  if (drawn.code !== "DRAW_ON_ITS_WAY") return refusal;
  return { ok: false, rejection: { ...refusal.rejection, retryAfterSeconds: RETRY_SECONDS } };
}

type ClaimantOf = (context: RouteContext) => Promise<Claimant>;

export function springRoutes(spring: SpringService, claimantOf: ClaimantOf): readonly RouteSpec[] {
  return [
    serve(SPRING_CALLS.state, {
      tag: "spring",
      summary:
        "The spring cards campaign, its pool and today's commitment; with the caller's cards and draws if signed in",
      handle: async (_, { userId, timeMs }) =>
        answer(await spring.read(userId === null ? undefined : Number(userId), timeMs)),
    }),
    serve(SPRING_CALLS.draw, {
      ...own,
      summary: "Draws a card for one of the day's draws",
      rate: RATE,
      handle: async ({ query, body }, context) =>
        result(await spring.draw(await claimantOf(context), body.clientId ?? query.clientId)),
    }),
    serve(SPRING_CALLS.assemble, {
      ...own,
      summary: "Makes one of each card a movement and draws its prize",
      rate: RATE,
      handle: async ({ query, body }, context) =>
        result(await spring.assemble(await claimantOf(context), body.clientId ?? query.clientId)),
    }),
    serve(SPRING_CALLS.draws, {
      ...own,
      summary:
        "The caller's newest draws with all that is needed to draw them again; server seeds once their day is over",
      handle: async (_, { userId, timeMs }) => answer(await spring.listDraws(Number(userId), timeMs)),
    }),
  ];
}
