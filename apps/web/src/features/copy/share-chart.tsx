// Realised profit of one follow against its high-water mark, as steps from settlement to settlement up to now. The part
// above the mark is the one the share applies to.
import type { Follow, ShareLine } from "@clockwork/strategies/copy/contract";
import { useZone } from "#session/zone.ts";
import { day, gain, money } from "./copy-figures.ts";
import { useCopyText } from "./copy-text.ts";

const [WIDTH, HEIGHT] = [600, 150];

interface Step {
  readonly timeMs: number;
  readonly realised: number;
  /** The mark after this settlement. */
  readonly mark: number;
  readonly paid: string;
}

export interface ShareChartProps {
  readonly follow: Follow;
  /** Newest first. */
  readonly shares: readonly ShareLine[];
}

function stepsOf({ follow, shares }: ShareChartProps): readonly Step[] {
  const settled = shares.toReversed().map((line) => ({
    timeMs: line.timeMs,
    realised: Number(line.realizedPnl),
    mark: Number(line.highWaterMark),
    paid: line.paid,
  }));
  const now = { timeMs: 0, realised: Number(follow.realizedPnl), mark: Number(follow.highWaterMark), paid: "" };
  return [{ timeMs: follow.followedAtMs, realised: 0, mark: 0, paid: "" }, ...settled, now];
}

export function ShareChart(props: ShareChartProps) {
  const text = useCopyText();
  const zone = useZone();
  const { follow } = props;
  const steps = stepsOf(props);
  const high = Math.max(1, ...steps.flatMap(({ realised, mark }) => [realised, mark]));
  const low = Math.min(0, ...steps.map(({ realised }) => realised));
  const across = (index: number): number => (index / (steps.length - 1)) * WIDTH;
  const up = (value: number): number => 4 + (1 - (value - low) / (high - low)) * (HEIGHT - 8);
  /** A value of each span between two settlements, as stairs. */
  const stairs = (spanValue: (span: number) => number): string =>
    steps.map((_, i) => (i === 0 ? `M0 ${up(0)}` : `V${up(spanValue(i))} H${across(i)}`)).join(" ");
  const realisedLine = stairs((span) => steps[span]?.realised ?? 0);
  // A settlement lifts the mark for the span behind it.
  const markLine = stairs((span) => steps[span - 1]?.mark ?? 0);
  const last = steps.length - 2;
  const markNow = up(Number(follow.highWaterMark));
  const realisedNow = up(Number(follow.realizedPnl));
  const words = text("mine.chart", { realised: gain(follow.realizedPnl), mark: money(follow.highWaterMark) });
  return (
    <figure>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-[150px] w-full overflow-visible"
        role="img"
        aria-label={words}
      >
        {realisedNow < markNow && (
          <rect
            x={across(last)}
            y={realisedNow}
            width={WIDTH - across(last)}
            height={markNow - realisedNow}
            className="fill-brass opacity-25"
          />
        )}
        <line x1={0} x2={WIDTH} y1={up(0)} y2={up(0)} className="stroke-line" vectorEffect="non-scaling-stroke" />
        {steps.map((step, i) =>
          step.paid === "" ? null : (
            <line
              key={step.timeMs}
              x1={across(i)}
              x2={across(i)}
              y1={0}
              y2={HEIGHT}
              className="stroke-line2"
              strokeDasharray="3 3"
              vectorEffect="non-scaling-stroke"
            >
              <title>{`${day(step.timeMs, zone)} ${text("mine.paidColumn")} ${money(step.paid)}`}</title>
            </line>
          ),
        )}
        <path
          d={markLine}
          fill="none"
          strokeDasharray="5 4"
          className="stroke-muted"
          vectorEffect="non-scaling-stroke"
        />
        <path d={realisedLine} fill="none" strokeWidth={2} className="stroke-text" vectorEffect="non-scaling-stroke" />
      </svg>
      <figcaption className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-label text-muted" aria-hidden="true">
        <span className="flex items-center gap-1.5">
          <span className="h-0.5 w-4 bg-text" /> {text("mine.realised")}
        </span>
        <span className="flex items-center gap-1.5">
          <span className="w-4 border-muted border-t border-dashed" /> {text("mine.markLine")}
        </span>
        <span className="flex items-center gap-1.5">
          <span className="size-2.5 bg-brass opacity-40" /> {text("mine.above")}
        </span>
      </figcaption>
    </figure>
  );
}
