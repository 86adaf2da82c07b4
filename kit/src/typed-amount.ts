// What a typed or pasted number means where readers of different languages separate differently. Owns the rule that a
// lone comma is the decimal sign; the caret and the grouping of a field are `ui/logic/amount-edit`.

/** Groups of three after a comma, as pages write them. */
export const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;
export const LONE_COMMA = /^\d*,\d*$/;

/** Full-width digits and points arrive from East Asian keyboards and mean what they look like. */
export function foldWidth(text: string): string {
  return text
    .replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[．。]/g, ".")
    .replace(/，/g, ",");
}

/**
 * Without groups, and with the comma of "1,5" a point. What two readers would read differently remains as typed, for the
 * form to refuse.
 */
export function readTypedAmount(text: string): string {
  const tight = foldWidth(text).replace(/[\s_]/g, "");
  if (GROUPED.test(tight)) return tight.replaceAll(",", "");
  return LONE_COMMA.test(tight) ? tight.replace(",", ".") : tight;
}

/** A whole number while it is typed; anything else empties the field, as "1,5" without its comma would be 15. */
export function readTypedWhole(text: string): string {
  const typed = readTypedAmount(text);
  return /\D/.test(typed) ? "" : typed;
}
