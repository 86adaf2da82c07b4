// The five cards of spring: parts of a movement, drawn in lines.
import type { Card } from "@clockwork/growth/spring/contract";

const ring = (radius: number): string =>
  `M${24 - radius} 24a${radius} ${radius} 0 1 0 ${radius * 2} 0a${radius} ${radius} 0 1 0 ${-radius * 2} 0`;

/** A tooth for each hour, on a rim. */
const TEETH = Array.from({ length: 12 }, (_, index) => {
  const angle = (index * Math.PI) / 6;
  const at = (radius: number, turn: number): string =>
    `${(24 + radius * Math.cos(angle + turn)).toFixed(2)} ${(24 + radius * Math.sin(angle + turn)).toFixed(2)}`;
  return `M${at(13, 0)}L${at(17, 0.12)}`;
}).join("");

const PATHS: Readonly<Record<Card, string>> = {
  wheel: `${ring(13)}${ring(4)}${TEETH}`,
  pallet:
    "M24 6V18M22 20a2 2 0 1 0 4 0a2 2 0 1 0-4 0M23 22C14 24 9 30 8 38M25 22C34 24 39 30 40 38M8 38l4-1M40 38l-4-1",
  balance: `${ring(17)}${ring(9)}${ring(3)}M7 24H41M24 21c6 0 9 6 4 9c-6 3-12-3-9-9`,
  mainspring: "M8 38H40M24 25c2-3-3-5-5-1c-3 6 5 11 10 7c7-5 3-17-7-17c-9 0-14 9-11 18",
  hand: "M24 5c2 5 3 13 1 26h-2C21 18 22 10 24 5ZM24 31v5M21 38a3 3 0 1 0 6 0a3 3 0 1 0-6 0",
};

export function CardDrawing({ card }: { readonly card: Card }) {
  return (
    <svg viewBox="0 0 48 48" className="size-12" aria-hidden="true">
      <path
        d={PATHS[card]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
