// What narrows and orders the ranking: sorting, how deep a bot may have fallen, and a pair.
import { Select } from "@clockwork/ui/select";
import { TextField } from "@clockwork/ui/text-field";
import { useGridText } from "./grid-text.ts";
import { DRAWDOWNS, RANK_SORTS, type RankChoice } from "./model/rank-model.ts";

export interface RankToolsProps {
  readonly choice: RankChoice;
  readonly onChange: (part: Partial<RankChoice>) => void;
}

const LABELS = {
  apr: "label.apr7",
  profit: "label.profit7",
  drawdown: "label.drawdown",
  age: "label.age",
  usedBy: "label.usedBy",
} as const;

export function RankTools({ choice, onChange }: RankToolsProps) {
  const text = useGridText();
  return (
    <div className="ml-auto flex flex-wrap items-end gap-3 max-md:ml-0 max-md:w-full">
      <Select
        label={text("ranking.sort")}
        className="w-40"
        options={RANK_SORTS.map((id) => ({ id, title: text(LABELS[id]) }))}
        value={choice.sort}
        onChange={(sort) => onChange({ sort: sort as RankChoice["sort"] })}
      />
      <Select
        label={text("label.drawdown")}
        className="w-36"
        options={DRAWDOWNS.map((id) => ({
          id,
          title: id === "0" ? text("ranking.anyDrawdown") : text("ranking.drawdown", { percent: id }),
        }))}
        value={choice.drawdown}
        onChange={(drawdown) => onChange({ drawdown: drawdown as RankChoice["drawdown"] })}
      />
      <TextField
        label={text("label.pair")}
        className="w-40"
        value={choice.pair}
        placeholder={text("ranking.search")}
        autoComplete="off"
        onChange={(pair) => onChange({ pair })}
      />
    </div>
  );
}
