// One bot: total, grid and float always together, the price with its lines and pairs, the curve, matched pairs, the
// result of stopping now, and its owner's actions.

import { formatDecimal, formatPercent } from "@clockwork/kit/format";
import { readPriceTicks } from "@clockwork/kit/instrument";
import { type BotDetail, bizOf, GRID_CALLS, type PairList } from "@clockwork/strategies/grid/contract";
import type { Candle } from "@clockwork/trading/markets/contract";
import { Card } from "@clockwork/ui/card";
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Badge } from "@clockwork/ui/pill";
import { useMemo } from "react";
import { latePart } from "#boot/late-part.tsx";
import { Minute } from "#shell/moment.tsx";
import { useBots } from "./bots-list.tsx";
import { exitText, Fact, ProfitCurve, rangeOf, Signed, StatusPill } from "./figures.tsx";
import { GridChart } from "./grid-chart.tsx";
import { keyOf, useGridText } from "./grid-text.ts";
import { sourceOfBot } from "./model/clone-source.ts";
import { type GridPair, readCandles, termsOf } from "./model/grid-model.ts";
import { groupedPrice } from "./model/grouped-price.ts";
import { Orders } from "./orders-card.tsx";
import { ageText, Crumbs, FigureStrip, IfStopped } from "./page-parts.tsx";
import { Pairs } from "./pairs-card.tsx";
import { useReread } from "./use-reread.ts";

const Clone = latePart(async () => (await import("./clone-dialog.tsx")).CloneDialog);
const BotActions = latePart(async () => (await import("./bot-actions.tsx")).BotActions);

export interface DetailData {
  readonly bot: BotDetail;
  readonly pair: GridPair | null;
  readonly candles: readonly Candle[];
  readonly pairs: PairList["pairs"];
  readonly isSignedIn: boolean;
}

const SHOWN_MARKS = 26;
/** Its figures move with the price between the stream's messages. */
const POLL_MS = 10_000;

export function DetailPage({ data }: { readonly data: DetailData }) {
  const text = useGridText();
  const biz = bizOf(data.bot.kind);
  const answer = useBots(biz)?.find(({ id }) => id === data.bot.id);
  const mark = answer === undefined ? "" : `${answer.pairs}:${answer.status}`;
  const { bot, reload } = useReread(data.bot, GRID_CALLS[biz].detail, mark, POLL_MS);
  const { pair } = data;
  return (
    <main id="content" className="mx-auto flex w-full max-w-[1440px] flex-col gap-4 px-8 py-7 max-md:px-4">
      <Crumbs here={`B-${bot.id}`} />
      <header className="flex flex-wrap items-center gap-3">
        <CoinGlyph code={bot.base} size={32} />
        <h1 className="text-section">
          {bot.pairCode.replace("_", "/")} {text(keyOf("kind", bot.kind))}
        </h1>
        <StatusPill bot={bot} />
        {bot.isSimulated && <Badge tone="warn">{text("ranking.simulated")}</Badge>}
        <div className="ml-auto flex flex-wrap gap-2">
          <Clone source={sourceOfBot(bot)} isSignedIn={data.isSignedIn} />
          {bot.isYours && <BotActions bot={bot} onChanged={reload} />}
        </div>
      </header>
      <Strip bot={bot} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_360px]">
        <div className="flex min-w-0 flex-col gap-4">
          {pair !== null && <PriceCard data={data} pair={pair} bot={bot} />}
          <Card title={text("detail.curve")}>
            <ProfitCurve
              label={text("detail.curve")}
              points={bot.curve.map(({ timeMs, total, grid }) => ({
                timeMs,
                total: Number(total),
                grid: Number(grid),
              }))}
            />
            <p className="mt-2 text-label text-muted">{text("detail.curveNote")}</p>
          </Card>
          <Pairs bot={bot} first={data.pairs} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Parameters bot={bot} />
          {bot.isYours && bot.status !== "CLOSED" && <Orders bot={bot} />}
          {bot.status !== "CLOSED" && <IfStopped bot={bot} />}
          <Log bot={bot} />
        </div>
      </div>
    </main>
  );
}

function Strip({ bot }: { readonly bot: BotDetail }) {
  const text = useGridText();
  const cells = [
    [text("label.total"), <Signed key="total" amount={bot.total} />],
    [text("label.grid"), <Signed key="grid" amount={bot.grid} />],
    [text("label.float"), <Signed key="float" amount={bot.float} />],
    [text("label.apr"), bot.apr === null ? "–" : formatPercent(bot.apr, { decimals: 2 })],
    [text("label.matched"), String(bot.pairs)],
    [text("label.running"), ageText((bot.curve.at(-1)?.timeMs ?? bot.updatedAtMs) - bot.createdAtMs)],
  ] as const;
  return <FigureStrip cells={cells} />;
}

function PriceCard({
  data,
  pair,
  bot,
}: {
  readonly data: DetailData;
  readonly pair: GridPair;
  readonly bot: BotDetail;
}) {
  const text = useGridText();
  const terms = useMemo(() => termsOf(pair), [pair]);
  const candles = useMemo(() => (terms === undefined ? [] : readCandles(data.candles, terms)), [data.candles, terms]);
  if (terms === undefined) return null;
  const { instrument } = terms;
  const ticksOf = (price: string): number => readPriceTicks(instrument, price) ?? 0;
  const marks = data.pairs.slice(0, SHOWN_MARKS).flatMap(({ boughtAt, soldAt, earlierMs, timeMs, later }) => [
    { timeMs: later === "sell" ? earlierMs : timeMs, ticks: ticksOf(boughtAt), side: "buy" as const },
    { timeMs: later === "sell" ? timeMs : earlierMs, ticks: ticksOf(soldAt), side: "sell" as const },
  ]);
  const levels = ([["takeProfit", bot.takeProfit] as const, ["stopLoss", bot.stopLoss] as const] as const).flatMap(
    ([name, price]) => (price === null ? [] : [{ ticks: ticksOf(price), title: text(`label.${name}`) }]),
  );
  return (
    <Card title={text("create.chart")}>
      <GridChart
        candles={candles}
        lines={bot.lines.map(ticksOf)}
        lastTicks={ticksOf(bot.lastPrice)}
        instrument={instrument}
        levels={levels}
        marks={marks}
      />
    </Card>
  );
}

function Parameters({ bot }: { readonly bot: BotDetail }) {
  const text = useGridText();
  const rates = `${formatPercent(bot.profitMin, { decimals: 3 })} – ${formatPercent(bot.profitMax, { decimals: 3 })}`;
  return (
    <Card title={text("detail.parameters")}>
      <dl>
        <Fact label={text("label.range")}>{rangeOf(bot)}</Fact>
        <Fact label={text("label.grids")}>
          {bot.count}, {text(keyOf("spacing", bot.spacing))}
        </Fact>
        <Fact label={text("label.quantity")}>
          {bot.quantity} {bot.base}
        </Fact>
        <Fact label={text("label.cell")}>{rates}</Fact>
        <Fact label={text("label.investment")}>
          {groupedPrice(bot.invested)} {bot.quote}
        </Fact>
        {bizOf(bot.kind) === "futures" && <Fact label={text("label.leverage")}>{bot.leverage}×</Fact>}
        {(["long", "short"] as const).map(
          (side) =>
            bot.liquidations[side] !== null && (
              <Fact key={side} label={text(`label.liquidation.${side}`)}>
                {groupedPrice(bot.liquidations[side] ?? "")}
              </Fact>
            ),
        )}
        <Fact label={text("label.started")}>{groupedPrice(bot.startPrice)}</Fact>
        <Fact label={text("label.takeProfit")}>{bot.takeProfit ?? "–"}</Fact>
        <Fact label={text("label.stopLoss")}>{bot.stopLoss ?? "–"}</Fact>
        {bot.exitBps !== null && <Fact label={text("label.exit")}>{exitText(bot)}%</Fact>}
        <Fact label={text("label.holds")}>
          {bot.coinsHeld} {bot.base}
        </Fact>
        <Fact label={text("label.quote")}>
          {formatDecimal(bot.quoteHeld, { decimals: 2, grouped: true })} {bot.quote}
        </Fact>
        <Fact label={text("label.fees")}>
          {formatDecimal(bot.fees, { decimals: 4 })} {bot.quote}
        </Fact>
      </dl>
    </Card>
  );
}

function Log({ bot }: { readonly bot: BotDetail }) {
  const text = useGridText();
  return (
    <Card title={text("detail.log")}>
      <ol className="flex flex-col gap-2 text-label">
        {bot.log.map((line) => (
          <li key={`${line.timeMs}:${line.change}:${line.status}`} className="flex gap-3">
            <time className="figures shrink-0 text-muted">
              <Minute at={line.timeMs} />
            </time>
            <span>
              {text(keyOf("change", line.change))}
              {line.change === "range" ? `: ${text(keyOf("status", line.status))}` : ""}
              <span className="figures block text-muted">{groupedPrice(line.price)}</span>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
