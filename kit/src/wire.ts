// The shapes that cross the network: envelope and socket messages. Never throws on bad input.

/**
 * Every response of the API. The success code is 0 under /v2/users and 200 elsewhere; errors have a stable text code.
 */
export interface Envelope<Data> {
  readonly code: number | string;
  readonly data: Data;
  readonly message: string;
  readonly requestId?: string;
}

export const SOCKET_SENT_EVENTS = ["sub", "unsub", "ping", "login", "logout"] as const;
export type SocketSentEvent = (typeof SOCKET_SENT_EVENTS)[number];
export const SOCKET_RECEIVED_EVENTS = ["data", "pong", "subfail", "error"] as const;
export type SocketReceivedEvent = (typeof SOCKET_RECEIVED_EVENTS)[number];

/** Identifies one stream; `base` is the base asset where a channel distinguishes it from the pair. */
export interface SocketTopic {
  readonly channel: string;
  readonly biz?: string;
  readonly type?: string;
  readonly pairCode?: string;
  readonly base?: string;
}

/** Both directions use one shape; `data` is the request's argument or the result. */
export interface SocketMessage extends Partial<SocketTopic> {
  readonly event: string;
  /** The number of this update in its stream, or of the last update a snapshot contains. */
  readonly sequence?: number;
  /** An update that covers more than one number: the first of them; `sequence` is the last. */
  readonly firstSequence?: number;
  readonly snapshot?: boolean;
  /** The response to a subscription that resumed at a sequence: nothing more is missing. */
  readonly resumed?: boolean;
  readonly data?: unknown;
}

/**
 * One text per stream, equal for equal topics however they were written. The base asset describes, it is not part of
 * the key.
 */
export function topicKey(topic: Partial<SocketTopic>): string {
  return [topic.channel, topic.biz, topic.type, topic.pairCode].map((part) => part ?? "").join("|");
}

/** Reads a frame; anything but an object with a text event is no message. */
export function parseSocketMessage(text: string): SocketMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const record = value as Record<string, unknown>;
  if (typeof record.event !== "string") return undefined;
  for (const field of ["channel", "biz", "type", "pairCode", "base"] as const) {
    const part = record[field];
    if (part === null) delete record[field];
    else if (part !== undefined && typeof part !== "string") return undefined;
  }
  for (const field of ["sequence", "firstSequence"] as const) {
    if (record[field] !== undefined && !Number.isSafeInteger(record[field])) return undefined;
  }
  return record as unknown as SocketMessage;
}
