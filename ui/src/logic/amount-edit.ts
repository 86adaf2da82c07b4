// Turns typed or pasted text into grouped decimal text, with the caret in its place. Owns the whole rule of what an
// amount field accepts; never touches the DOM, never uses a float.

import { groupThousands } from "@clockwork/kit/decimal";
import { compareDecimals, isMultiple, isPlainDecimal } from "./decimal-text.ts";

export interface AmountRules {
  /** Places after the point that the receiver accepts. */
  readonly places: number;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly step?: string | undefined;
  readonly wholeDigitsMax?: number | undefined;
}

export interface EditState {
  readonly text: string;
  readonly caret: number;
}

export interface EditResult extends EditState {
  /** Plain decimal text for the receiver; empty when nothing is typed. */
  readonly value: string;
  /** True when the input held something that cannot be part of an amount, so nothing changed. */
  readonly refused: boolean;
}

export type AmountFault = "illegal" | "below-min" | "above-max" | "off-step";

const WHOLE_DIGITS_MAX = 18;
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/;

/** Full-width digits and points arrive from East Asian keyboards and mean what they look like. */
function foldWidth(text: string): string {
  return text
    .replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
    .replace(/[．。]/g, ".")
    .replace(/，/g, ",");
}

function keepMeaning(text: string): string {
  return text.replace(/[^\d.]/g, "");
}

/** Drops every point but the first and the needless leading zeros; ".5" gains its zero. */
function tidy(text: string): string {
  const point = text.indexOf(".");
  const whole = point < 0 ? text : text.slice(0, point);
  const fraction = point < 0 ? "" : text.slice(point + 1).replaceAll(".", "");
  const stripped = whole.replace(/^0+(?=\d)/, "");
  if (point < 0) return stripped;
  return `${stripped === "" ? "0" : stripped}.${fraction}`;
}

function isReadable(text: string, typedChars: number): boolean {
  if (/[^\d.,\s_]/.test(text)) return false;
  // A paste must be unambiguous: "1.000,5" and "1,5" mean different amounts to different readers.
  const commas = text.includes(",");
  if (commas && typedChars > 1) return GROUPED.test(text.replace(/[\s_]/g, ""));
  return true;
}

/** Where only a grouping comma was deleted, the digit next to it goes too; else the key would do nothing. */
function deleteThroughComma(before: EditState, after: EditState): EditState {
  if (after.text.length !== before.text.length - 1) return after;
  if (before.text[after.caret] !== ",") return after;
  if (before.text.slice(0, after.caret) + before.text.slice(after.caret + 1) !== after.text) return after;
  const backwards = before.caret === after.caret + 1;
  const from = backwards ? after.caret - 1 : after.caret;
  if (from < 0) return after;
  return { text: after.text.slice(0, from) + after.text.slice(from + 1), caret: from };
}

function placeCaret(text: string, meaningful: number): number {
  if (meaningful <= 0) return 0;
  let seen = 0;
  for (let index = 0; index < text.length; index++) {
    if (text[index] !== ",") seen++;
    if (seen === meaningful) return index + 1;
  }
  return text.length;
}

function fits(plain: string, rules: AmountRules): boolean {
  const [whole = "", fraction] = plain.split(".");
  if (whole.length > (rules.wholeDigitsMax ?? WHOLE_DIGITS_MAX)) return false;
  return fraction === undefined || (rules.places > 0 && fraction.length <= rules.places);
}

function cutFraction(plain: string, places: number): string {
  const point = plain.indexOf(".");
  if (point < 0) return plain;
  return places === 0 ? plain.slice(0, point) : plain.slice(0, point + 1 + places);
}

/** One edit: the field before, the raw field after, and the field's new content. */
export function editAmount(before: EditState, rawAfter: EditState, rules: AmountRules): EditResult {
  const after = deleteThroughComma(before, { text: foldWidth(rawAfter.text), caret: rawAfter.caret });
  const typedChars = after.text.length - before.text.length;
  const refusal: EditResult = { ...before, value: toValue(before.text), refused: true };
  const pasted = Math.abs(typedChars) > 1 || before.text === "" ? 2 : typedChars;
  if (!isReadable(after.text, withoutOwnCommas(before, after) ? 1 : pasted)) return refusal;
  const raw = keepMeaning(after.text);
  const tidied = tidy(raw);
  // One extra digit is simply not taken; a longer paste is cut, towards zero.
  const plain = typedChars > 1 ? cutFraction(tidied, rules.places) : tidied;
  if (!fits(plain, rules)) return { ...refusal, caret: Math.min(before.caret, before.text.length), refused: false };
  const text = groupThousands(plain);
  const left = keepMeaning(after.text.slice(0, after.caret));
  const shrunk = raw.length - tidied.length;
  const meaningful = shrunk === 0 ? left.length : tidy(left).length;
  return { text, caret: placeCaret(text, meaningful), value: toValue(text), refused: false };
}

/** Commas this field wrote itself are out of place after any edit; only commas the user entered are validated. */
function withoutOwnCommas(before: EditState, after: EditState): boolean {
  const count = (text: string) => text.split(",").length - 1;
  return before.text !== "" && count(after.text) <= count(before.text);
}

/** Field text to the plain decimal: commas gone, an unfinished point dropped. */
export function toValue(text: string): string {
  const plain = keepMeaning(text);
  return plain.endsWith(".") ? plain.slice(0, -1) : plain;
}

/** Plain decimal to field text. Anything that is not a plain decimal shows as nothing. */
export function toText(value: string): string {
  return isPlainDecimal(value) ? groupThousands(value) : "";
}

/** What the receiver would refuse. An empty field is not a fault: whether it is required is the form's business. */
export function findFault(value: string, rules: AmountRules): AmountFault | undefined {
  if (value === "") return undefined;
  if (!isPlainDecimal(value) || !fits(value, rules)) return "illegal";
  if (rules.min !== undefined && compareDecimals(value, rules.min) < 0) return "below-min";
  if (rules.max !== undefined && compareDecimals(value, rules.max) > 0) return "above-max";
  if (rules.step !== undefined && !isMultiple(value, rules.step)) return "off-step";
  return undefined;
}
