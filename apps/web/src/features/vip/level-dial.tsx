// The level as a ring of ticks, as many of them dark as there are levels reached. Described as text for screen readers.
import { useProgrammeText } from "#words/programme-text.ts";

const TICKS = 40;
const CENTRE = 60;
const OUTER = 58;

export function LevelGauge({ level, max }: { readonly level: number; readonly max: number }) {
  const text = useProgrammeText();
  const dark = Math.round((level / max) * TICKS);
  return (
    <div className="relative mx-auto flex size-[124px] shrink-0 items-center justify-center self-center">
      <svg viewBox="0 0 120 120" className="absolute inset-0" aria-hidden="true">
        {Array.from({ length: TICKS }, (_, at) => {
          const angle = (at / TICKS) * 2 * Math.PI - Math.PI / 2;
          const inner = at % 5 === 0 ? OUTER - 10 : OUTER - 6;
          const point = (radius: number) =>
            `${(CENTRE + radius * Math.cos(angle)).toFixed(2)} ${(CENTRE + radius * Math.sin(angle)).toFixed(2)}`;
          return (
            <path
              // biome-ignore lint/suspicious/noArrayIndexKey: a tick is its place
              key={at}
              d={`M${point(inner)}L${point(OUTER)}`}
              strokeWidth={1.5}
              className={at <= dark && level > 0 ? "stroke-text" : "stroke-line-strong"}
            />
          );
        })}
      </svg>
      <p className="figures flex flex-col items-center">
        <span className="text-label text-muted">{text("vip.word")}</span>
        <span className="font-semibold text-[40px] leading-11">{level}</span>
        <span className="text-label text-muted">{text("vip.of", { max })}</span>
      </p>
    </div>
  );
}
