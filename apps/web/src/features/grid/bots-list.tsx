// Grid bots as rows: the own page's list and the terminals' tab.

import { formatPercent } from "@clockwork/kit/format";
import { BOTS_CHANNEL, type Bot, type GridBiz } from "@clockwork/strategies/grid/contract";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { BotTable } from "./bot-table.tsx";
import { rangeOf, Signed } from "./figures.tsx";
import { keyOf, useGridText } from "./grid-text.ts";
import { useLiveBots } from "./live-bots.ts";
import { groupedPrice } from "./model/grouped-price.ts";

/** The caller's running bots as they change; undefined until the first word. */
export const useBots = (biz: GridBiz): readonly Bot[] | undefined => useLiveBots<Bot>(BOTS_CHANNEL, biz);

const HEADS = ["range", "grids", "invested", "total", "grid", "float", "apr", "pairs"] as const;

export function BotRows({ bots }: { readonly bots: readonly Bot[] }) {
  const text = useGridText();
  const lines = bots.map((bot) => ({
    id: bot.id,
    to: `/grid/bot/${bot.id}`,
    glyphs: <CoinGlyph code={bot.base} size={20} />,
    name: bot.pairCode.replace("_", "/"),
    aside: <span className="text-muted">{text(keyOf("kind", bot.kind))}</span>,
    status: bot.status,
    reason: bot.reason,
    cells: [
      rangeOf(bot),
      bot.count,
      groupedPrice(bot.invested),
      <Signed key="total" amount={bot.total} />,
      <Signed key="grid" amount={bot.grid} />,
      <Signed key="float" amount={bot.float} />,
      bot.apr === null ? "–" : formatPercent(bot.apr, { decimals: 2 }),
      bot.pairs,
    ],
  }));
  return <BotTable first={text("label.pair")} heads={HEADS.map((name) => text(`label.${name}`))} lines={lines} />;
}
