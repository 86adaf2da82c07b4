// The sign of a coin: its own where it is listed (`coin-icons.css`), else a lettered disc in a steady colour. A sign of
// identity, never of movement. Painted by the style sheet: it is no word, and nothing should read it as one.

import "./coin-icons.css";
import { cx } from "./logic/class-names.ts";
import { coinLetters, coinTone } from "./logic/coin-tone.ts";

export interface CoinGlyphProps {
  readonly code: string;
  readonly size?: number | undefined;
  readonly className?: string | undefined;
}

export function CoinGlyph({ code, size = 24, className }: CoinGlyphProps) {
  return (
    <span
      aria-hidden="true"
      data-code={code}
      data-coin={coinTone(code)}
      data-letter={coinLetters(code)}
      style={{ width: size, height: size, fontSize: Math.round(size * 0.46) }}
      className={cx(
        "coin inline-flex before:content-[attr(data-letter)] shrink-0 items-center justify-center rounded-full font-bold leading-none",
        className,
      )}
    />
  );
}
