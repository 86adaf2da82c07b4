// How copies of a leader came out: slippage as a picture of how often which, and skips by reason.
import type { LeaderDetail } from "@clockwork/strategies/copy/contract";
import { Card } from "@clockwork/ui/card";
import { percent } from "./copy-figures.ts";
import { describeCode, useCopyText } from "./copy-text.ts";

const HEIGHT = 72;

export function Quality({ leader: { quality } }: { readonly leader: LeaderDetail }) {
  const text = useCopyText();
  const figure = (label: string, value: string | null, unit: string) => (
    <div>
      <p className="text-label text-muted">{label}</p>
      <p className="figures font-semibold text-[18px]">
        {value?.replace("-", "−") ?? "–"}{" "}
        <span className="font-normal text-[13px] text-muted">{value === null ? "" : unit}</span>
      </p>
    </div>
  );
  return (
    <Card title={text("quality")}>
      <p className="mb-3 text-[13px] text-muted">{text("quality.note")}</p>
      <div className="grid grid-cols-3 items-end gap-2">
        {figure(text("quality.median"), quality.medianSlippageBps, text("bps"))}
        {figure(text("quality.high"), quality.highSlippageBps, text("bps"))}
        {figure(text("quality.skips"), percent(quality.skipRate), "")}
      </div>
      {quality.medianSlippageBps !== null && <Histogram quality={quality} median={quality.medianSlippageBps} />}
      <p className="mt-2 flex flex-wrap justify-between gap-x-3 text-label text-muted">
        <span>{text("quality.axis")}</span>
        <span>{text("quality.copies", { count: quality.copies })}</span>
      </p>
      <ul className="mt-3 text-[13px]">
        {quality.reasons.map(({ reason, count }) => (
          <li key={reason} className="flex justify-between gap-3 py-0.5">
            <span className="text-muted">
              {text("quality.skipped", { reason: describeCode(text, "reason", reason) })}
            </span>
            <span className="figures">{count}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface HistogramProps {
  readonly quality: LeaderDetail["quality"];
  readonly median: string;
}

/** One bar for each whole basis point; the one the median falls into is darker. */
function Histogram({ quality: { histogram }, median }: HistogramProps) {
  const text = useCopyText();
  const most = Math.max(1, ...histogram);
  const last = histogram.length - 1;
  const middle = Math.max(0, Math.min(last, Math.floor(Number(median))));
  const bins = histogram.map((count, bin) => {
    const name = bin === last ? `${bin}+` : String(bin);
    return { name, count, isMiddle: bin === middle, words: text("quality.bin", { bps: name, count }) };
  });
  const words = bins.map((bin) => bin.words).join(", ");
  return (
    <div role="img" aria-label={`${text("quality.axis")}: ${words}`} className="mt-4 flex items-end gap-1">
      {bins.map(({ name, count, isMiddle, words: reply }) => (
        <div key={name} className="flex min-w-0 flex-1 flex-col items-center gap-1" title={reply}>
          <span
            className={`w-full rounded-t-[2px] bg-accent ${isMiddle ? "" : "opacity-40"}`}
            style={{ height: count === 0 ? 1 : Math.max(2, Math.round((count / most) * HEIGHT)) }}
          />
          <span className="figures text-axis text-muted">{name}</span>
        </div>
      ))}
    </div>
  );
}
