// What the support slice wants from others: a captcha, levels, hashing, chance, pictures made anew and mails.
import type { Redrawn } from "@clockwork/kit/picture";

export interface Sealing {
  /** Encrypts. The context must be given again to open: rows cannot be swapped. */
  seal(plain: Uint8Array, context: string): Uint8Array;
  open(sealed: Uint8Array, context: string): Uint8Array;
}

export interface SupportNeeds {
  /** False while strangers have had so much sent to this mailbox that it rests. */
  mayWriteTo(email: string, timeMs: number): Promise<boolean>;
  isCaptchaSolved(answer: Readonly<Record<string, string>> | undefined, timeMs: number): Promise<boolean>;
  /** The VIP level of an account. */
  levelOf(userId: number): number;
  hash(text: string): string;
  /** So many characters of the alphabet, which nobody can foretell. */
  randomText(alphabet: string, length: number): string;
  /** Draws a picture anew, so that nothing hidden in the file survives. */
  redrawPicture(bytes: Uint8Array): Promise<Redrawn>;
  /** Tells somebody by mail; the text holds nothing anybody typed. */
  sendMail(to: string, about: TicketMail): Promise<void>;
}

export interface TicketMail {
  readonly kind: "opened" | "answered";
  readonly number: string;
}
