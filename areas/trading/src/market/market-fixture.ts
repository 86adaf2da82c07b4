// A served exchange with the catalogue listed and the real engine, for tests; closing and opening again is a restart.
import type { Command } from "@clockwork/core/protocol/command";
import { SILENT_LOG } from "@clockwork/host/log";
import type { MarketMode } from "@clockwork/host/part";
import { readConfig } from "@clockwork/host/settings/config";
import { FREE_PASSWORDS } from "@clockwork/identity/accounts/hash-fixture";
import type { ServerClock } from "@clockwork/server/clock/clock";
import type { ProjectedEngine } from "@clockwork/server/engine/projected-engine";
import { SETTLE_MS } from "@clockwork/server/process/account-fixture";
import { type Clockwork, compose } from "@clockwork/server/process/compose";
import { startEngineWithTables } from "@clockwork/server/projectors/start";
import { copyTables } from "@clockwork/server/storage/test-template";

export interface MarketServer {
  readonly one: Clockwork;
  readonly engine: ProjectedEngine;
  readonly url: string;
  readonly socketUrl: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  get(path: string): Promise<any>;
  /** Ids by symbol and pair code. */
  asset(symbol: string): Promise<number>;
  market(pairCode: string): Promise<number>;
  /** A spot account of a user with a million of everything named. */
  trader(user: number, symbols: readonly string[]): Promise<number>;
  close(): Promise<void>;
}

export interface MarketServerOptions {
  readonly folder: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly mode?: MarketMode;
  readonly clock?: ServerClock;
}

/** A month of minutes before the first trade would take seconds to make, and no test here reads it. */
const SHORT_PAST = { CW_MARKET_HISTORY_DAYS: "1" };

/** Tests come from one address and open many lines. */
const UNLIMITED = {
  CW_CHAIN: "off",
  CW_RATE_WEIGHT_PER_MINUTE: "0",
  CW_SOCKET_OPENS_PER_MINUTE: "0",
  CW_SOCKETS_PER_ADDRESS: "1000",
};

export async function startMarketServer(options: MarketServerOptions): Promise<MarketServer> {
  const { folder, mode = "listed", environment = {} } = options;
  if (environment.DATABASE_URL === undefined) await copyTables(folder);
  const { config } = readConfig({ CW_DATA: folder, CW_CAPTCHA: "off", ...SHORT_PAST, ...UNLIMITED, ...environment });
  let engine: ProjectedEngine | undefined;
  const one = await compose({
    config,
    log: SILENT_LOG,
    version: "1",
    market: mode,
    passwords: FREE_PASSWORDS,
    settleMsMax: SETTLE_MS,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    startEngine: async (start) => {
      engine = await startEngineWithTables({ ...start, segmentBytes: 1 << 20 });
      return engine;
    },
  });
  await one.app.listen({ host: "127.0.0.1", port: 0 });
  const address = one.app.server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}`;
  const running = engine as ProjectedEngine;
  const asset = async (symbol: string): Promise<number> =>
    (await running.readListing())?.assets.find((listed) => listed.symbol === symbol)?.asset ?? 0;
  return {
    one,
    engine: running,
    url,
    socketUrl: `ws://127.0.0.1:${port}/ws`,
    get: async (path) => (await (await fetch(`${url}/api${path}`)).json()) as unknown,
    asset,
    async market(pairCode) {
      const listing = await running.readListing();
      const symbols = new Map(listing?.assets.map((listed) => [listed.asset, listed.symbol]));
      const named = ({ base, quote }: { base: number; quote: number }) => `${symbols.get(base)}_${symbols.get(quote)}`;
      return listing?.markets.find((listed) => named(listed) === pairCode)?.market ?? 0;
    },
    async trader(user, symbols) {
      const created = await running.submit({ kind: "createAccount", user, book: "spot" });
      const event = created.events.find(({ kind }) => kind === "accountCreated");
      const account = event?.kind === "accountCreated" ? event.account : 0;
      for (const symbol of symbols) {
        const command: Command = {
          kind: "mint",
          account,
          asset: await asset(symbol),
          business: "deposit",
          units: 10 ** 12,
          reference: `fund:${account}:${symbol}`,
        };
        await running.submit(command);
      }
      return account;
    },
    close: () => one.close(),
  };
}
