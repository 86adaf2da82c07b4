// How many layers protect the account, as a gauge of ticks. Neutral: protection is no price movement.
import { useAccountText } from "#words/account-text.ts";

const TICKS = 41;
const SWEEP_DEGREES = 260;

function tickLine(index: number): { x1: number; y1: number; x2: number; y2: number } {
  const degrees = -SWEEP_DEGREES / 2 + (index / (TICKS - 1)) * SWEEP_DEGREES;
  const angle = (degrees * Math.PI) / 180;
  const at = (radius: number) => ({
    x: Number((80 + radius * Math.sin(angle)).toFixed(1)),
    y: Number((80 - radius * Math.cos(angle)).toFixed(1)),
  });
  const [inner, outer] = [at(index % 10 === 0 ? 58 : 62), at(72)];
  return { x1: inner.x, y1: inner.y, x2: outer.x, y2: outer.y };
}

export function ProtectionGauge({ on, all }: { readonly on: number; readonly all: number }) {
  const text = useAccountText();
  const lit = Math.round((on / all) * TICKS);
  return (
    <div className="relative mx-auto size-40">
      <svg viewBox="0 0 160 160" role="img" aria-label={text("security.layersLabel", { on, all })} className="size-40">
        {Array.from({ length: TICKS }, (_, index) => (
          <line
            // biome-ignore lint/suspicious/noArrayIndexKey: a tick is its place
            key={index}
            {...tickLine(index)}
            stroke="currentColor"
            strokeWidth={index % 10 === 0 ? 2.4 : 1.4}
            className={index < lit ? "text-text" : "text-line-strong"}
          />
        ))}
      </svg>
      <p aria-hidden="true" className="absolute inset-0 flex flex-col items-center justify-center">
        <span className="figures text-[28px] leading-8 [font-weight:620]">
          {on}
          <span className="font-normal text-[18px] text-muted">/{all}</span>
        </span>
        <span className="text-label text-muted">{text("security.layers")}</span>
      </p>
    </div>
  );
}
