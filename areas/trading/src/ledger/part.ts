// Connects the users' accounts of the core with the parts that need them: one resolver, and what sockets receive.
import { setTimeout as sleep } from "node:timers/promises";
import { type BaseContext, runs } from "@clockwork/host/part";
import { createAccountResolver } from "./account-resolver.ts";
import { createLiveAccounts } from "./live-accounts.ts";
import type { Ledger } from "./offer.ts";
import { publishedReader } from "./published.ts";

const SETTLE_MS_MAX = 2_000;

export function ledgerPart(context: BaseContext, settleMsMax = SETTLE_MS_MAX): Ledger {
  const { database, engine, clock } = context;
  const accounts = createAccountResolver({ kysely: database.kysely, submit: engine.submit });
  const live = createLiveAccounts(context, accounts);
  // Lagging tables are no reason to refuse: only the newest rows are missing.
  const settled = async (sequence: number): Promise<void> => {
    const abort = new AbortController();
    const late = sleep(settleMsMax, undefined, { signal: abort.signal }).catch(() => undefined);
    try {
      await Promise.race([engine.reached(sequence), late]);
    } finally {
      abort.abort();
    }
  };
  const listening = runs(() => {
    const stopNoting = engine.cache?.subscribeOpened((account, owner) => accounts.note(account, owner));
    const stopNotifying = live.start();
    return () => {
      stopNotifying();
      stopNoting?.();
    };
  });
  return {
    accounts,
    live,
    ...publishedReader(database.kysely, engine),
    openView: async (account) => {
      if (engine.cache === undefined) throw new Error("the engine keeps no account cache");
      return engine.cache.open(account, clock.now());
    },
    settled,
    ...listening,
    async start() {
      await listening.start();
      await settled(engine.health().durableSequence);
      const blocked = await accounts.blockLeftOpen();
      if (blocked > 0) context.log.warn("ledger.blocked", { accounts: blocked });
    },
  };
}
