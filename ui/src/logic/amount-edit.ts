// Turns typed or pasted text into grouped decimal text, with the caret in its place. Owns the whole rule of what an
// amount field accepts; never touches the DOM, never uses a float.

import { groupThousands } from "@clockwork/kit/decimal";
import { foldWidth, GROUPED, LONE_COMMA } from "@clockwork/kit/typed-amount";
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
  /** The point in the text was entered as a comma, so a point that follows makes that comma a group's. */
  readonly isPointByComma?: boolean;
}

export interface EditResult extends EditState {
  /** Plain decimal text for the receiver; empty when nothing is typed. */
  readonly value: string;
  /** True when the text is no single amount: it remains as typed, and there is no value before it is corrected. */
  readonly refused: boolean;
}

export type AmountFault = "illegal" | "below-min" | "above-max" | "off-step";

const WHOLE_DIGITS_MAX = 18;
const ONE_GROUP = /^[1-9]\d{0,2}\.\d{3}\.$/;
const REFUSED_CHARS_MAX = 40;

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

/** Grouped by this field itself, as against text that was refused and remains as typed. */
function isOwn(text: string): boolean {
  return groupThousands(keepMeaning(text)) === text;
}

/** Where only a grouping comma was deleted, the digit next to it goes too; else the key would do nothing. */
function deleteThroughComma(before: EditState, after: EditState): EditState {
  if (after.text.length !== before.text.length - 1 || !isOwn(before.text)) return after;
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

/** The one character that was typed, or undefined for a paste or a deletion. */
function typedKey(before: EditState, after: EditState): string | undefined {
  const at = after.caret - 1;
  const isOne = after.text.slice(0, at) + after.text.slice(at + 1) === before.text;
  return isOne && after.text.length === before.text.length + 1 ? after.text[at] : undefined;
}

const replaceAt = (text: string, at: number, by: string): string => text.slice(0, at) + by + text.slice(at + 1);

/**
 * What the text means once separators are settled, or undefined where two readers would read two amounts. A comma that is
 * typed is the decimal sign, as number pads of many languages have no other; one that is pasted is a group's where groups
 * are whole, as pages write them, and else the decimal sign.
 */
function settle(before: EditState, after: EditState): EditState | undefined {
  const isPointByComma = before.isPointByComma ?? false;
  const key = typedKey(before, after);
  const at = after.caret - 1;
  if (key === ",") {
    if (before.text.includes(".") || !isOwn(before.text)) return undefined;
    return { text: replaceAt(after.text, at, "."), caret: after.caret, isPointByComma: true };
  }
  if (key === "." && isPointByComma && ONE_GROUP.test(after.text))
    return { text: after.text.replace(".", ","), caret: after.caret };
  if (/[^\d.,\s_]/.test(after.text)) return undefined;
  const count = (text: string) => text.split(",").length - 1;
  // Commas this field wrote itself are out of place after any edit; only commas the person brought are judged.
  const isJudged = !isOwn(before.text) || before.text === "" || count(after.text) > count(before.text);
  const tight = after.text.replace(/[\s_]/g, "");
  if (tight.split(".").length > 2 && (key !== "." || !isOwn(before.text))) return undefined;
  if (!isJudged || !after.text.includes(",") || GROUPED.test(tight)) return { ...after, isPointByComma };
  if (!LONE_COMMA.test(tight)) return undefined;
  return { text: after.text.replace(",", "."), caret: after.caret, isPointByComma: true };
}

/** One edit: the field before, the raw field after, and what the field then holds. */
export function editAmount(before: EditState, rawAfter: EditState, rules: AmountRules): EditResult {
  const after = deleteThroughComma(before, { text: foldWidth(rawAfter.text), caret: rawAfter.caret });
  const key = typedKey(before, after);
  // A comma typed where one stands moves past it.
  if (key === "," && isOwn(before.text) && before.text[after.caret - 1] === ",")
    return { ...before, caret: after.caret, value: toValue(before.text), refused: false };
  const settled = settle(before, after);
  const refuse = (text: string): EditResult => ({
    text: text.slice(0, REFUSED_CHARS_MAX),
    caret: Math.min(after.caret, REFUSED_CHARS_MAX),
    isPointByComma: settled?.isPointByComma ?? before.isPointByComma ?? false,
    value: "",
    refused: true,
  });
  if (settled === undefined) return refuse(after.text);
  const isPointByComma = settled.isPointByComma ?? false;
  const raw = keepMeaning(settled.text);
  const tidied = tidy(raw);
  // One extra digit is simply not taken; a longer paste is cut, towards zero.
  const plain = after.text.length - before.text.length > 1 ? cutFraction(tidied, rules.places) : tidied;
  if (!fits(plain, rules)) {
    // Left out, the digits after a point where none is accepted would be read as whole ones.
    if (plain.includes(".") && (rules.places === 0 || isPointByComma)) return refuse(settled.text);
    return {
      ...before,
      caret: Math.min(before.caret, before.text.length),
      value: toValue(before.text),
      refused: false,
    };
  }
  const text = groupThousands(plain);
  const left = keepMeaning(settled.text.slice(0, settled.caret));
  const shrunk = raw.length - tidied.length;
  const meaningful = shrunk === 0 ? left.length : tidy(left).length;
  return {
    text,
    caret: placeCaret(text, meaningful),
    isPointByComma: isPointByComma && text.includes("."),
    value: toValue(text),
    refused: false,
  };
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
