// Market figures as whole numbers of their smallest unit, for code that runs many times a second. Exact up to 2^53;
// anything beyond, or no decimal at all, reads as NaN and must not be shown.

const PLAIN = /^\d{1,24}(?:\.\d{1,18})?$/;

/** "64118.4" with one decimal is 641184. Digits past `decimals` are cut. */
export function parseUnits(text: string, decimals: number): number {
  if (!PLAIN.test(text)) return Number.NaN;
  const dot = text.indexOf(".");
  const whole = dot === -1 ? text : text.slice(0, dot);
  const fraction = dot === -1 ? "" : text.slice(dot + 1, dot + 1 + decimals);
  const units = Number(whole + fraction.padEnd(decimals, "0"));
  return Number.isSafeInteger(units) ? units : Number.NaN;
}

function split(units: number, decimals: number): { readonly whole: string; readonly fraction: string } {
  const digits = String(Math.abs(units)).padStart(decimals + 1, "0");
  const cut = digits.length - decimals;
  return { whole: digits.slice(0, cut), fraction: digits.slice(cut) };
}

/** Plain decimal text, as the wire has it. */
export function writeUnits(units: number, decimals: number): string {
  const { whole, fraction } = split(units, decimals);
  return `${units < 0 ? "-" : ""}${whole}${decimals === 0 ? "" : `.${fraction}`}`;
}

/** For people: thousands in groups, and only the first `shown` decimals. */
export function showUnits(units: number, decimals: number, shown = decimals): string {
  if (!Number.isFinite(units)) return "--";
  const { whole, fraction } = split(units, decimals);
  let grouped = whole;
  for (let at = whole.length - 3; at > 0; at -= 3) grouped = `${grouped.slice(0, at)},${grouped.slice(at)}`;
  const tail = shown > 0 ? `.${fraction.slice(0, shown).padEnd(shown, "0")}` : "";
  return `${units < 0 ? "−" : ""}${grouped}${tail}`;
}
