// The name a user signs in with: an e-mail address or a phone number, in one spelling each, and its masked form. Pure
// text rules; never reveals whether an account exists.
import { checkEmail, checkPhone, trimEmail } from "./validate.ts";

export type AccountKind = "email" | "phone";

export interface AccountName {
  readonly kind: AccountKind;
  /** The one spelling it is stored and compared in. */
  readonly value: string;
}

/** International numbers have at most fifteen digits. */
const PHONE_DIGITS_MAX = 15;

/** Undefined when the text is neither an address nor a number. */
export function readAccountName(text: string): AccountName | undefined {
  if (text.includes("@")) {
    const value = trimEmail(text).toLowerCase();
    return checkEmail(value) === undefined ? { kind: "email", value } : undefined;
  }
  // Common notations are +44 20 7946 0958, (020) 7946-0958 and 0044 20…; plus and punctuation are ignored.
  const digits = text.replace(/[\s()+.-]/g, "");
  if (digits.length > PHONE_DIGITS_MAX) return undefined;
  return checkPhone(digits) === undefined ? { kind: "phone", value: digits } : undefined;
}

/** Hosts that deliver every spelling of a name, with or without dots, to one mailbox. */
const DOTLESS_HOSTS: readonly string[] = ["gmail.com", "googlemail.com"];

/** The mailbox behind an address, in one spelling: the part after a plus is a tag. */
export function mailboxOf(contact: string): string {
  const text = contact.toLowerCase();
  const at = text.lastIndexOf("@");
  if (at < 0) return text;
  const [name = "", host] = [text.slice(0, at).split("+")[0], text.slice(at + 1)];
  return DOTLESS_HOSTS.includes(host) ? `${name.replaceAll(".", "")}@${DOTLESS_HOSTS[0]}` : `${name}@${host}`;
}

/** The hosts under which a mailbox receives. */
export function mailboxHosts(mailbox: string): readonly string[] {
  const host = mailbox.slice(mailbox.lastIndexOf("@") + 1);
  return DOTLESS_HOSTS.includes(host) ? DOTLESS_HOSTS : [host];
}

/** Enough for its owner to recognise, too little for others: `jo***@example.com`, `447***58`. */
export function maskAccountName({ kind, value }: AccountName): string {
  if (kind === "phone") return `${value.slice(0, 3)}***${value.slice(-2)}`;
  const at = value.lastIndexOf("@");
  return `${value.slice(0, Math.min(2, at - 1))}***${value.slice(at)}`;
}
