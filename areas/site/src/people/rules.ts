// What a search may mean, by its form alone, and how personal data is masked.
import { type AccountName, maskAccountName, readAccountName } from "@clockwork/kit/account";

export interface Meanings {
  /** A user's number. */
  readonly userId?: number;
  readonly account?: AccountName;
  /** The first part of an address or of a phone number. */
  readonly prefix?: AccountName;
  readonly inviteCode?: string;
  readonly orderId?: number;
  /** Of an OTC order. */
  readonly otcId?: string;
  /** Of a withdrawal or a proposal. */
  readonly hexId?: string;
  readonly chainAddress?: string;
  readonly txHash?: string;
  readonly ticket?: string;
}

const ORDER_MAX = 999_999_999_999_999;

/** Grouped numbers ("40 718 226") are one number. */
export function readQuery(typed: string): Meanings {
  const text = typed.trim();
  const digits = text.replace(/[\s,]/g, "");
  const lower = text.toLowerCase();
  const isNumber = /^[1-9]\d*$/.test(digits);
  const account = readAccountName(text);
  return {
    ...(/^[1-9]\d{8,9}$/.test(digits) ? { userId: Number(digits) } : {}),
    ...(account === undefined ? {} : { account }),
    ...readPrefix(text, lower),
    ...(/^[2-9A-Za-z]{6,16}$/.test(text) ? { inviteCode: text.toUpperCase() } : {}),
    ...(isNumber && Number(digits) <= ORDER_MAX ? { orderId: Number(digits) } : {}),
    ...(/^\d{14}$/.test(digits) ? { otcId: digits } : {}),
    ...(/^[0-9a-f]{16}$/.test(lower) ? { hexId: lower } : {}),
    ...(/^0x[0-9a-f]{40}$/.test(lower) ? { chainAddress: lower } : {}),
    ...(/^0x[0-9a-f]{64}$/.test(lower) ? { txHash: lower } : {}),
    ...(/^cw-[0-9a-z]{4}-[0-9a-z]{4}$/.test(lower) ? { ticket: text.toUpperCase() } : {}),
  };
}

function readPrefix(text: string, lower: string): Pick<Meanings, "prefix"> {
  if (/^\+?[\d\s().-]+$/.test(text)) return { prefix: { kind: "phone", value: text.replace(/\D/g, "") } };
  return /^[a-z0-9._%+@-]+$/.test(lower) ? { prefix: { kind: "email", value: lower } } : {};
}

export function maskContact(kind: AccountName["kind"], value: string | null): string | null {
  return value === null ? null : maskAccountName({ kind, value });
}

/** The network of an address, without the machine. */
export function maskAddress(address: string): string {
  if (address.includes(":")) return `${address.split(":").slice(0, 2).join(":")}:…`;
  const parts = address.split(".");
  return parts.length === 4 ? `${parts[0]}.${parts[1]}.•.•` : address === "" ? "" : "•";
}
