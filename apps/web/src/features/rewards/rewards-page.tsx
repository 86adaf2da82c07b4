// `/rewards`: what may be claimed, tasks, almighty gold, coupons, and below them the spring cards.

import { REWARDS_CHANNEL, type WelfareCoupon, type WelfareTasks } from "@clockwork/growth/rewards/contract";
import type { Bonus } from "@clockwork/trading/bonus/contract";
import { type ReactNode, useContext, useEffect } from "react";
import { useRevalidator } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { LiveContext } from "#live/react.ts";
import { FailedLine } from "#session/failed-line.tsx";
import { AccountFrame } from "#shell/account-frame.tsx";
import { formatDay, formatShortDay } from "#words/day-text.ts";
import { useRewardsText } from "#words/rewards-text.ts";
import { CouponsCard } from "./coupons-card.tsx";
import { GoldCard } from "./gold-card.tsx";
import { money, sumLeft } from "./rewards-model.ts";
import { TasksCard } from "./tasks-card.tsx";

const Rules = latePart(async () => (await import("./rules-dialog.tsx")).RulesDialog);

export interface RewardsPageProps {
  readonly tasks: WelfareTasks | null;
  /** Null where they could not be loaded; so with gold. */
  readonly coupons: readonly WelfareCoupon[] | null;
  readonly gold: readonly Bonus[] | null;
  /** Titles by slug. */
  readonly courses: Readonly<Record<string, string>>;
  readonly nowMs: number;
  /** The spring cards, which are a feature of their own. */
  readonly spring: ReactNode;
}

export function RewardsPage({ tasks, coupons, gold, courses, nowMs, spring }: RewardsPageProps) {
  const text = useRewardsText();
  const { revalidate } = useRevalidator();
  useChanges(tasks, () => void revalidate());
  if (tasks === null) {
    return (
      <AccountFrame title={text("title")}>
        <FailedLine />
      </AccountFrame>
    );
  }
  return (
    <AccountFrame title={text("title")} lead={text("lead")} aside={<Rules />}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Strip tasks={tasks} coupons={coupons ?? []} gold={gold ?? []} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-stretch gap-4 xl:grid-cols-[minmax(0,1fr)_366px]">
          <TasksCard tasks={tasks.tasks} courses={courses} onChanged={() => void revalidate()} />
          <GoldCard gold={gold} />
        </div>
        <CouponsCard coupons={coupons} nowMs={nowMs} />
        {spring}
      </div>
    </AccountFrame>
  );
}

/** The server publishes changes of the user's rewards; the shown data is then fetched anew. */
function useChanges(served: WelfareTasks | null, onChange: () => void): void {
  const hub = useContext(LiveContext);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one subscription for as long as the page is open
  useEffect(() => {
    if (hub === undefined) return;
    let isFirst = true;
    return hub.socket.subscribe({
      topic: { channel: REWARDS_CHANNEL },
      onMessage: ({ data }) => {
        // The first one is what the page was served with, unless something happened before it listened.
        if (!isFirst || stateOf(data as WelfareTasks) !== stateOf(served)) onChange();
        isFirst = false;
      },
    });
  }, [hub]);
}

const stateOf = (tasks: WelfareTasks | null): string =>
  (tasks?.tasks ?? []).map(({ taskId, state, progress }) => `${taskId} ${state} ${progress}`).join();

interface StripProps {
  readonly tasks: WelfareTasks;
  readonly coupons: readonly WelfareCoupon[];
  readonly gold: readonly Bonus[];
}

function Strip({ tasks, coupons, gold }: StripProps) {
  const text = useRewardsText();
  const usable = coupons.filter(({ state }) => state === "USABLE");
  const active = gold.filter(({ state }) => state === "ACTIVE");
  const { toClaim, claimed } = tasks;
  const [first] = usable;
  const figures: readonly (readonly [string, ReactNode, string])[] = [
    [text("stat.toClaim"), toClaim.count, text("stat.value", { amount: money(toClaim.value) })],
    [
      text("stat.gold"),
      <Usdt key="gold" amount={sumLeft(active, "USDT")} />,
      text("stat.goldActive", { count: active.length }),
    ],
    [
      text("stat.coupons"),
      usable.length,
      first === undefined ? text("stat.noCoupons") : text("stat.ends", { day: formatShortDay(first.expiresAtMs) }),
    ],
    [
      text("stat.claimed"),
      <Usdt key="claimed" amount={claimed.value} />,
      claimed.sinceMs === null ? text("stat.never") : text("stat.since", { day: formatDay(claimed.sinceMs) }),
    ],
  ];
  return (
    <dl className="grid grid-cols-2 overflow-hidden rounded-card border border-line bg-surface lg:grid-cols-4">
      {figures.map(([label, figure, note], index) => (
        <div
          key={label}
          className={`px-6 py-4 max-lg:nth-[n+3]:border-line max-lg:nth-[n+3]:border-t ${index % 2 === 1 ? "border-line border-l" : index > 0 ? "border-line lg:border-l" : ""}`}
        >
          <dt className="text-label text-muted">{label}</dt>
          <dd className="figures font-semibold text-[20px] text-text leading-7">{figure}</dd>
          <dd className="figures text-label text-muted">{note}</dd>
        </div>
      ))}
    </dl>
  );
}

function Usdt({ amount }: { readonly amount: string }) {
  return (
    <>
      {money(amount)} <span className="font-normal text-muted text-ui">USDT</span>
    </>
  );
}
