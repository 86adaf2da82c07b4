// Bounds on what one caller, one connection and all of them together may use. Declared here as data; config.ts reads them.
import { integerSetting } from "./setting.ts";

export const LIMIT_SETTINGS = {
  bodyLimitBytes: integerSetting("CW_BODY_LIMIT_BYTES", "65536", "Largest request body", 1024, 16_777_216),
  headerLimitBytes: integerSetting("CW_HEADER_LIMIT_BYTES", "16384", "Largest request head", 4096, 65_536),
  requestTimeoutMs: integerSetting(
    "CW_REQUEST_TIMEOUT_MS",
    "15000",
    "A request must have arrived whole by then",
    100,
    600_000,
  ),
  handlerTimeoutMs: integerSetting("CW_HANDLER_TIMEOUT_MS", "30000", "An answer must have begun by then", 100, 600_000),
  connectionsMax: integerSetting("CW_CONNECTIONS_MAX", "20000", "Open TCP connections in all", 1, 1_000_000),
  shutdownMs: integerSetting(
    "CW_SHUTDOWN_MS",
    "10000",
    "Running requests get this long to end at shutdown",
    0,
    600_000,
  ),
  weightPerMinute: integerSetting(
    "CW_RATE_WEIGHT_PER_MINUTE",
    "6000",
    "API request weight per minute, of each address and of each account; 0 turns the limit off",
    0,
    1_000_000_000,
  ),
  socketsPerAddress: integerSetting("CW_SOCKETS_PER_ADDRESS", "64", "WebSocket connections per address", 1, 1_000_000),
  socketsMax: integerSetting("CW_SOCKETS_MAX", "10000", "WebSocket connections in all", 1, 1_000_000),
  socketOpensPerMinute: integerSetting(
    "CW_SOCKET_OPENS_PER_MINUTE",
    "300",
    "WebSocket connections one address may open per minute; 0 turns the limit off",
    0,
    1_000_000,
  ),
  socketMessagesPerSecond: integerSetting(
    "CW_SOCKET_MESSAGES_PER_SECOND",
    "5",
    "Control messages per socket and second",
    1,
    10_000,
  ),
  socketSubscriptionsMax: integerSetting("CW_SOCKET_SUBSCRIPTIONS", "1024", "Subscriptions per socket", 1, 100_000),
  socketBufferBytes: integerSetting(
    "CW_SOCKET_BUFFER_BYTES",
    "262144",
    "Unsent bytes per socket before its updates are conflated",
    131_072,
    67_108_864,
  ),
};
