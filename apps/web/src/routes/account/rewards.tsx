// Rewards: tasks, coupons, gold, spring cards and the courses' titles, fetched together.

import { WELFARE_PATHS, type WelfareCoupons, type WelfareTasks } from "@clockwork/growth/rewards/contract";
import { SPRING_PATHS, type SpringState } from "@clockwork/growth/spring/contract";
import type { CourseList } from "@clockwork/site/college/contract";
import { BONUS_CALLS } from "@clockwork/trading/bonus/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { readCall } from "#boot/read-call.ts";
import { readEnvelope } from "#boot/root-data.ts";
import { RewardsPage, type RewardsPageProps } from "../../features/rewards/rewards-page.tsx";
import { SpringCard } from "../../features/spring/spring-card.tsx";

interface RewardsData extends Omit<RewardsPageProps, "spring"> {
  readonly spring: SpringState | null;
}

export async function loader({ context }: LoaderFunctionArgs): Promise<RewardsData> {
  const page = context.get(pageContext);
  const { callApi } = page;
  const read = async (path: string): Promise<unknown> => readEnvelope(await callApi({ method: "GET", path }));
  const [tasks, coupons, spring, courses, gold] = await Promise.all([
    read(WELFARE_PATHS.tasks),
    read(WELFARE_PATHS.coupons),
    read(SPRING_PATHS.state),
    read("/v1/college/courses"),
    readCall(page, BONUS_CALLS.state, {}),
  ]);
  const listed = (courses as CourseList | undefined)?.courses ?? [];
  return {
    tasks: (tasks as WelfareTasks | undefined) ?? null,
    coupons: (coupons as WelfareCoupons | undefined)?.coupons ?? null,
    gold: gold?.bonuses ?? null,
    spring: (spring as SpringState | undefined) ?? null,
    courses: Object.fromEntries(listed.map(({ slug, title }) => [slug, title])),
    nowMs: Date.now(),
  };
}

export const clientLoader = loadPayload<RewardsData>;

export default function AccountRewards() {
  const { spring, ...data } = useLoaderData<RewardsData>();
  return <RewardsPage {...data} spring={<SpringCard spring={spring} />} />;
}
