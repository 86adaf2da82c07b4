// Rewards with their ports to other parts, and recommendations, which name them on the first page.

import type { Earn } from "@clockwork/earning/earn/part";
import type { Part } from "@clockwork/host/part";
import type { PartContext } from "@clockwork/trading/context";
import type { Spot } from "@clockwork/trading/spot/part";
import type { GrowthPorts } from "../ports.ts";
import { recommendPart } from "../recommend/part.ts";
import type { Programme } from "../vip/programme.ts";
import { rewardsPart } from "./part.ts";

export function rewardParts(
  context: PartContext,
  { isCourse }: Pick<GrowthPorts, "isCourse">,
  { coupons }: Spot,
  { books, view }: Earn,
  { friends, setFeesBack }: Programme,
): readonly Part[] {
  const rewards = rewardsPart(context, {
    books,
    coupons,
    earn: view,
    countInvitees: (userId, fromMs, toMs) => friends.countVerified(userId, fromMs, toMs),
    onInvited: (listener) => friends.onJoined(({ inviter_id }) => listener(inviter_id)),
    isCourse,
  });
  setFeesBack(rewards.listFeesBack);
  return [rewards, recommendPart(context, [rewards.recommend])];
}
