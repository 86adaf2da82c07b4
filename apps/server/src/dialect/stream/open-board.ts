// Streams of connections whose address names no market: contracts where only they can be meant, spot otherwise. The
// first subscription of a connection decides for all of it, so that a subscriber of contracts never receives spot.
import type { StreamBoard } from "./board.ts";
import type { Connection } from "./connection.ts";

type Board = Pick<StreamBoard, "join" | "leave">;
type JoinUser = (connection: Connection, listenKey: string) => Promise<boolean>;

export interface StreamMarket {
  readonly board: Board;
  readonly joinUser: JoinUser;
}

/** Linear contracts before inverse ones: of a name that both have the first is meant. */
export function anyOf(markets: readonly StreamMarket[]): StreamMarket {
  return {
    board: {
      join: (connection, name) => markets.some(({ board }) => board.join(connection, name)),
      // A connection leaves its streams through itself.
      leave: (connection, name) => markets[0]?.board.leave(connection, name),
    },
    async joinUser(connection, listenKey) {
      for (const { joinUser } of markets) if (await joinUser(connection, listenKey)) return true;
      return false;
    },
  };
}

export function openMarket(spot: StreamMarket, contracts: StreamMarket): StreamMarket {
  const chosen = new WeakMap<Connection, StreamMarket>();
  const choices = (connection: Connection): readonly StreamMarket[] => {
    const one = chosen.get(connection);
    return one === undefined ? [spot, contracts] : [one];
  };
  return {
    board: {
      join(connection, name) {
        const market = choices(connection).find(({ board }) => board.join(connection, name));
        if (market !== undefined) chosen.set(connection, market);
        return market !== undefined;
      },
      leave: (connection, name) => spot.board.leave(connection, name),
    },
    async joinUser(connection, listenKey) {
      for (const market of choices(connection)) {
        if (!(await market.joinUser(connection, listenKey))) continue;
        chosen.set(connection, market);
        return true;
      }
      return false;
    },
  };
}
