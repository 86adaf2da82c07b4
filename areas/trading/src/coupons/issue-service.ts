// Issuing a coupon as a two-person action: what it requires, and who is excluded.
import type { ProposalKind } from "@clockwork/host/proposal";
import { DAY_MS } from "@clockwork/kit/time";
import { IssuePayload } from "./contract.ts";
import type { IssueRefusal } from "./refusals.ts";
import type { CouponService } from "./service.ts";

export function issueKind(
  service: Pick<CouponService, "check" | "issue">,
): ProposalKind<typeof IssuePayload, IssueRefusal> {
  return {
    kind: "coupon.issue",
    permission: "coupons.issue",
    needsFreshProof: false,
    expiresAfterMs: 3 * DAY_MS,
    payload: IssuePayload,
    beneficiariesOf: ({ user }) => [Number(user)],
    check: (payload) => service.check(payload),
    describe: ({ user, kind, faceUsdt, asset, volumeUsdt, days, reference }) =>
      `Issue a ${kind} coupon of ${faceUsdt} USDT in ${asset} to account ${user}: ` +
      `volume ${volumeUsdt} USDT within ${days} days, ${reference}`,
    execute: (payload, call) => service.issue(payload, call),
  };
}
