// The ports of support: a captcha, levels, hashing, randomness, picture re-encoding and mails.
import type { Redrawn } from "@clockwork/kit/picture";
import type { Author } from "./contract.ts";
import type { TicketRow } from "./store.ts";

export interface SupportNeeds {
  /** False while unauthenticated requests have exhausted the limit of this mailbox. */
  mayWriteTo(email: string, timeMs: number): Promise<boolean>;
  isCaptchaSolved(answer: Readonly<Record<string, string>> | undefined, timeMs: number): Promise<boolean>;
  /** The VIP level of an account. */
  levelOf(userId: number): number;
  hash(text: string): string;
  /** The given number of characters of the alphabet, unpredictable. */
  randomText(alphabet: string, length: number): string;
  /** Re-encodes a picture, so that nothing hidden in the file survives. */
  redrawPicture(bytes: Uint8Array): Promise<Redrawn>;
  /** Sends a mail; its text contains no user input. */
  sendMail(to: string, about: TicketMail): Promise<void>;
  /** A message was stored: open pages of both sides read again. */
  wrote(ticket: Pick<TicketRow, "number" | "kind" | "user_id">, author: Author): Promise<void>;
}

/** The further ports of the chat. */
export interface ChatNeeds extends Omit<SupportNeeds, "sendMail" | "mayWriteTo" | "isCaptchaSolved"> {
  nicknameOf(userId: number, timeMs: number): Promise<string>;
  /** A user's read position has changed: all their open pages count again. */
  read(userId: number): Promise<void>;
  /** The default run: an agent labelled as simulated answers until a person does. */
  readonly hasSimulatedAgent: boolean;
}

export interface TicketMail {
  readonly kind: "opened" | "answered";
  readonly number: string;
}
