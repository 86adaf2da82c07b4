// REST of the default run alone: whoever tries the product gives himself an identity level.
import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/host/route";
import { GivenLevel } from "./contract.ts";
import type { KycService } from "./service.ts";

export function identityRoutes(kyc: KycService): readonly RouteSpec[] {
  return [
    defineRoute({
      tag: "kyc",
      method: "POST",
      path: "/dev/identity",
      bases: ["root"],
      scope: "user",
      summary: "Gives the caller an identity level without documents; the default run alone",
      body: GivenLevel,
      output: GivenLevel,
      handle: async ({ body }, { userId, timeMs }) => {
        const given = await kyc.giveLevel(Number(userId), body.level, timeMs);
        if (given.done) return answer({ level: body.level });
        return refuse({ code: given.code, status: 409, message: "Your identity is being changed; try again." });
      },
    }),
  ];
}
