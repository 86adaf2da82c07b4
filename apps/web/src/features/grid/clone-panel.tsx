// The chosen bot of the ranking: its plan at the current price, the minimum, its back-test on the create page, and the
// clone.

import { formatPercent } from "@clockwork/kit/format";
import { type BotDetail, bizOf, GRID_CALLS, type RankedBot } from "@clockwork/strategies/grid/contract";
import { useEffect, useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { useCalls } from "#session/auth-context.ts";
import { CloneForm } from "./clone-form.tsx";
import { Fact, rangeOf } from "./figures.tsx";
import { keyOf, useGridText } from "./grid-text.ts";
import { sourceOfBot } from "./model/clone-source.ts";
import { draftQuery } from "./model/draft-query.ts";
import { groupedPrice } from "./model/grouped-price.ts";
import { Glyphs } from "./rank-table.tsx";

/** Undefined until it is there. */
function useDetail({ id, kind }: RankedBot): BotDetail | undefined {
  const calls = useCalls();
  const [detail, setDetail] = useState<BotDetail>();
  useEffect(() => {
    let isThere = true;
    calls()
      .then((client) => client.call(GRID_CALLS[bizOf(kind)].detail, { id }))
      .then((answer) => {
        if (isThere && answer.ok) setDetail(answer.data);
      })
      .catch(() => undefined);
    return () => {
      isThere = false;
    };
  }, [calls, id, kind]);
  return detail;
}

export function ClonePanel({ bot, isSignedIn }: { readonly bot: RankedBot; readonly isSignedIn: boolean }) {
  const text = useGridText();
  const detail = useDetail(bot);
  const biz = bizOf(bot.kind);
  return (
    <div className="flex flex-col gap-3">
      <header className="flex items-center gap-3">
        <Glyphs coins={[bot.pairCode.split("_")[0] ?? ""]} size={32} />
        <div>
          <h2 className="font-semibold text-ui">{bot.pairCode.replace("_", "/")}</h2>
          <p className="text-label text-muted">
            {text(keyOf("kind", bot.kind))}
            {bot.rank > 0 && ` · ${text("ranking.rank", { rank: bot.rank })}`}
          </p>
        </div>
      </header>
      <dl>
        <Fact label={text("label.range")}>{rangeOf(bot)}</Fact>
        <Fact label={text("label.grids")}>
          {bot.count}, {text(keyOf("spacing", bot.spacing))}
        </Fact>
        <Fact label={text("label.price")}>{detail === undefined ? "–" : groupedPrice(detail.lastPrice)}</Fact>
        <Fact label={text("ranking.begins")}>{detail === undefined ? "–" : beginsWith(text, detail)}</Fact>
        <Fact label={text("ranking.leastCell")}>
          {detail === undefined ? "–" : formatPercent(detail.profitMin, { decimals: 3 })}
        </Fact>
        <Fact label={text("label.drawdown")}>{formatPercent(bot.drawdown, { decimals: 2 })}</Fact>
      </dl>
      <CloneForm source={sourceOfBot(bot)} isSignedIn={isSignedIn} least={detail?.least} />
      <div className="flex gap-4 text-label">
        <SiteLink to={`/grid/${biz}?${draftQuery(bot)}`} className="underline underline-offset-2">
          {text("ranking.test")}
        </SiteLink>
        <SiteLink to={`/grid/bot/${bot.id}`} className="underline underline-offset-2">
          {text("detail.curve")}
        </SiteLink>
      </div>
    </div>
  );
}

/** Orders of its first moment, by the line that would remain empty; none outside of the range. */
function beginsWith(text: ReturnType<typeof useGridText>, { lines, lastPrice }: BotDetail): string {
  const last = Number(lastPrice);
  const gap = lines.findLastIndex((line) => Number(line) <= last);
  if (gap < 0 || last > Number(lines.at(-1))) return text("ranking.outside");
  return text("label.ordersValue", { buys: gap, sells: lines.length - 1 - gap });
}
