// One rebalancing bot: its figures, what it holds against its weights, the curve, its rounds, and its end.

import { formatDecimal, formatPercent } from "@clockwork/kit/format";
import { formatMinute } from "@clockwork/kit/time";
import { REBALANCE_CALLS, type RebalancerDetail, type RoundList } from "@clockwork/strategies/rebalance/contract";
import { AreaCurve } from "@clockwork/ui/area-curve";
import { Card } from "@clockwork/ui/card";
import { Badge } from "@clockwork/ui/pill";
import { latePart } from "#boot/late-part.tsx";
import { nameOf, ruleText } from "./basket-text.ts";
import { Fact, Signed, StatusPill } from "./figures.tsx";
import { useGridText } from "./grid-text.ts";
import { Holdings } from "./holdings-card.tsx";
import { sourceOfBasket } from "./model/clone-source.ts";
import { ageText, Crumbs, FigureStrip, IfStopped } from "./page-parts.tsx";
import { useBaskets } from "./use-baskets.ts";
import { useReread } from "./use-reread.ts";

const Rounds = latePart(async () => (await import("./rounds-card.tsx")).Rounds);
const Clone = latePart(async () => (await import("./clone-dialog.tsx")).CloneDialog);
const StopBasket = latePart(async () => (await import("./stop-basket.tsx")).StopBasket);

export interface BasketPageData {
  readonly bot: RebalancerDetail;
  readonly rounds: RoundList["rounds"];
  readonly isSignedIn: boolean;
}

/** The interval at which the core checks a basket: its shares move with every price. */
const POLL_MS = 10_000;
const CURVE_MIN = 3;

const money = (amount: string): string => formatDecimal(amount, { decimals: 2, grouped: true });

export function BasketPage({ data }: { readonly data: BasketPageData }) {
  const text = useGridText();
  const answer = useBaskets()?.find(({ id }) => id === data.bot.id);
  const { bot, reload } = useReread(
    data.bot,
    REBALANCE_CALLS.detail,
    answer === undefined ? "" : String(answer.rounds),
    POLL_MS,
  );
  return (
    <main id="content" className="mx-auto flex w-full max-w-[1440px] flex-col gap-4 px-8 py-7 max-md:px-4">
      <Crumbs here={`R-${bot.id}`} />
      <header className="flex flex-wrap items-center gap-3">
        <h1 className="text-section">{nameOf(bot)}</h1>
        <StatusPill bot={{ status: bot.status, reason: "none" }} />
        {bot.isSimulated && <Badge tone="warn">{text("ranking.simulated")}</Badge>}
        <div className="ml-auto flex flex-wrap gap-2">
          <Clone source={sourceOfBasket(bot)} isSignedIn={data.isSignedIn} />
          {bot.isYours && bot.status === "RUNNING" && <StopBasket bot={bot} onChanged={reload} />}
        </div>
      </header>
      <Strip bot={bot} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_360px]">
        <div className="flex min-w-0 flex-col gap-4">
          <Holdings bot={bot} />
          <Curve bot={bot} />
          <Rounds bot={bot} first={data.rounds} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Parameters bot={bot} />
          {bot.status === "RUNNING" && <IfStopped bot={bot} />}
        </div>
      </div>
    </main>
  );
}

interface BotProps {
  readonly bot: RebalancerDetail;
}

function Strip({ bot }: BotProps) {
  const text = useGridText();
  const cells = [
    [text("label.total"), <Signed key="total" amount={bot.total} />],
    [text("basket.change"), formatPercent(bot.change, { decimals: 2 })],
    [text("basket.value"), money(bot.value)],
    [text("basket.rounds"), String(bot.rounds)],
    [text("label.fees"), formatDecimal(bot.fees, { decimals: 4 })],
    [text("label.running"), ageText((bot.curve.at(-1)?.timeMs ?? bot.updatedAtMs) - bot.createdAtMs)],
  ] as const;
  return <FigureStrip cells={cells} />;
}

function Curve({ bot }: BotProps) {
  const text = useGridText();
  if (bot.curve.length < CURVE_MIN) return null;
  return (
    <Card title={text("basket.curve")}>
      <AreaCurve
        label={text("basket.curve")}
        points={bot.curve.map(({ timeMs, total }) => ({
          value: Number(total),
          place: formatMinute(timeMs),
          text: `${money(total)} ${bot.quote}`,
        }))}
        axisText={(value) => money(value.toFixed(2))}
        placeCount={4}
      />
    </Card>
  );
}

function Parameters({ bot }: BotProps) {
  const text = useGridText();
  const isRunning = bot.status === "RUNNING";
  return (
    <Card title={text("detail.parameters")}>
      <dl>
        <Fact label={text("basket.rule")}>{ruleText(text, bot)}</Fact>
        <Fact label={text("label.investment")}>
          {money(bot.invested)} {bot.quote}
        </Fact>
        {isRunning && (
          <Fact label={text("basket.reserve")}>
            {money(bot.reserve)} {bot.quote}
          </Fact>
        )}
        <Fact label={text(isRunning ? "basket.since" : "basket.started")}>{formatMinute(bot.createdAtMs)}</Fact>
        {bot.nextAtMs !== null && <Fact label={text("basket.next")}>{formatMinute(bot.nextAtMs)}</Fact>}
        {!isRunning && <Fact label={text("basket.ended")}>{formatMinute(bot.updatedAtMs)}</Fact>}
      </dl>
      {isRunning && bot.thresholdBps !== null && <p className="mt-2 text-label text-muted">{text("basket.looks")}</p>}
    </Card>
  );
}
