// Connects the users' accounts of the core with everybody who needs them: one resolver, and what sockets are told.
import { setTimeout as sleep } from "node:timers/promises";
import type { CachedAccount } from "../engine/projection/account-cache.ts";
import { type BaseContext, type PartWith, runs } from "../part.ts";
import { type AccountResolver, createAccountResolver } from "./account-resolver.ts";
import { createLiveAccounts, type LiveAccounts } from "./live-accounts.ts";
import { type ToldReader, toldReader } from "./told.ts";

export interface Ledger extends PartWith<"start" | "close">, ToldReader {
  readonly accounts: AccountResolver;
  readonly live: LiveAccounts;
  /** What an account has now, never older than the last answer its owner was given. */
  readonly openView: (account: number) => Promise<CachedAccount>;
  /** Resolves when the tables hold everything up to this sequence, or after a while. */
  readonly settled: (sequence: number) => Promise<void>;
}

const PATIENCE_MS = 2_000;

export function ledgerPart(context: Omit<BaseContext, "ledger">): Ledger {
  const { database, engine, clock, tablesPatienceMs = PATIENCE_MS } = context;
  const accounts = createAccountResolver({ kysely: database.kysely, submit: engine.submit });
  const live = createLiveAccounts(context, accounts);
  // Tables that lag are no reason to refuse: what is missing is only the newest.
  const settled = async (sequence: number): Promise<void> => {
    const abort = new AbortController();
    const late = sleep(tablesPatienceMs, undefined, { signal: abort.signal }).catch(() => undefined);
    await Promise.race([engine.reached(sequence), late]);
    abort.abort();
  };
  const listening = runs(() => {
    const stopNoting = engine.cache?.subscribeOpened((account, owner) => accounts.note(account, owner));
    const stopTelling = live.start();
    return () => {
      stopTelling();
      stopNoting?.();
    };
  });
  return {
    accounts,
    live,
    ...toldReader(database.kysely, engine),
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
