// The matched pairs of a bot: the newest as rows, all of them as CSV.

import type { TimezoneName } from "@clockwork/kit/constants";
import { formatDecimal } from "@clockwork/kit/format";
import { formatDateTime } from "@clockwork/kit/time";
import { type BotDetail, bizOf, GRID_CALLS, type PairList } from "@clockwork/strategies/grid/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { EmptyState } from "@clockwork/ui/state";
import { showToast } from "@clockwork/ui/toast";
import { useEffect, useState } from "react";
import { Latest } from "#live/latest.ts";
import { useCalls } from "#session/auth-context.ts";
import { nameZone, useZone } from "#session/zone.ts";
import { Minute } from "#shell/moment.tsx";
import { saveSheet } from "#trade/orders/orders-export.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { Signed } from "./figures.tsx";
import { useGridText } from "./grid-text.ts";

type Pair = PairList["pairs"][number];

const PAGE = 500;

/** Page by page from the newest; nothing when one could not be fetched, which has been shown. */
async function readAll(
  read: (before: number | undefined) => Promise<readonly Pair[] | undefined>,
): Promise<readonly Pair[] | undefined> {
  const all: Pair[] = [];
  for (;;) {
    const page = await read(all.at(-1)?.number);
    if (page === undefined) return undefined;
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

const cellsOf = (
  { number, timeMs, boughtAt, soldAt, quantity, gross, fees, net }: Pair,
  zone: TimezoneName,
): string[] => [String(number), formatDateTime(timeMs, zone), boughtAt, soldAt, quantity, gross, fees, net];

const PAIR_HEADS = ["time", "bought", "sold", "quantity", "gross", "fees", "net"] as const;

export function Pairs({ bot, first }: { readonly bot: BotDetail; readonly first: PairList["pairs"] }) {
  const text = useGridText();
  const zone = useZone();
  const words = useAuthText();
  const calls = useCalls();
  const [pairs, setPairs] = useState(first);
  const [latest] = useState(() => new Latest());
  useEffect(() => {
    if (bot.pairs === (first[0]?.number ?? 0)) return;
    latest
      .ask(async () => (await calls()).call(GRID_CALLS[bizOf(bot.kind)].pairs, { id: bot.id }))
      .then((answer) => {
        if (answer?.ok === true) setPairs(answer.data.pairs);
      })
      .catch(() => undefined);
  }, [calls, latest, bot, first]);
  const save = async (): Promise<void> => {
    const client = await calls();
    const rows = await readAll(async (before) => {
      const answer = await client.call(GRID_CALLS[bizOf(bot.kind)].pairs, { id: bot.id, limit: PAGE, before });
      if (answer.ok) return answer.data.pairs;
      showToast({ title: describeFailure(words, answer), tone: "danger" });
      return undefined;
    });
    if (rows === undefined) return;
    const head = ["number", ...PAIR_HEADS.map((name) => text(`pairs.${name}`, { zone: nameZone(zone) }))];
    await saveSheet(`bot-${bot.id}-pairs`, { head, rows: rows.map((row) => cellsOf(row, zone)) });
  };
  return (
    <Card
      title={text("label.matched")}
      className="overflow-x-auto"
      aside={
        <Button size={28} icon="download" isDisabled={pairs.length === 0} onPress={() => void save()}>
          {text("detail.csv")}
        </Button>
      }
    >
      {pairs.length === 0 ? (
        <EmptyState text={text("detail.noPairs")} />
      ) : (
        <table className="w-full text-label">
          <thead>
            <tr className="text-muted">
              {PAIR_HEADS.map((head, i) => (
                <th key={head} scope="col" className={`py-2 font-normal ${i === 0 ? "text-left" : "text-right"}`}>
                  {text(`pairs.${head}`, { zone: nameZone(zone) })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="figures">
            {pairs.map((pair) => (
              <tr key={pair.number} className="border-line border-t">
                <td className="py-2 text-muted">
                  <Minute at={pair.timeMs} />
                </td>
                <td className="text-right">{pair.boughtAt}</td>
                <td className="text-right">{pair.soldAt}</td>
                <td className="text-right text-muted">{pair.quantity}</td>
                <td className="text-right">{formatDecimal(pair.gross, { decimals: 4 })}</td>
                <td className="text-right text-muted">{formatDecimal(pair.fees, { decimals: 4 })}</td>
                <td className="text-right">
                  <Signed amount={pair.net} decimals={4} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="mt-2 text-label text-muted">{text("detail.pairsNote")}</p>
    </Card>
  );
}
