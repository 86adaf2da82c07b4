// What a basket has done: its start, every round that traded, its end, newest first; older ones are read on.

import { formatDecimal } from "@clockwork/kit/format";
import { REBALANCE_CALLS, type RebalancerDetail, type RoundList } from "@clockwork/strategies/rebalance/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { useEffect, useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { Minute } from "#shell/moment.tsx";
import { keyOf, useGridText } from "./grid-text.ts";

type Round = RoundList["rounds"][number];

export const ROUNDS_SHOWN = 20;

/** Those of before with those just read, each once. */
function joined(...lists: readonly (readonly Round[])[]): readonly Round[] {
  const found = new Map(lists.flat().map((round) => [round.number, round]));
  return [...found.values()].sort((a, b) => b.number - a.number);
}

export function Rounds({ bot, first }: { readonly bot: RebalancerDetail; readonly first: readonly Round[] }) {
  const text = useGridText();
  const calls = useCalls();
  const [rounds, setRounds] = useState(first);
  const [isBusy, setBusy] = useState(false);
  const { id, rounds: count, status } = bot;
  const newest = rounds[0]?.number ?? 0;
  const read = async (before?: number): Promise<void> => {
    const answer = await (await calls()).call(REBALANCE_CALLS.rounds, { id, limit: ROUNDS_SHOWN, before });
    if (answer.ok) setRounds((now) => joined(now, answer.data.rounds));
  };
  const expected = status === "CLOSED" ? count + 1 : count;
  // biome-ignore lint/correctness/useExhaustiveDependencies: read is made again with every render
  useEffect(() => {
    if (expected > newest) read().catch(() => undefined);
  }, [expected, newest]);
  const oldest = rounds.at(-1)?.number ?? 0;
  const more = (): void => {
    setBusy(true);
    read(oldest)
      .catch(() => undefined)
      .finally(() => setBusy(false));
  };
  return (
    <Card title={text("basket.rounds")}>
      <ol className="flex flex-col">
        {rounds.map((round) => (
          <RoundLine key={round.number} round={round} quote={bot.quote} />
        ))}
      </ol>
      {oldest > 0 && (
        <Button className="mt-3" size={32} busy={isBusy} onPress={more}>
          {text("basket.older")}
        </Button>
      )}
    </Card>
  );
}

function RoundLine({ round, quote }: { readonly round: Round; readonly quote: string }) {
  const text = useGridText();
  const money = (amount: string): string => `${formatDecimal(amount, { decimals: 2, grouped: true })} ${quote}`;
  const title = round.change === "rebalanced" ? text(keyOf("cause", round.cause)) : text(keyOf("change", round.change));
  return (
    <li className="grid gap-x-4 gap-y-1 border-line border-t py-3 text-ui first:border-t-0 md:grid-cols-[132px_minmax(0,1fr)_auto]">
      <time className="figures text-label text-muted">
        <Minute at={round.timeMs} />
      </time>
      <div className="min-w-0">
        <p className="font-medium">
          {round.change === "rebalanced" && <span className="figures text-muted">{round.number}. </span>}
          {title}
        </p>
        <ul className="figures text-label text-muted">
          {round.legs.map(({ coin, side, quantity, price }) => (
            <li key={coin}>
              <span className={side === "buy" ? "text-up-text" : "text-down-text"}>{text(`basket.${side}`)}</span>{" "}
              {quantity} {coin}, {price}
            </li>
          ))}
        </ul>
      </div>
      <dl className="text-label md:text-right">
        <div>
          <dt className="inline text-muted">{text("basket.value")} </dt>
          <dd className="figures inline">{money(round.value)}</dd>
        </div>
        {round.fee !== "0" && (
          <div>
            <dt className="inline text-muted">{text("pairs.fees")} </dt>
            <dd className="figures inline">
              {formatDecimal(round.fee, { decimals: 4 })} {quote}
            </dd>
          </div>
        )}
      </dl>
    </li>
  );
}
