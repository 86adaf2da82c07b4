// Rewards: tasks, coupons, gold, spring cards and the courses' titles, fetched together.

import { WELFARE_CALLS } from "@clockwork/growth/rewards/contract";
import { SPRING_CALLS, type SpringState } from "@clockwork/growth/spring/contract";
import { COLLEGE_CALLS } from "@clockwork/site/college/contract";
import { BONUS_CALLS } from "@clockwork/trading/bonus/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { RewardsPage, type RewardsPageProps } from "../../features/rewards/rewards-page.tsx";
import { SpringCard } from "../../features/spring/spring-card.tsx";

interface RewardsData extends Omit<RewardsPageProps, "spring"> {
  readonly spring: SpringState | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<RewardsData> {
  const page = context.get(pageContext);
  const [tasks, coupons, spring, courses, gold] = await Promise.all([
    readCall(page, WELFARE_CALLS.tasks, {}),
    readCall(page, WELFARE_CALLS.coupons, {}),
    readCall(page, SPRING_CALLS.state, {}),
    readCall(page, COLLEGE_CALLS.courses, {}),
    readCall(page, BONUS_CALLS.state, {}),
  ]);
  const listed = courses?.courses ?? [];
  return {
    tasks: tasks ?? null,
    coupons: coupons?.coupons ?? null,
    gold: gold?.bonuses ?? null,
    spring: spring ?? null,
    courses: Object.fromEntries(listed.map(({ slug, title }) => [slug, title])),
    nowMs: Date.now(),
  };
}

export const clientLoader = loadPayload<RewardsData>;

export default function AccountRewards() {
  const { spring, ...data } = useLoaderData<RewardsData>();
  return <RewardsPage {...data} spring={<SpringCard spring={spring} />} />;
}
