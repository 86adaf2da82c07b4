// Rewards with what they get of other parts, and recommendations, which name them on the first page.
import type { Articles } from "../articles/articles.ts";
import type { Earn } from "../earn/earn.ts";
import type { Part } from "@clockwork/host/part";
import type { PartContext } from "@clockwork/trading/context";
import { recommendPart } from "../recommend/recommend.ts";
import type { Spot } from "../spot/spot.ts";
import type { Programme } from "../vip/programme.ts";
import { rewardsPart } from "./rewards.ts";

export function rewardParts(
  context: PartContext,
  { college }: Articles,
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
    isCourse: async (course, timeMs) => (await college.readCourse(course, null, timeMs)).done,
  });
  setFeesBack(rewards.listFeesBack);
  return [rewards, recommendPart(context, [rewards.recommend])];
}
