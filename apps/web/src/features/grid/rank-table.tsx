// A ranking as a table: place, name, figures to the right; clicking a row chooses it. The unranked have no place.
import { CoinGlyph } from "@clockwork/ui/coin-glyph";
import { Badge } from "@clockwork/ui/pill";
import type { ReactNode } from "react";
import { FigureTable } from "./figure-table.tsx";
import { useGridText } from "./grid-text.ts";

export interface RankLine {
  readonly id: number;
  /** 0 while it is not ranked. */
  readonly rank: number;
  /** The coins whose icons precede the name. */
  readonly coins: readonly string[];
  readonly name: string;
  readonly note: ReactNode;
  readonly isYours: boolean;
  readonly isSimulated: boolean;
  /** As many as there are heads. */
  readonly cells: readonly ReactNode[];
}

export interface RankTableProps {
  readonly first: string;
  readonly heads: readonly string[];
  readonly lines: readonly RankLine[];
  readonly chosen: number | undefined;
  readonly onChoose: (id: number) => void;
}

export function RankTable({ first, heads, lines, chosen, onChoose }: RankTableProps) {
  const rows = lines.map((line) => ({
    id: line.id,
    isChosen: line.id === chosen,
    lead: [
      <span key="place" className="figures">
        {line.rank === 0 ? "–" : line.rank}
      </span>,
      <Named key="name" line={line} isChosen={line.id === chosen} onChoose={onChoose} />,
    ],
    cells: line.cells,
  }));
  return <FigureTable lead={["#", first]} heads={heads} rows={rows} rowClass="relative h-14 hover:bg-hover" />;
}

interface NamedProps extends Pick<RankTableProps, "onChoose"> {
  readonly line: RankLine;
  readonly isChosen: boolean;
}

function Named({ line, isChosen, onChoose }: NamedProps) {
  const text = useGridText();
  return (
    <span className="inline-flex items-center gap-2">
      <Glyphs coins={line.coins} />
      <span>
        <button
          type="button"
          aria-pressed={isChosen}
          className="text-left font-medium after:absolute after:inset-0"
          onClick={() => onChoose(line.id)}
        >
          {line.name}
        </button>{" "}
        {line.isYours && <Badge>{text("ranking.yours")}</Badge>}
        {line.isSimulated && <Badge tone="warn">{text("ranking.simulated")}</Badge>}
        <span className="block text-label text-muted">
          {line.note}
          {line.rank === 0 && ` · ${text("ranking.young")}`}
        </span>
      </span>
    </span>
  );
}

const SHOWN_GLYPHS = 3;

/** Icons that overlap a little. */
export function Glyphs({ coins, size = 24 }: { readonly coins: readonly string[]; readonly size?: number }) {
  return (
    <span className="inline-flex shrink-0">
      {coins.slice(0, SHOWN_GLYPHS).map((code, i) => (
        <CoinGlyph key={code} code={code} size={size} className={i === 0 ? "" : "-ml-2"} />
      ))}
    </span>
  );
}
