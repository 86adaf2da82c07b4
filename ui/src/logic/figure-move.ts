// Which way a shown number moved, read from its text exactly. Text that is no number did not move.

import { compareDecimals } from "./decimal-text.ts";

export type Move = 1 | 0 | -1;

const SHOWN = /-?\d[\d,]*(?:\.\d+)?/;

/** "$1,000.5" → "1000.5"; abbreviations are not compared, since "1.2M" to "990K" cannot be read digit by digit. */
function readShown(text: string): string | undefined {
  const plain = text.replaceAll("−", "-");
  const found = SHOWN.exec(plain)?.[0];
  if (found === undefined || /\d[KMBTQ万亿]/.test(plain)) return undefined;
  return found.replaceAll(",", "");
}

export function findMove(before: string, after: string): Move {
  const left = readShown(before);
  const right = readShown(after);
  if (left === undefined || right === undefined) return 0;
  return compareDecimals(right, left);
}
