// The time left to pay as a ring of ticks, one for each part of the window that is left.
import type { OtcOrder } from "@clockwork/fiat/otcorders/contract";
import { formatMinutesLeft, useCountdown } from "@clockwork/ui/countdown";
import { useState } from "react";
import { useOtcText } from "./otc-text.ts";

const TICKS = 60;
const CENTRE = 64;

export function OrderGauge({ order: { payByMs, createdAtMs, nowMs } }: { readonly order: OtcOrder }) {
  const text = useOtcText();
  // By the exchange's clock: a device that is wrong counts the same.
  const [until] = useState(() => Date.now() + payByMs - nowMs);
  const leftMs = useCountdown(until, until - (payByMs - nowMs));
  const left = Math.ceil((leftMs / Math.max(1, payByMs - createdAtMs)) * TICKS);
  return (
    <div className="relative size-32 shrink-0 self-center" role="timer" aria-live="off">
      <svg viewBox="0 0 128 128" className="size-32" aria-hidden="true">
        {Array.from({ length: TICKS }, (_, i) => {
          const angle = (i / TICKS) * 2 * Math.PI;
          const inner = i % 15 === 0 ? 50 : 54;
          const at = (radius: number) =>
            [CENTRE + radius * Math.sin(angle), CENTRE - radius * Math.cos(angle)] as const;
          const [[x1, y1], [x2, y2]] = [at(inner), at(60)];
          const look = i < left ? "stroke-text" : "stroke-line2";
          return <line key={angle} x1={x1} y1={y1} x2={x2} y2={y2} className={look} strokeWidth={1.5} />;
        })}
      </svg>
      <span className="absolute inset-0 flex flex-col items-center justify-center">
        <span className="figures font-semibold text-[22px] text-text">{formatMinutesLeft(leftMs)}</span>
        <span className="text-label text-muted">{text("order.left")}</span>
      </span>
    </div>
  );
}
