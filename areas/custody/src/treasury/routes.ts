// REST of the treasury, for operators: schema → service → envelope.
import type { Audit } from "@clockwork/host/audit";
import { answer, defineRoute, type RouteSpec, refuseBy } from "@clockwork/host/route";
import { Type } from "typebox";
import { Levels, PrepareBody, RefillFile, SubmitBody, Submitted, TREASURY_PATHS } from "./contract.ts";
import type { RefillService } from "./refill-service.ts";
import { REFUSALS } from "./rules.ts";

const desk = { tag: "wallet", scope: { operator: "withdrawals.review" } } as const;

export function treasuryRoutes(refills: RefillService, audit: Audit): readonly RouteSpec[] {
  return [
    defineRoute({
      ...desk,
      method: "GET",
      path: TREASURY_PATHS.levels,
      summary: "For operators: what the hot and the cold wallet hold, what is low, and the newest moves",
      query: Type.Object({}),
      output: Levels,
      handle: async () => {
        const told = await refills.levels();
        return told.done ? answer(told.value) : refuseBy(REFUSALS, told);
      },
    }),
    defineRoute({
      ...desk,
      method: "POST",
      path: TREASURY_PATHS.prepare,
      summary:
        "For operators: a transaction from the cold to the hot wallet, to be signed on a machine without a network",
      body: PrepareBody,
      output: RefillFile,
      handle: async ({ body }) => {
        const told = await refills.prepare(body.network, body.asset, body.amount);
        return told.done ? answer(told.value) : refuseBy(REFUSALS, told);
      },
    }),
    defineRoute({
      ...desk,
      method: "POST",
      path: TREASURY_PATHS.submit,
      summary:
        "For operators: sends a refill that the cold wallet has signed; nothing but a transfer to the hot wallet",
      body: SubmitBody,
      output: Submitted,
      handle: async ({ body }, context) => {
        const told = await refills.submit(body.network, body.raw);
        if (!told.done) return refuseBy(REFUSALS, told);
        const { txHash, asset, amount } = told.value;
        await audit.record(context, "custody.refilled", body.network, `${amount} ${asset}: ${txHash}`);
        return answer(told.value);
      },
    }),
  ];
}
