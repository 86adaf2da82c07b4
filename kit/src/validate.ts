// The validation rules and input filters shared by browser forms and server schemas. Pure: a check returns a code or
// undefined, a filter returns text; messages are in the screens.
import {
  CAPTCHA_LENGTH,
  DEFAULT_PRECISION,
  PASSWORD_CLASSES_MIN,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  PHONE_DIGITS_MIN,
} from "./constants.ts";
import { compareDecimals, type Decimal, parseDecimal } from "./decimal.ts";

export type ValidationCode =
  | "EMAIL_INVALID"
  | "PHONE_INVALID"
  | "PASSWORD_TOO_SHORT"
  | "PASSWORD_TOO_LONG"
  | "PASSWORD_TOO_SIMPLE"
  | "CAPTCHA_INVALID"
  | "DIGITS_ONLY"
  | "NUMBER_MALFORMED"
  | "NUMBER_TOO_PRECISE"
  | "NUMBER_NOT_POSITIVE"
  | "NUMBER_TOO_SMALL"
  | "NUMBER_TOO_LARGE"
  | "TEXT_CHARACTERS"
  | "ENGLISH_CHARACTERS"
  | "LETTERS_CHINESE_ONLY"
  | "LETTERS_DIGITS_ONLY"
  | "DIGITS_HYPHEN_UNDERSCORE_ONLY";

/** A refusal's code, or undefined when the value is valid. */
export type Check = ValidationCode | undefined;

// E-mail, phone, password, captcha

/** Lengths of RFC 5321; the pattern has no nested repeats, so no input makes it slow. */
const EMAIL_LENGTH_MAX = 254;
const EMAIL_LOCAL_LENGTH_MAX = 64;
const EMAIL_PATTERN =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$/;

export function trimEmail(text: string): string {
  return text.trim();
}

export function checkEmail(text: string): Check {
  const email = trimEmail(text);
  const fits = email.length <= EMAIL_LENGTH_MAX && email.indexOf("@") <= EMAIL_LOCAL_LENGTH_MAX;
  return fits && EMAIL_PATTERN.test(email) ? undefined : "EMAIL_INVALID";
}

export function checkPhone(text: string): Check {
  return text.length >= PHONE_DIGITS_MIN && /^[0-9]+$/.test(text) ? undefined : "PHONE_INVALID";
}

/** Letter, digit, special: how many of the three the text holds. */
export function countPasswordClasses(text: string): number {
  return [/[A-Za-z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((pattern) => pattern.test(text)).length;
}

export function checkPassword(text: string): Check {
  const length = [...text].length;
  if (length < PASSWORD_LENGTH_MIN) return "PASSWORD_TOO_SHORT";
  if (length > PASSWORD_LENGTH_MAX) return "PASSWORD_TOO_LONG";
  return countPasswordClasses(text) < PASSWORD_CLASSES_MIN ? "PASSWORD_TOO_SIMPLE" : undefined;
}

/** 0 refused, 1 weak, 2 fair, 3 strong: for the strength bar, never a reason to refuse. */
export function passwordStrength(text: string): 0 | 1 | 2 | 3 {
  if (checkPassword(text) !== undefined) return 0;
  const distinct = new Set(text).size;
  const score = countPasswordClasses(text) - 1 + (text.length >= 12 ? 1 : 0) - (distinct < 6 ? 1 : 0);
  return score >= 3 ? 3 : score === 2 ? 2 : 1;
}

export function checkCaptcha(text: string): Check {
  return text.length === CAPTCHA_LENGTH && /^[0-9]+$/.test(text) ? undefined : "CAPTCHA_INVALID";
}

export function filterCaptcha(text: string): string {
  return filterDigits(text).slice(0, CAPTCHA_LENGTH);
}

// Character classes

interface CharacterClass {
  readonly allowed: RegExp;
  readonly refused: RegExp;
  readonly code: ValidationCode;
}

function characterClass(set: string, code: ValidationCode): CharacterClass {
  return { allowed: new RegExp(`^[${set}]+$`, "u"), refused: new RegExp(`[^${set}]`, "gu"), code };
}

const HAN = "\\p{Script=Han}";
const DIGITS = characterClass("0-9", "DIGITS_ONLY");
const TEXT = characterClass(`A-Za-z0-9${HAN} ,.!?'"():;&@#%+\\-_\\/，。！？、：；（）“”‘’《》`, "TEXT_CHARACTERS");
const ENGLISH = characterClass("\\x21-\\x7e", "ENGLISH_CHARACTERS");
const LETTERS_CHINESE = characterClass(`A-Za-z${HAN}`, "LETTERS_CHINESE_ONLY");
const LETTERS_DIGITS = characterClass("A-Za-z0-9", "LETTERS_DIGITS_ONLY");
const DIGITS_HYPHEN_UNDERSCORE = characterClass("0-9\\-_", "DIGITS_HYPHEN_UNDERSCORE_ONLY");

function checkClass(text: string, set: CharacterClass): Check {
  return set.allowed.test(text) ? undefined : set.code;
}

export function checkDigits(text: string): Check {
  return checkClass(text, DIGITS);
}
export function filterDigits(text: string): string {
  return text.replace(DIGITS.refused, "");
}

/** Letters, digits, Chinese characters and a few punctuation marks. */
export function checkText(text: string): Check {
  return checkClass(text, TEXT);
}
export function filterText(text: string): string {
  return text.replace(TEXT.refused, "");
}

/** English letters, digits and symbols: everything visible on an American keyboard, without the space. */
export function checkEnglish(text: string): Check {
  return checkClass(text, ENGLISH);
}
export function filterEnglish(text: string): string {
  return text.replace(ENGLISH.refused, "");
}

export function checkLettersChinese(text: string): Check {
  return checkClass(text, LETTERS_CHINESE);
}
export function filterLettersChinese(text: string): string {
  return text.replace(LETTERS_CHINESE.refused, "");
}

export function checkLettersDigits(text: string): Check {
  return checkClass(text, LETTERS_DIGITS);
}
export function filterLettersDigits(text: string): string {
  return text.replace(LETTERS_DIGITS.refused, "");
}

export function checkDigitsHyphenUnderscore(text: string): Check {
  return checkClass(text, DIGITS_HYPHEN_UNDERSCORE);
}
export function filterDigitsHyphenUnderscore(text: string): string {
  return text.replace(DIGITS_HYPHEN_UNDERSCORE.refused, "");
}

// Numbers

/**
 * While typing: only digits and one dot, no leading zeros, at most `places` decimals. "1." is kept, it may become
 * "1.5".
 */
export function filterDecimal(text: string, places: number = DEFAULT_PRECISION): string {
  const kept = text.replace(/[^0-9.]/g, "");
  if (kept === "") return "";
  const dot = kept.indexOf(".");
  const digits = (dot === -1 ? kept : kept.slice(0, dot)).replace(/^0+(?=[0-9])/, "");
  const whole = digits === "" ? "0" : digits;
  if (dot === -1 || places <= 0) return whole;
  return `${whole}.${kept
    .slice(dot + 1)
    .replaceAll(".", "")
    .slice(0, places)}`;
}

export function checkDecimal(text: string, places: number = DEFAULT_PRECISION): Check {
  return readNumber(text, places, false).code;
}

export interface Bounds {
  /** Decimal text, so that a bound is as exact as the amount. */
  readonly min?: string;
  readonly max?: string;
}

/** Clamped into the bounds, for leaving a field; invalid text is filtered first. */
export function clampNumber(text: string, bounds: Bounds, places: number = DEFAULT_PRECISION): string {
  const filtered = filterDecimal(text, places).replace(/\.$/, "");
  const value = readExact(filtered);
  if (value === undefined) return filtered;
  const min = bounds.min === undefined ? undefined : readExact(bounds.min);
  const max = bounds.max === undefined ? undefined : readExact(bounds.max);
  // The upper bound wins when the two contradict each other: too little is a smaller error than too much.
  if (max !== undefined && compareDecimals(value, max) > 0) return bounds.max ?? filtered;
  if (min !== undefined && compareDecimals(value, min) < 0) {
    return max !== undefined && compareDecimals(min, max) > 0 ? (bounds.max ?? filtered) : (bounds.min ?? filtered);
  }
  return filtered;
}

export function checkNumber(text: string, bounds: Bounds, places: number = DEFAULT_PRECISION): Check {
  const read = readNumber(text, places, false);
  return read.value === undefined ? read.code : checkBounds(read.value, bounds);
}

export interface FuturesAmountRule extends Bounds {
  /** Zero and negative amounts are refused. */
  readonly positiveOnly?: boolean;
  readonly decimals?: number;
  /** The decimals of the instrument's price; used without given decimals. */
  readonly priceDigits?: number;
}

function futuresPlaces(rule: FuturesAmountRule): number {
  return rule.decimals ?? rule.priceDigits ?? DEFAULT_PRECISION;
}

export function filterFuturesAmount(text: string, rule: FuturesAmountRule = {}): string {
  const amount = filterDecimal(text, futuresPlaces(rule));
  return rule.positiveOnly !== true && text.trimStart().startsWith("-") ? `-${amount}` : amount;
}

export function checkFuturesAmount(text: string, rule: FuturesAmountRule = {}): Check {
  const read = readNumber(text, futuresPlaces(rule), true);
  if (read.value === undefined) return read.code;
  if (rule.positiveOnly === true && read.value.units <= 0n) return "NUMBER_NOT_POSITIVE";
  return checkBounds(read.value, rule);
}

function checkBounds(value: Decimal, bounds: Bounds): Check {
  const min = bounds.min === undefined ? undefined : readExact(bounds.min);
  const max = bounds.max === undefined ? undefined : readExact(bounds.max);
  if (min !== undefined && compareDecimals(value, min) < 0) return "NUMBER_TOO_SMALL";
  if (max !== undefined && compareDecimals(value, max) > 0) return "NUMBER_TOO_LARGE";
  return undefined;
}

interface NumberRead {
  readonly value?: Decimal;
  readonly code?: ValidationCode;
}

function readNumber(text: string, places: number, signed: boolean): NumberRead {
  const result = parseDecimal(text, { signed, scaleMax: places });
  if (result.ok) return { value: result.value };
  return { code: result.code === "DECIMAL_TOO_PRECISE" ? "NUMBER_TOO_PRECISE" : "NUMBER_MALFORMED" };
}

function readExact(text: string): Decimal | undefined {
  const result = parseDecimal(text, { signed: true });
  return result.ok ? result.value : undefined;
}
