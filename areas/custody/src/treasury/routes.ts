// REST of the treasury, for operators: schema → service → envelope.
import type { Audit } from "@clockwork/host/audit";
import { answer, type RouteSpec, refuseBy, serve } from "@clockwork/host/route";
import { TREASURY_CALLS } from "./contract.ts";
import type { RefillService } from "./refill-service.ts";
import { REFUSALS } from "./refusals.ts";

const desk = { tag: "wallet", scope: { operator: "withdrawals.review" } } as const;

export function treasuryRoutes(refills: RefillService, audit: Audit): readonly RouteSpec[] {
  return [
    serve(TREASURY_CALLS.levels, {
      ...desk,
      summary: "For operators: what the hot and the cold wallet hold, what is low, and the newest moves",
      handle: async () => {
        const result = await refills.levels();
        return result.done ? answer(result.value) : refuseBy(REFUSALS, result);
      },
    }),
    serve(TREASURY_CALLS.prepare, {
      ...desk,
      summary:
        "For operators: a transaction from the cold to the hot wallet, to be signed on a machine without a network",
      handle: async ({ body }) => {
        const result = await refills.prepare(body.network, body.asset, body.amount);
        return result.done ? answer(result.value) : refuseBy(REFUSALS, result);
      },
    }),
    serve(TREASURY_CALLS.submit, {
      ...desk,
      summary:
        "For operators: sends a refill that the cold wallet has signed; nothing but a transfer to the hot wallet",
      handle: async ({ body }, context) => {
        const result = await refills.submit(body.network, body.raw);
        if (!result.done) return refuseBy(REFUSALS, result);
        const { txHash, asset, amount } = result.value;
        await audit.record(context, "custody.refilled", body.network, `${amount} ${asset}: ${txHash}`);
        return answer(result.value);
      },
    }),
  ];
}
