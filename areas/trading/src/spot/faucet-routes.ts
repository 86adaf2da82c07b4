// The faucet's call, at the root and in the default run alone.
import { defineRoute, type RouteSpec } from "@clockwork/host/route";
import { FaucetBody, FaucetResult } from "./contract.ts";
import type { FaucetService } from "./faucet-service.ts";

export function faucetRoutes(service: FaucetService): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "POST",
      path: "/dev/faucet",
      bases: ["root"],
      summary: "Gives the caller test funds, so much of each coin a day; the default run alone has it",
      tag: "spot",
      scope: "user",
      body: FaucetBody,
      output: FaucetResult,
      handle: ({ body }, { userId, timeMs }) => service.give(Number(userId), body, timeMs),
    }),
  ];
}
