// What a message is, how long it is tried, and how many the outbox holds.

export type MessageChannel = "mail" | "sms" | "push";

export interface Message {
  /** An e-mail address, the digits of a phone number or the token of a phone. */
  readonly to: string;
  readonly channel: MessageChannel;
  /** What it is about: sign-up, login, new-device… */
  readonly kind: string;
  readonly subject: string;
  readonly text: string;
  /** The code inside, so that whoever tries the product need not read the text. */
  readonly code?: string;
  /** Written like any other and sent to nobody: whoever watches the clock learns nothing. */
  readonly isVoid?: boolean;
}

export const TRIES_MAX = 6;
export const OUTBOX_MAX = 1000;
/** Codes live ten minutes; a message that could not leave for an hour helps nobody. */
export const VOID_MS = 60_000;

/** How long to wait after the n-th failed try. */
export function retryDelayMs(tries: number): number {
  return Math.min(5 * 60_000, 2000 * 3 ** (tries - 1));
}

export interface MessageBody {
  readonly subject: string;
  readonly text: string;
  readonly code?: string;
}

export function packBody({ subject, text, code }: Message): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ subject, text, ...(code === undefined ? {} : { code }) }));
}

export function unpackBody(bytes: Uint8Array): MessageBody {
  return JSON.parse(new TextDecoder().decode(bytes)) as MessageBody;
}

/** Ties the sealed text to its receiver: a row given another receiver cannot be opened. */
export function sealContext(receiver: string): string {
  return `message:${receiver}`;
}
