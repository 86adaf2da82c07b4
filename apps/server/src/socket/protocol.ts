// The protocol of one connection: sub, unsub, ping, login, logout. Owns what each message means and how it is refused;
// never trusts its shape, its size or its rate.
import { type Authenticate, SOCKET_MESSAGES, type SocketCode, type SocketIdentifier } from "@clockwork/host/channel";
import { isMark } from "@clockwork/kit/session-cookie";
import { parseSocketMessage, type SocketMessage, type SocketTopic } from "@clockwork/kit/wire";
import type { Hub } from "./hub.ts";
import type { Reader } from "./reader.ts";

/** The first identifier that recognises the token decides. */
export function authenticateBy(identifiers: readonly SocketIdentifier[]): Authenticate {
  return async (token) => {
    for (const { authenticate } of identifiers) {
      const found = await authenticate(token);
      if (found !== null) return found;
    }
    return null;
  };
}

export interface ProtocolParts {
  readonly hub: Hub;
  readonly authenticate: Authenticate;
  readonly clock: () => number;
}

const BATCH_MAX = 200;
const TOKEN_MAX = 4096;
const LOGIN_FAILURES_MAX = 5;

export function refuseMessage(
  reader: Reader,
  event: "subfail" | "error",
  code: SocketCode,
  topic: Partial<SocketTopic> = {},
): void {
  const { channel, biz, type, pairCode, base } = topic;
  reader.answer({ event, channel, biz, type, pairCode, base, data: { code, message: SOCKET_MESSAGES[code] } });
}

/** Takes one text message. The promise ends when a login has been decided. */
export async function receive(parts: ProtocolParts, reader: Reader, text: string): Promise<void> {
  const nowMs = parts.clock();
  reader.receivedMs = nowMs;
  if (!reader.takeToken(nowMs)) return refuseMessage(reader, "error", "RATE_LIMITED");
  const message = parseSocketMessage(text);
  if (message === undefined) return refuseMessage(reader, "error", "MALFORMED_MESSAGE");
  switch (message.event) {
    case "ping":
      return reader.answer({ event: "pong" });
    case "sub":
      return eachTopic(reader, message, (topic, data) => {
        const code = parts.hub.subscribe(reader, topic, readSequence(data));
        if (code !== undefined) refuseMessage(reader, "subfail", code, topic);
      });
    case "unsub":
      return eachTopic(reader, message, (topic) => parts.hub.unsubscribe(reader, topic));
    case "login":
      return login(parts, reader, message);
    case "logout":
      parts.hub.leaveAccount(reader);
      return reader.answer({ event: "logout" });
    default:
      return refuseMessage(reader, "error", "UNKNOWN_EVENT");
  }
}

/** One topic in the message itself, or many in its data: a page that reconnects sends all its topics at once. */
function eachTopic(reader: Reader, message: SocketMessage, take: (topic: SocketTopic, data: unknown) => void): void {
  const items: readonly unknown[] = Array.isArray(message.data) ? message.data : [message];
  if (items.length > BATCH_MAX) {
    refuseMessage(reader, "error", "MALFORMED_MESSAGE");
    return;
  }
  for (const item of items) {
    const topic = readTopic(item);
    if (topic === undefined) refuseMessage(reader, "subfail", "UNKNOWN_CHANNEL");
    else take(topic, (item as { data?: unknown }).data);
  }
}

function readTopic(item: unknown): SocketTopic | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const record = item as Record<string, unknown>;
  const parts = [record.channel, record.biz, record.type, record.pairCode, record.base];
  const isPlain = parts.every((part) => part === undefined || typeof part === "string");
  return isPlain && typeof record.channel === "string" ? (record as unknown as SocketTopic) : undefined;
}

/** The sequence a reader resumes from. */
function readSequence(data: unknown): number | undefined {
  const sequence = (data as { sequence?: unknown } | null | undefined)?.sequence;
  return Number.isSafeInteger(sequence) && (sequence as number) >= 0 ? (sequence as number) : undefined;
}

async function authenticateAny({ authenticate }: ProtocolParts, tokens: readonly string[]): ReturnType<Authenticate> {
  for (const token of tokens) {
    const found = await authenticate(token);
    if (found !== null) return found;
  }
  return null;
}

async function login(parts: ProtocolParts, reader: Reader, message: SocketMessage): Promise<void> {
  const token = (message.data as { token?: unknown } | null | undefined)?.token;
  const isNamed = typeof token === "string" && token !== "" && token.length <= TOKEN_MAX && !isMark(token);
  // A browser cannot name what authorises it: the cookies its connection was opened with do.
  const found = await authenticateAny(parts, isNamed ? [token] : reader.cookieTokens);
  if (!reader.isOpen) return;
  if (found === null) {
    reader.loginFailures += 1;
    refuseMessage(reader, "error", "UNAUTHENTICATED");
    if (reader.loginFailures >= LOGIN_FAILURES_MAX) reader.end("login");
    return;
  }
  if (reader.account !== undefined && reader.account !== found.account) parts.hub.leaveAccount(reader);
  reader.account = found.account;
  reader.session = found.session;
  reader.accountEndsMs = found.endsMs ?? Number.POSITIVE_INFINITY;
  reader.loginFailures = 0;
  reader.answer({ event: "login", data: { account: found.account } });
  // A login may name the private stream it is for.
  const topic = readTopic(message);
  const code = topic === undefined ? undefined : parts.hub.subscribe(reader, topic, readSequence(message.data));
  if (topic !== undefined && code !== undefined) refuseMessage(reader, "subfail", code, topic);
}
