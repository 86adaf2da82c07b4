// REST of the default run only: users set their own identity level.
import { answer, type RouteSpec, refuse, serve } from "@clockwork/host/route";
import { KYC_CALLS } from "./contract.ts";
import type { KycService } from "./service.ts";

export function identityRoutes(kyc: KycService): readonly RouteSpec[] {
  return [
    serve(KYC_CALLS.giveLevel, {
      tag: "kyc",
      scope: "user",
      summary: "Gives the caller an identity level without documents; the default run alone",
      handle: async ({ body }, { userId, timeMs }) => {
        const given = await kyc.giveLevel(Number(userId), body.level, timeMs);
        if (given.done) return answer({ level: body.level });
        return refuse({ code: given.code, status: 409, message: "Your identity is being changed; try again." });
      },
    }),
  ];
}
