// Every open connection of the Binance dialect, to report a user's stream usage.

import { addressKey } from "@clockwork/host/address";
import type { KeyLimits } from "@clockwork/identity/apikeys/contract";
import { STREAMS_MAX } from "./board.ts";
import type { Connection } from "./connection.ts";

export type ConnectionLimit = ReturnType<typeof connectionLimit>;

export function connectionLimit() {
  const open = new Set<Connection>();
  return {
    add(connection: Connection): void {
      open.add(connection);
      connection.onClose(() => void open.delete(connection));
    },
    /**
     * Each connection has its own limit: of several the fullest is reported. Public streams require no key, so those
     * count by address, as weight does.
     */
    read(userId: number, address: string): Pick<KeyLimits, "streams" | "connections"> {
      const key = addressKey(address);
      const own = [...open].filter((one) => one.userIds.has(userId) || addressKey(one.address) === key);
      const used = own.reduce((most, { streams }) => Math.max(most, streams.size), 0);
      return { streams: { used, max: STREAMS_MAX }, connections: own.length };
    },
  };
}
