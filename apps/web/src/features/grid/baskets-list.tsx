// Rebalancing bots as rows.

import { formatDecimal, formatPercent } from "@clockwork/kit/format";
import type { Rebalancer } from "@clockwork/strategies/rebalance/contract";
import { nameOf, ruleText } from "./basket-text.ts";
import { BotTable } from "./bot-table.tsx";
import { Signed } from "./figures.tsx";
import { useGridText } from "./grid-text.ts";

const HEADS = [
  "basket.rule",
  "label.invested",
  "basket.value",
  "label.total",
  "basket.change",
  "basket.rounds",
] as const;

export function BasketRows({ bots }: { readonly bots: readonly Rebalancer[] }) {
  const text = useGridText();
  const money = (amount: string): string => formatDecimal(amount, { decimals: 2, grouped: true });
  const lines = bots.map((bot) => ({
    id: bot.id,
    to: `/grid/basket/${bot.id}`,
    name: nameOf(bot),
    status: bot.status,
    reason: "none",
    cells: [
      ruleText(text, bot),
      money(bot.invested),
      money(bot.value),
      <Signed key="total" amount={bot.total} />,
      formatPercent(bot.change, { decimals: 2 }),
      bot.rounds,
    ],
  }));
  return <BotTable first={text("basket.name")} heads={HEADS.map((head) => text(head))} lines={lines} />;
}
