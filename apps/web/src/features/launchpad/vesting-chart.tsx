// How bought coins become free: a part at the listing, the rest in equal days, with today marked.
import type { LaunchProject } from "@clockwork/earning/launchpad/contract";
import { formatDate } from "@clockwork/kit/time";
import { useEarnText } from "#words/earn-text.ts";

const WIDTH = 320;
const HEIGHT = 96;
const DAY_MS = 86_400_000;

export function VestingChart({ project, nowMs }: { readonly project: LaunchProject; readonly nowMs: number }) {
  const text = useEarnText();
  const { vestFirstPercent: first, vestDays: days, listingAtMs } = project;
  const span = Math.max(1, days);
  const x = (day: number): number => (Math.min(span, Math.max(0, day)) / span) * WIDTH;
  const y = (percent: number): number => HEIGHT - (percent / 100) * HEIGHT;
  const today = (nowMs - listingAtMs) / DAY_MS;
  if (days === 0) {
    return <p className="text-muted text-ui">{`${text("launch.vestingAll")} ${formatDate(listingAtMs)}`}</p>;
  }
  const line = `M0 ${y(first)} L${WIDTH} ${y(100)}`;
  const note = text("launch.vestingNote", { first, days });
  return (
    <figure>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className="w-full text-text" role="img" aria-label={note}>
        <path d={`${line} V${HEIGHT} H0 Z`} className="fill-active" />
        <path d={line} fill="none" stroke="currentColor" strokeWidth={2} />
        {today < 0 ? null : (
          <line x1={x(today)} x2={x(today)} y1={0} y2={HEIGHT} className="stroke-brass" strokeDasharray="3 3" />
        )}
      </svg>
      <p className="figures mt-1 flex justify-between text-label text-muted">
        <span>{formatDate(listingAtMs)}</span>
        <span>{formatDate(listingAtMs + days * DAY_MS)}</span>
      </p>
      <figcaption className="mt-2 text-label text-muted">{note}</figcaption>
    </figure>
  );
}
