// Four short lists of the day: who rose, who fell, what was traded most, what is newest.
import { Card } from "@clockwork/ui/card";
import { ChangeText, LastPrice, PairLink, PairName } from "./market-parts.tsx";
import { changeOf, type MarketRow, moveOf, sortRows } from "./market-rows.ts";
import { useMarketsText } from "./markets-text.ts";

const LENGTH = 8;

export function RankingCards({ rows }: { readonly rows: readonly MarketRow[] }) {
  const text = useMarketsText();
  const quoted = rows.filter((row) => row.quotation !== undefined);
  // On a day when everything rises nothing is a loser.
  const moved = (move: 1 | -1) => quoted.filter((row) => moveOf(changeOf(row, "day")) === move);
  const lists = {
    rise: sortRows(moved(1), { by: "change", isDown: true }),
    fall: sortRows(moved(-1), { by: "change", isDown: false }),
    turnover: sortRows(quoted, { by: "turnover", isDown: true }),
    newest: [...rows].sort((left, right) => right.pair.listedAtMs - left.pair.listedAtMs),
  };
  return (
    <div className="mt-4 grid gap-4 md:grid-cols-2 xl:grid-cols-4">
      {(["rise", "fall", "turnover", "newest"] as const).map((name) => (
        <Card key={name} title={text(`rank.${name}`)} flush>
          {lists[name].length === 0 && <p className="px-6 pb-4 text-muted">{text("rank.none")}</p>}
          <ol className="pb-2">
            {lists[name].slice(0, LENGTH).map((row, index) => (
              <li key={row.pair.pairCode}>
                <PairLink row={row} className="flex h-11 items-center gap-3 px-6 text-ui hover:bg-hover">
                  <span className="figures w-4 text-label text-muted">{index + 1}</span>
                  <PairName row={row} size={20} />
                  <LastPrice row={row} className="ml-auto" />
                  <ChangeText row={row} className="w-[68px] text-right" />
                </PairLink>
              </li>
            ))}
          </ol>
        </Card>
      ))}
    </div>
  );
}
