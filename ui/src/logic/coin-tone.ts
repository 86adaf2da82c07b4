// A steady colour and letter for any ticker, so that a glyph needs no picture and no business table.

const TONES = 10;

/** Tickers with a familiar colour; every other one is hashed. */
const KNOWN: Readonly<Record<string, number>> = { USDT: 0, BTC: 1, ETH: 2, SOL: 3, XRP: 5, BNB: 8, USDC: 4, DOGE: 8 };

/** The same code has the same tone on every machine: a plain multiplicative hash. */
export function coinTone(code: string): number {
  const known = KNOWN[code.toUpperCase()];
  if (known !== undefined) return known;
  let hash = 7;
  for (const char of code.toUpperCase()) hash = (hash * 31 + char.charCodeAt(0)) % 9973;
  return hash % TONES;
}

export function coinLetters(code: string): string {
  const letters = code.replace(/[^A-Za-z0-9]/g, "").toUpperCase();
  return letters.slice(0, 1) || "?";
}
