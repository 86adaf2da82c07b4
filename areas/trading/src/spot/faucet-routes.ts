// The faucet's call, at the root and in the default run only.
import { type RouteSpec, serve } from "@clockwork/host/route";
import { FAUCET_CALLS } from "./contract.ts";
import type { FaucetService } from "./faucet-service.ts";

export function faucetRoutes(service: FaucetService): readonly RouteSpec[] {
  return [
    serve(FAUCET_CALLS.give, {
      summary: "Gives the caller test funds, so much of each coin a day; the default run alone has it",
      tag: "spot",
      scope: "user",
      handle: ({ body }, { userId, timeMs }) => service.give(Number(userId), body, timeMs),
    }),
  ];
}
