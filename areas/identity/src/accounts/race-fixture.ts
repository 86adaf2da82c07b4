// A listening process of accounts whose database answers with seeded delays: concurrent calls interleave differently
// every time. Everything else is as served, except passwords, which cost nothing here.

import { setTimeout } from "node:timers/promises";
import { SILENT_LOG } from "@clockwork/host/log";
import type { RouteSpec } from "@clockwork/host/route";
import { readConfig } from "@clockwork/host/settings/config";
import { createRandom } from "@clockwork/kit/random";
import { clockOf } from "@clockwork/server/clock/clock-fixture";
import { serveApp } from "@clockwork/server/http/app-fixture";
import { collectMigrations, migrate } from "@clockwork/server/storage/migrations";
import type { TestDatabase } from "@clockwork/server/storage/test-databases";
import type { KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from "kysely";
import type { Accounts } from "../offers.ts";
import { composeAccounts } from "./accounts.ts";
import { FREE_PASSWORDS } from "./hash-fixture.ts";
import { loadSecretKey, openVault } from "./secret-key.ts";

export interface RaceServer {
  readonly url: string;
  readonly accounts: Accounts;
  /** Sessions whose sockets were closed. */
  readonly endedSockets: readonly string[];
  /** Delays the database's answers by this seed from now on; undefined stops the delays. */
  stall(seed: number | undefined): void;
  close(): Promise<void>;
}

const ROOT = new URL("../../../..", import.meta.url).pathname;
const STALL_MAX_MS = 4;

/** Delays answers: a caller continues a little later than another. */
class Stalls implements KyselyPlugin {
  random: ReturnType<typeof createRandom> | undefined;

  transformQuery({ node }: PluginTransformQueryArgs) {
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs) {
    const delayMs = this.random?.below(STALL_MAX_MS + 1) ?? 0;
    if (delayMs > 0) await setTimeout(delayMs);
    return result;
  }
}

export async function startRaceServer(
  database: TestDatabase,
  environment: Record<string, string>,
  more: readonly RouteSpec[] = [],
): Promise<RaceServer> {
  const { folder, url } = database.options();
  const settings = {
    CW_DATA: folder,
    CW_CAPTCHA: "off",
    CW_CHAIN: "off",
    CW_RATE_WEIGHT_PER_MINUTE: "0",
    ...environment,
  };
  const { config, problems } = readConfig(url === undefined ? settings : { ...settings, DATABASE_URL: url });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  await migrate(database.database(), collectMigrations(ROOT));
  const stalls = new Stalls();
  const endedSockets: string[] = [];
  const accounts = composeAccounts({
    config,
    vault: openVault(loadSecretKey(config.folder, config.secretKey)),
    log: SILENT_LOG,
    clock: clockOf(Date.now),
    passwords: FREE_PASSWORDS,
    kysely: database.database().kysely.withPlugin(stalls),
    pictures: { redraw: () => Promise.reject(new Error("no pictures here")) },
    openBook: async () => undefined,
    findLink: async () => undefined,
    vipLevelOf: async () => 0,
    holdsAssets: async () => false,
    isHeldByOperator: async () => false,
    endSockets: (ids) => endedSockets.push(...ids),
    publish: () => undefined,
  });
  const { routes = [], identifiers = [] } = accounts;
  const served = await serveApp({ config, routes: [...routes, ...more], identifiers }, {}, (app) =>
    accounts.mount?.(app),
  );
  return {
    url: served.url,
    accounts,
    endedSockets,
    stall: (seed) => {
      stalls.random = seed === undefined ? undefined : createRandom(seed);
    },
    close: () => served.close(),
  };
}
