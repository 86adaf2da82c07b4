// A steady colour and letter for any ticker, so that a glyph needs no picture and no business table.

const TONES = 10;

/** The same code has the same tone on every machine: a plain multiplicative hash. */
export function coinTone(code: string): number {
  let hash = 7;
  for (const char of code.toUpperCase()) hash = (hash * 31 + char.charCodeAt(0)) % 9973;
  return hash % TONES;
}

export function coinLetters(code: string): string {
  const letters = code.replace(/[^A-Za-z0-9]/g, "").toUpperCase();
  return letters.slice(0, 1) || "?";
}
