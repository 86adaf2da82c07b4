// The currencies of OTC, how each is written, and the payment methods with the fields of each.

export interface Fiat {
  readonly code: string;
  readonly name: string;
  /** Decimals in writing. Amounts are stored in hundredths for all of them. */
  readonly decimals: 0 | 2;
  readonly country: string;
}

const fiat = (code: string, name: string, country: string, decimals: 0 | 2 = 2): Fiat => ({
  code,
  name,
  country,
  decimals,
});

export const FIATS: readonly Fiat[] = [
  fiat("AED", "UAE dirham", "AE"),
  fiat("USD", "US dollar", "US"),
  fiat("EUR", "Euro", "DE"),
  fiat("CNY", "Chinese yuan", "CN"),
  fiat("JPY", "Japanese yen", "JP", 0),
  fiat("KRW", "South Korean won", "KR", 0),
  fiat("TRY", "Turkish lira", "TR"),
  fiat("TWD", "Taiwan dollar", "TW"),
  fiat("UAH", "Ukrainian hryvnia", "UA"),
  fiat("VND", "Vietnamese dong", "VN", 0),
];
export const FIAT_CODES: readonly string[] = FIATS.map(({ code }) => code);
export const FIAT_SCALE = 2;

/** The dirham is fixed to the dollar by its central bank. */
export const AED_PER_USD = "3.6725";

export function findFiat(code: string): Fiat | undefined {
  return FIATS.find((one) => one.code === code);
}

/** Coins of OTC. */
export const OTC_COINS = ["USDT", "BTC", "ETH"] as const;

export const PAYMENT_KINDS = ["bank", "card", "local", "wallet"] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

export interface PaymentField {
  readonly name: "bank" | "account" | "branch" | "provider" | "handle";
  readonly label: string;
  /** Its pattern, without spaces. */
  readonly pattern: string;
  readonly isSecret: boolean;
  /** The check digits of the number, which detect typing errors. */
  readonly check?: "iban" | "luhn";
}

const IBAN = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/;
const NUMBER = /^[0-9A-Z]{5,24}$/;
const NAMES = "^[\\p{L}\\p{M}0-9 .,&'()-]{2,60}$";
/** Where accounts are named by an IBAN. */
const IBAN_FIATS = ["AED", "EUR", "TRY", "UAH"];

export const hasIban = (fiatCode: string): boolean => IBAN_FIATS.includes(fiatCode);

const field = (
  name: PaymentField["name"],
  label: string,
  pattern: string,
  more: Partial<Pick<PaymentField, "isSecret" | "check">> = {},
): PaymentField => ({ name, label, pattern, isSecret: false, ...more });
const SECRET = { isSecret: true } as const;

/** The fields of an account of this kind in this currency. */
export function paymentFields(kind: PaymentKind, fiatCode: string): readonly PaymentField[] {
  switch (kind) {
    case "bank": {
      const account = hasIban(fiatCode)
        ? field("account", "IBAN", IBAN.source, { ...SECRET, check: "iban" })
        : field("account", "Account number", NUMBER.source, SECRET);
      const branch = hasIban(fiatCode) ? [] : [field("branch", "Bank or branch code", "^[0-9A-Z]{2,12}$")];
      return [field("bank", "Bank", NAMES), account, ...branch];
    }
    case "card":
      return [
        field("bank", "Issuing bank", NAMES),
        field("account", "Card number", "^[0-9]{12,19}$", { ...SECRET, check: "luhn" }),
      ];
    case "local":
      return [
        field("provider", `Bank, for ${railOf(fiatCode)}`, NAMES),
        field("handle", "Registered number or name", "^[\\p{L}0-9@+._-]{3,60}$", SECRET),
      ];
    case "wallet":
      return [
        field("provider", "Wallet", NAMES),
        field("handle", "Wallet number or name", "^[\\p{L}0-9@+._-]{3,60}$", SECRET),
      ];
  }
}

/** How long an IBAN of a country is, where its currency is traded here. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = {
  AE: 23,
  TR: 26,
  UA: 29,
  DE: 22,
  FR: 27,
  IT: 27,
  ES: 24,
  NL: 18,
  BE: 16,
  AT: 20,
  FI: 18,
  IE: 22,
  PT: 25,
};

/** By its two check digits: moved to the end and with letters as numbers it leaves 1 when divided by 97. */
export function isIban(text: string): boolean {
  const length = IBAN_LENGTHS[text.slice(0, 2)];
  if (!IBAN.test(text) || (length !== undefined && text.length !== length)) return false;
  const digits = (text.slice(4) + text.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}

/** By its last digit: every second digit doubled, the sum of all digits ends with 0. */
export function isLuhn(text: string): boolean {
  const digits = [...text].reverse().map(Number);
  const sum = digits.reduce((whole, digit, i) => whole + (i % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)), 0);
  return digits.length > 0 && sum % 10 === 0;
}

/** The instant payment system of a country's banks. */
const LOCAL_RAILS: Readonly<Record<string, string>> = {
  AED: "Aani",
  USD: "Instant bank rail",
  EUR: "SEPA Instant",
  CNY: "Online payment interbank",
  JPY: "Zengin",
  KRW: "Open banking",
  TRY: "FAST",
  TWD: "Real-time transfer",
  UAH: "Instant credit",
  VND: "NAPAS 247",
};

export function railOf(fiatCode: string): string {
  return LOCAL_RAILS[fiatCode] ?? "the instant rail";
}

/** Names are equal regardless of case, spacing and order of parts. */
export function isSameName(left: string, right: string): boolean {
  const parts = (name: string) =>
    name
      .normalize("NFKC")
      .toLocaleLowerCase("en")
      .split(/[\s,.'-]+/u)
      .filter((part) => part !== "")
      .sort()
      .join(" ");
  return parts(left) !== "" && parts(left) === parts(right);
}

/** The last four, the rest hidden. */
export function maskAccount(text: string): string {
  const plain = text.replace(/\s/g, "");
  return plain.length <= 4
    ? "••••"
    : `${/^[A-Z]{2}/.test(plain) ? plain.slice(0, 4) : ""} •••• ${plain.slice(-4)}`.trim();
}
