// Where clients of the Binance dialect open their streams, and their methods there: SUBSCRIBE, UNSUBSCRIBE,
// LIST_SUBSCRIPTIONS, SET_PROPERTY. Addresses: /stream?streams=a/b, /stream/ws, /stream/ws/<stream>, those of
// contracts, and those without a market's name: /ws/<stream>, and /public/ws, /market/ws, /private/ws of contracts.

import type { Door } from "@clockwork/host/channel";
import type { Clock } from "@clockwork/host/clock";
import type { Log } from "@clockwork/host/log";
import { DAY_MS } from "@clockwork/kit/time";
import { STREAMS_MAX, type StreamBoard } from "./board.ts";
import { Connection } from "./connection.ts";
import type { ConnectionLimit } from "./connection-limit.ts";

export interface StreamDoorParts {
  /** Paths it serves. */
  readonly fits: RegExp;
  readonly board: Pick<StreamBoard, "join" | "leave">;
  readonly connections: Pick<ConnectionLimit, "add">;
  /** Joins the user stream a listen key names; false when there is none. */
  readonly joinUser: (connection: Connection, listenKey: string) => Promise<boolean>;
  readonly log: Log;
  readonly rate: () => number;
  readonly clock: Pick<Clock, "now" | "at">;
}

/** No connection lasts longer: clients of the dialect open another one. */
export function endAfterDay(connection: Connection, clock: Pick<Clock, "now" | "at">): void {
  connection.onClose(clock.at(clock.now() + DAY_MS, () => connection.end(1000, "24 hours have passed")));
}

/** Below the name of a market: `stream` is spot's. */
export const pathsOf = (name: string): RegExp =>
  new RegExp(`^/${name}(/(public|market|private))?(/(ws|stream)(/.*)?)?$`);
/** Without one: only contracts have these members. */
export const CONTRACT_PATHS = /^\/(public|market|private)(\/(ws|stream)(\/.*)?)?$/;
/** The market of these follows from what is subscribed there. */
export const OPEN_PATHS = /^\/ws\/.+$/;

const PARTS = /^(?:\/[a-z]?stream)?(?:\/(?:public|market|private))?(?:\/(?:ws|stream))?(?:\/(.*))?$/;

const NAME_MAX = 128;

/** Numbers after the base count a client's connections; anything else names streams. */
const COUNT = /^[0-9]{0,4}$/;

interface Requested {
  readonly isCombined: boolean;
  readonly isMicro: boolean;
  readonly names: readonly string[];
}

export function streamDoor(parts: StreamDoorParts): Door {
  return {
    serves: (path) => parts.fits.test(path),
    open(socket, stream, { url, address }) {
      // Before any early return: a socket's error without a listener ends the process.
      socket.on("error", () => socket.terminate());
      const requested = readUrl(url);
      if (requested === undefined) return socket.close(1008, "Unknown stream");
      const connection = new Connection(socket, stream, {
        address,
        isCombined: requested.isCombined,
        isMicro: requested.isMicro,
        nowMs: parts.rate(),
      });
      parts.connections.add(connection);
      endAfterDay(connection, parts.clock);
      // One after the other: responses keep the order of the requests.
      let turn = joinAll(parts, connection, requested.names);
      const fail = (error: unknown): void => {
        parts.log.warn("dialect.stream.failed", { error });
        connection.end(1011, "Internal error");
      };
      turn.catch(fail);
      socket.on("message", (data, isBinary) => {
        if (isBinary || !connection.takeToken(parts.rate())) return;
        turn = turn.then(async () => connection.answer(await listen(parts, connection, data.toString())));
        turn.catch(fail);
      });
      return undefined;
    },
  };
}

async function joinAll(
  { board, joinUser }: StreamDoorParts,
  connection: Connection,
  names: readonly string[],
): Promise<void> {
  for (const one of names) {
    if (board.join(connection, one) || (await joinUser(connection, one))) continue;
    return connection.end(1008, "Unknown stream");
  }
  return undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Nothing when the address is no text. */
function readUrl(url: string): Requested | undefined {
  // A plus is one: names of streams have it, and no blanks.
  const { pathname, searchParams } = new URL(url.replaceAll("+", "%2B"), "http://local");
  const listenKey = searchParams.get("listenKey");
  const streams = searchParams.get("streams");
  const isCombined = streams !== null || pathname.endsWith("/stream");
  const named = streams ?? decode(PARTS.exec(pathname)?.[1] ?? "");
  if (named === undefined) return undefined;
  const names = named.split("/").filter((one) => one !== "" && !COUNT.test(one));
  const isMicro = searchParams.get("timeUnit")?.toUpperCase().startsWith("MICROSECOND") === true;
  return { isCombined, isMicro, names: listenKey === null ? names : [...names, listenKey] };
}

const fail = (id: unknown, code: number, msg: string): object => ({ error: { code, msg }, id });

async function listen({ board, joinUser }: StreamDoorParts, connection: Connection, text: string): Promise<object> {
  let message: { method?: unknown; params?: unknown; id?: unknown };
  try {
    message = JSON.parse(text) as typeof message;
  } catch {
    return fail(null, 3, "Invalid JSON: expected value at line 1 column 1");
  }
  if (typeof message !== "object" || message === null)
    return fail(null, 2, "Invalid request: request must be an object");
  const { method, params = [], id = null } = message;
  if (!Array.isArray(params)) return fail(id, 2, "Invalid request: params must be a list");
  switch (method) {
    case "SUBSCRIBE": {
      const names = params.filter((name) => typeof name === "string" && name.length <= NAME_MAX) as string[];
      if (names.length < params.length) return fail(id, 2, "Invalid request: invalid stream");
      // All of them or none: a refusal leaves the connection as it was.
      const joined: string[] = [];
      for (const name of names) {
        const isNew = !connection.streams.has(name);
        if (board.join(connection, name) || (await joinUser(connection, name))) {
          if (isNew) joined.push(name);
          continue;
        }
        const isFull = connection.streams.size >= STREAMS_MAX;
        for (const one of joined) board.leave(connection, one);
        return fail(id, 2, isFull ? "Too many streams" : `Invalid request: unknown stream ${name}`);
      }
      return { result: null, id };
    }
    case "UNSUBSCRIBE":
      if (!params.every((name) => typeof name === "string")) return fail(id, 2, "Invalid request: invalid stream");
      for (const name of params) board.leave(connection, name);
      return { result: null, id };
    case "LIST_SUBSCRIPTIONS":
      return { result: [...connection.streams.keys()], id };
    case "SET_PROPERTY":
      if (params[0] !== "combined" || typeof params[1] !== "boolean")
        return fail(id, 2, "Invalid request: unknown property");
      connection.isCombined = params[1];
      return { result: null, id };
    case "GET_PROPERTY":
      return params[0] === "combined"
        ? { result: connection.isCombined, id }
        : fail(id, 2, "Invalid request: unknown property");
    default:
      return fail(id, 2, "Invalid request: unknown method");
  }
}
