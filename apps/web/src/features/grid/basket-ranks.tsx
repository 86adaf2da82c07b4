// All users' baskets by last week's result, and the chosen one with its clone.

import { formatDecimal, formatPercent } from "@clockwork/kit/format";
import { DAY_MS } from "@clockwork/kit/time";
import type { RankedBasket } from "@clockwork/strategies/rebalance/contract";
import { Sparkline } from "@clockwork/ui/sparkline";
import { SiteLink } from "#boot/site-link.tsx";
import { nameOf, ruleText } from "./basket-text.ts";
import { CloneForm } from "./clone-form.tsx";
import { Fact, Signed } from "./figures.tsx";
import { useGridText } from "./grid-text.ts";
import { sourceOfBasket } from "./model/clone-source.ts";
import { RankTable } from "./rank-table.tsx";

export interface BasketRanksProps {
  readonly bots: readonly RankedBasket[];
  readonly chosen: number | undefined;
  readonly onChoose: (id: number) => void;
}

const HEADS = [
  "basket.week",
  "basket.weekProfit",
  "label.invested",
  "label.week",
  "basket.change",
  "basket.rounds",
  "label.drawdown",
  "label.age",
  "label.usedBy",
] as const;

export function BasketRanks({ bots, chosen, onChoose }: BasketRanksProps) {
  const text = useGridText();
  const lines = bots.map((bot) => ({
    id: bot.id,
    rank: bot.rank,
    coins: bot.coins.map(({ coin }) => coin),
    name: nameOf(bot),
    note: ruleText(text, bot),
    isYours: bot.isYours,
    isSimulated: bot.isSimulated,
    cells: [
      <span key="week" className="font-semibold">
        {bot.rank === 0 ? "–" : formatPercent(bot.week, { decimals: 2 })}
      </span>,
      <Signed key="profit" amount={bot.weekProfit} />,
      formatDecimal(bot.invested, { decimals: 0, grouped: true }),
      <Sparkline key="spark" values={bot.spark} width={72} height={20} className="inline-block" />,
      formatPercent(bot.change, { decimals: 2 }),
      bot.rounds,
      formatPercent(bot.drawdown, { decimals: 2 }),
      `${Math.floor(bot.ageMs / DAY_MS)} d`,
      bot.usedBy,
    ],
  }));
  return (
    <RankTable
      first={text("basket.name")}
      heads={HEADS.map((head) => text(head))}
      lines={lines}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}

export function BasketClone({ bot, isSignedIn }: { readonly bot: RankedBasket; readonly isSignedIn: boolean }) {
  const text = useGridText();
  return (
    <div className="flex flex-col gap-3">
      <h2 className="font-semibold text-ui">{nameOf(bot)}</h2>
      <dl>
        <Fact label={text("basket.rule")}>{ruleText(text, bot)}</Fact>
        <Fact label={text("basket.week")}>{formatPercent(bot.week, { decimals: 2 })}</Fact>
        <Fact label={text("label.drawdown")}>{formatPercent(bot.drawdown, { decimals: 2 })}</Fact>
      </dl>
      <CloneForm source={sourceOfBasket(bot)} isSignedIn={isSignedIn} />
      <SiteLink to={`/grid/basket/${bot.id}`} className="text-label underline underline-offset-2">
        {text("basket.page")}
      </SiteLink>
    </div>
  );
}
