// The shape of a message, the retry period, and the size of the outbox.

export type MessageChannel = "mail" | "sms" | "push";

export interface Message {
  /** An e-mail address, the digits of a phone number or the token of a phone. */
  readonly to: string;
  readonly channel: MessageChannel;
  /** The occasion: sign-up, login, new-device… */
  readonly kind: string;
  readonly subject: string;
  readonly text: string;
  /** The code in the text, for the outbox of demo runs. */
  readonly code?: string;
  /** Stable over retries, so that the receiving server can deduplicate. */
  readonly id?: string;
  /** The one-click unsubscribe link; also sent as a mail header. */
  readonly unsubscribeUrl?: string;
  /** The page a push opens. */
  readonly path?: string;
  /** Written like any other and never sent, so that timing reveals nothing. */
  readonly isVoid?: boolean;
}

/** Sent to many: queues behind all messages to single users. */
export const BROADCAST_KIND = "broadcast";

export const TRIES_MAX = 6;
export const OUTBOX_MAX = 1000;
/** Codes are valid for ten minutes; a message that could not leave for an hour is useless. */
export const VOID_MS = 60_000;

/** The delay after the n-th failed try. */
export function retryDelayMs(tries: number): number {
  return Math.min(5 * 60_000, 2000 * 3 ** (tries - 1));
}

/** The receiver's own word before everything else, as proof that the message is ours. */
export function openWith(word: string | undefined, text: string): string {
  return word === undefined ? text : `Anti-phishing code: ${word}\n\n${text}`;
}

export interface MessageBody {
  readonly subject: string;
  readonly text: string;
  readonly code?: string;
  readonly id?: string;
  readonly unsubscribeUrl?: string;
  readonly path?: string;
}

export function packBody({ subject, text, code, id, unsubscribeUrl, path }: Message): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ subject, text, code, id, unsubscribeUrl, path }));
}

export function unpackBody(bytes: Uint8Array): MessageBody {
  return JSON.parse(new TextDecoder().decode(bytes)) as MessageBody;
}

/** Binds the sealed text to its receiver: under another receiver it cannot be opened. */
export function sealContext(receiver: string): string {
  return `message:${receiver}`;
}
