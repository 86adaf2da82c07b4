// The required fields of a form, by its kind, and the number of a ticket. Pure.
import { checkEmail } from "@clockwork/kit/validate";
import { MESSAGE_LENGTH_MAX, NAME_LENGTH_MAX, type TicketBody, type TicketKind } from "./contract.ts";

// Without letters that are easily confused.
export const NUMBER_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
export const KEY_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

export type FieldFault = "REQUIRED" | "TOO_LONG" | "INVALID_EMAIL" | "COMPANY_EMAIL_REQUIRED";

export interface TicketText {
  readonly name: string;
  readonly email: string;
  readonly message: string;
  readonly topic: string;
}

/** A whistleblower may be anonymous; all others get an answer and must be reachable. */
export function mayBeAnonymous(kind: TicketKind): boolean {
  return kind === "whistleblower";
}

/** The errors by field; empty without any. */
export function checkTicket(
  kind: TicketKind,
  text: TicketText,
  isPersonalMail: (email: string) => boolean,
): Readonly<Record<string, FieldFault>> {
  const faults: Record<string, FieldFault> = {};
  const isOpen = mayBeAnonymous(kind);
  if (text.message === "") faults.message = "REQUIRED";
  else if (text.message.length > MESSAGE_LENGTH_MAX) faults.message = "TOO_LONG";
  if (text.name === "" && !isOpen) faults.name = "REQUIRED";
  else if (text.name.length > NAME_LENGTH_MAX) faults.name = "TOO_LONG";
  if (text.email === "") {
    if (!isOpen) faults.email = "REQUIRED";
  } else if (checkEmail(text.email) !== undefined) faults.email = "INVALID_EMAIL";
  else if (kind === "institutional" && isPersonalMail(text.email)) faults.email = "COMPANY_EMAIL_REQUIRED";
  return faults;
}

/** Trimmed, line ends normalised, control characters removed. */
export function cleanMessage(text: string | undefined): string {
  return (
    (text ?? "")
      .replaceAll("\r\n", "\n")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are removed
      .replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, " ")
      .trim()
  );
}

export function cleanText(body: TicketBody): TicketText {
  return {
    name: cleanMessage(body.name).replaceAll("\n", " "),
    email: cleanMessage(body.email).toLowerCase(),
    message: cleanMessage(body.message),
    topic: body.topic ?? "other",
  };
}

export function formatNumber(random: string): string {
  return `CW-${random.slice(0, 4)}-${random.slice(4, 8)}`;
}

export function formatKey(random: string): string {
  return random.match(/.{4}/g)?.join("-") ?? random;
}

/** The last part of a file name, without folders, short and plain. */
export function cleanFileName(name: string, extension: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? "";
  const plain = last
    .replace(/\.[^.]*$/, "")
    .replace(/[^\p{L}\p{N} _-]+/gu, "_")
    .trim()
    .slice(0, 60);
  return `${plain === "" ? "picture" : plain}.${extension}`;
}
