// Which connections receive which streams of the Binance dialect. A stream starts with its first subscriber and ends
// with the last one; every message is encoded once.
import { type Connection, type News, newsOf } from "./connection.ts";

export const STREAMS_MAX = 1_024;

/** Starts a stream; the returned function ends it. `publish` takes each message's data. */
export type StreamSource = (publish: (data: object) => void) => () => void;

/** Undefined when there is no such stream. */
export type FindSource = (name: string) => StreamSource | undefined;

interface Running {
  readonly hearers: Set<Connection>;
  stop: () => void;
}

export function streamBoard(find: FindSource) {
  const running = new Map<string, Running>();
  /** The first subscriber is registered before the stream starts: some publish their state at once. */
  const start = (name: string, source: StreamSource, first: Connection): Running => {
    const hearers = new Set<Connection>([first]);
    const made: Running = { hearers, stop: () => undefined };
    running.set(name, made);
    made.stop = source((data) => {
      const news: News = newsOf(name, data);
      for (const hearer of hearers) hearer.publish(news);
    });
    return made;
  };
  return {
    /** False when there is no such stream or the connection has as many as it may. */
    join(connection: Connection, name: string): boolean {
      if (connection.streams.has(name)) return true;
      if (connection.streams.size >= STREAMS_MAX) return false;
      const known = running.get(name);
      const source = known === undefined ? find(name) : undefined;
      if (known === undefined && source === undefined) return false;
      const stream = known ?? start(name, source as StreamSource, connection);
      stream.hearers.add(connection);
      connection.streams.set(name, () => {
        stream.hearers.delete(connection);
        if (stream.hearers.size > 0 || running.get(name) !== stream) return;
        running.delete(name);
        stream.stop();
      });
      return true;
    },
    leave(connection: Connection, name: string): void {
      const leave = connection.streams.get(name);
      connection.streams.delete(name);
      leave?.();
    },
    get size(): number {
      return running.size;
    },
  };
}

export type StreamBoard = ReturnType<typeof streamBoard>;
