// Connects withdrawals with the signer, the ledger, users' accounts, operators and the sockets. Contains no rules.

import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { RouteContext, RouteSpec } from "@clockwork/host/route";
import { AttemptService } from "@clockwork/identity/attempts/service";
import { attemptStore } from "@clockwork/identity/attempts/store";
import { readAccountName } from "@clockwork/kit/account";
import type { ChainsNeeds, Coins } from "@clockwork/kit/chains/chain";
import { confirmationsOf } from "@clockwork/kit/chains/network";
import { formatUnits, parseUnits, units } from "@clockwork/kit/money";
import type { NoticeKind } from "@clockwork/kit/notice";
import { done, refused } from "@clockwork/kit/result";
import type { PartContext } from "@clockwork/trading/context";
import { settledAt } from "@clockwork/trading/ledger/settled";
import type { Kysely } from "kysely";
import { Gauge } from "prom-client";
import type { ChainHost } from "../chain/chain-host.ts";
import { findAddressProblem } from "../chain/evm.ts";
import { readFlagged } from "../chain/networks.ts";
import type { SignerRequest } from "../chain/signer-wire.ts";
import { BatchService } from "../payouts/service.ts";
import type { CustodyPorts } from "../ports.ts";
import { BookService } from "../withdrawals/book-service.ts";
import { SpeedService } from "../withdrawals/fee-service.ts";
import type { LedgerNeeds, NameNeeds, PayoutNeeds } from "../withdrawals/needs.ts";
import { PayoutService } from "../withdrawals/payout-service.ts";
import { type ReconcileNeeds, ReconcileService } from "../withdrawals/reconcile-service.ts";
import { ReviewService, VerifyService } from "../withdrawals/review-service.ts";
import { withdrawRoutes } from "../withdrawals/routes.ts";
import { NAME_RULE } from "../withdrawals/rules.ts";
import type { SendingStore } from "../withdrawals/sending-store.ts";
import { type Caller, WithdrawService } from "../withdrawals/service.ts";
import { unclaimedStore, type WithdrawalRow, withdrawStore } from "../withdrawals/store.ts";
import { lockedOf } from "./locked.ts";
import type { CustodyStore } from "./store.ts";
import type { WatchService } from "./watch-service.ts";

export interface OutgoingParts {
  readonly host: ChainHost;
  readonly store: CustodyStore;
  readonly watch: WatchService;
  readonly chains: ChainsNeeds;
  readonly coins: Coins;
  readonly ledger: LedgerNeeds;
  readonly report: (fact: string, fields: Readonly<Record<string, unknown>>) => void;
  /** A user's list changed. */
  readonly changed: (userId: number) => void;
  readonly wake: (network: string) => void;
  readonly standing: ReconcileNeeds["standing"];
  readonly sendings: SendingStore;
  /** The fees of the exchange's own moves: read when chains and ledger are reconciled. */
  readonly moveFees: ReconcileNeeds["moveFees"];
}

export interface Outgoing {
  readonly routes: readonly RouteSpec[];
  readonly withdrawals: WithdrawService;
  readonly review: ReviewService;
  readonly payouts: PayoutService;
  readonly reconcile: ReconcileService;
  readonly speed: SpeedService;
  /** By an operator, by an alarm, or because the keys in use are missing. */
  readonly isPaused: (network: string) => boolean;
}

const USDT_SCALE = 6;
const WITHDRAWALS: NoticeKind = { kind: "withdrawals", group: "wallet", defaults: ["live", "letter", "mail"] };
const REST_MS = 700;

export function composeOutgoing(context: PartContext, ports: CustodyPorts, parts: OutgoingParts): Outgoing {
  const { accounts, database, clock, config } = context;
  const { store, chains, coins, ledger, watch, report, changed, wake, sendings } = parts;
  accounts.notices.register(WITHDRAWALS);
  const own = withdrawStore(database.kysely);
  const named = names(context);
  const isPaused = (network: string): boolean => parts.host.keysProblem !== undefined || review.isPaused(network);
  const locked = lockedOf(context, ports);
  const withdrawals = new WithdrawService({
    store: own,
    needs: {
      chains,
      coins,
      ledger,
      now: clock.now,
      wake,
      changed,
      isPaused,
      ...people(context, ports),
      locked,
      ...named,
      addressProblem: findAddressProblem,
      ownerOf: async (address) => (await store.findAddress(address))?.user_id,
      confirmationsOf: (row) => shownConfirmations(row, watch, chains),
      reasonsOf: (row) => verify.reasonsOf(row),
      hasCode: codeFinder(chains),
      randomId: () => randomBytes(8).toString("hex"),
    },
  });
  const verify = verifyService(context, parts, withdrawals);
  const speed = new SpeedService({
    withdrawals: own,
    sendings,
    needs: { chains, coins, ledger, now: clock.now, wake, changed },
  });
  const review: ReviewService = new ReviewService({
    store: own,
    withdrawals,
    needs: {
      now: clock.now,
      isHeld: accounts.guard.isHeld,
      hasSimulatedReviewer: context.isTestMoney && config.simulatedReviewer === "auto",
      wake,
      changed,
      signer: () => ({ state: parts.host.signer, problem: parts.host.keysProblem ?? "" }),
    },
  });
  const payouts = new PayoutService({
    sendings,
    withdrawals: own,
    needs: {
      chains,
      coins,
      ledger,
      now: clock.now,
      isPaused,
      changed,
      report,
      pause: (network, cause) => review.pause(network, cause),
      sign: (ask) => parts.host.sign(signerRequest(ask)),
      batches: new BatchService({ now: clock.now }),
      isHeld: accounts.guard.isHeld,
      holdBack: (row) => review.holdBack(row),
      settle: (row) => withdrawals.settle(row),
      notify: withdrawalNotifier(context),
    },
  });
  const reconcile = new ReconcileService({
    store,
    sendings,
    gifts: unclaimedStore(database.kysely),
    needs: reconcileNeeds(context, parts, review),
  });
  const book = new BookService({
    store: own,
    needs: { chains, now: clock.now, addressProblem: findAddressProblem, ...codes(context), ...named },
  });
  const proposeRelease = accounts.proposals.register(review.releaseKind());
  const proposeOpen = accounts.proposals.register(review.openKind());
  const desk = { withdrawals, book, review, reconcile, speed, audit: context.audit, proposeRelease, proposeOpen };
  const routes = withdrawRoutes({
    ...desk,
    callerOf: (call) => callerOf(context, call),
    locked,
    record: ({ userId, session, timeMs }, kind) => accounts.guard.record(Number(userId), session?.id, kind, timeMs),
  });
  return { routes, withdrawals, review, payouts, reconcile, speed, isPaused };
}

/** The request of the signer's process: it contains no more than needed. */
function signerRequest(request: Parameters<PayoutNeeds["sign"]>[0]): SignerRequest {
  const { key, network, asset, to, units, nonce, gas, maxFee, tip, topUpFor, allow, parts } = request;
  const ask = { key, network, nonce, gas, maxFee, tip };
  if (topUpFor !== undefined) return { kind: "topUp", userId: topUpFor, units, ...ask };
  if (allow !== undefined) return { kind: "allow", asset, isReset: allow === "reset", ...ask };
  if (parts !== undefined) return { kind: "payMany", asset, parts, ...ask };
  return { kind: "pay", asset, to, units, ...ask };
}

function verifyService(
  { accounts, clock, config, database }: PartContext,
  { coins, ledger }: OutgoingParts,
  withdrawals: WithdrawService,
): VerifyService {
  const isFlagged = readFlagged(config.flaggedFile);
  return new VerifyService({
    store: withdrawStore(database.kysely),
    needs: {
      now: clock.now,
      limitUnits: (userId) => withdrawals.limitUnits(userId),
      createdMs: async (userId) => (await accounts.users.find(userId))?.created_at_ms ?? clock.now(),
      async leftUnits({ user_id, book, asset }) {
        const [account, coin] = [await ledger.openAccount(user_id, book), coins.find(asset)];
        return account === undefined || coin === undefined ? 0n : ledger.availableUnits(account, coin.asset);
      },
      isFlagged: async (_, address) => isFlagged(address),
    },
  });
}

/** A contract found once is cached. */
function codeFinder(chains: ChainsNeeds) {
  const seen = new Set<string>();
  return async (network: string, contract: string): Promise<boolean | undefined> => {
    const key = `${network}:${contract}`;
    if (seen.has(key)) return true;
    const hasCode = await chains
      .chain(network)
      .hasCode(contract)
      .catch(() => undefined);
    if (hasCode === true) seen.add(key);
    return hasCode;
  };
}

/** The user data custody needs. */
function people({ accounts, clock }: PartContext, { raiseLimit }: CustodyPorts) {
  const { guard, kyc, security, users } = accounts;
  return {
    async limitOf(userId: number) {
      const [limit, identityLevel] = await Promise.all([
        kyc.withdrawalLimitOf(userId, clock.now()),
        kyc.levelOf(userId, clock.now()),
      ]);
      const read = parseUnits(limit, USDT_SCALE);
      return read.done
        ? formatUnits(units(await raiseLimit(read.value, { userId, identityLevel })), USDT_SCALE)
        : limit;
    },
    levelOf: (userId: number) => kyc.levelOf(userId, clock.now()),
    listLocks: (userId: number, inside?: Kysely<unknown>) => security.listLocks(userId, clock.now(), inside),
    changeAt: guard.changeAt,
    isHeld: guard.isHeld,
    async protection(userId: number) {
      const [hasTotp, hasTradePassword, hasPasskeys, owner] = await Promise.all([
        security.hasTotp(userId),
        security.hasTradePassword(userId),
        accounts.hasPasskeys(userId),
        users.find(userId),
      ]);
      const codeBy = hasTotp ? ("totp" as const) : owner?.email === null ? ("phone" as const) : ("email" as const);
      return { hasTradePassword, hasPasskeys, codeBy };
    },
  };
}

/** Receivers by name: all users but operators, who do not trade. */
function names({ accounts: { users }, clock, database }: PartContext): NameNeeds {
  const attempts = new AttemptService(attemptStore(database.kysely));
  return {
    async findUser(name) {
      const read = readAccountName(name);
      const named = read === undefined ? undefined : await users.findByName(read);
      const isNumber = named === undefined && /^[0-9]{1,10}$/.test(name);
      const found = isNumber ? await users.find(Number(name)) : named;
      return found?.role === "user" ? found.id : undefined;
    },
    judge: async (userId, isRight) => (await attempts.judge(`names:${userId}`, NAME_RULE, clock.now(), isRight)).locked,
  };
}

function codes({ accounts, clock }: PartContext) {
  const { security } = accounts;
  return {
    async checkCode(userId: number, code: string, subjectKey?: string) {
      const isRight = await security.checkCode(userId, code, clock.now(), subjectKey);
      if (typeof isRight === "object") return refused("TOO_MANY_TRIES", String(isRight.retryAfterSeconds));
      return isRight ? done(null) : refused("PROOF_WRONG");
    },
    rest: (userId: number, inside: Kysely<unknown>) => security.rest(userId, "whitelist-left", clock.now(), inside),
    changeAt: accounts.guard.changeAt,
  };
}

/** The first factor first: a code is spent by looking at it. */
function callerOf(context: PartContext, call: RouteContext): Caller {
  const { accounts, clock } = context;
  const userId = Number(call.userId);
  const prove: Caller["prove"] = async (proof, subject) => {
    const { tradePassword, passkey, code } = proof ?? {};
    if (code === undefined || (tradePassword === undefined && passkey === undefined)) return refused("PROOF_REQUIRED");
    const isOwner =
      tradePassword === undefined
        ? await accounts.provePasskey(call, passkey, userId)
        : await accounts.security.checkTradePassword(userId, tradePassword, clock.now());
    if (typeof isOwner === "object") return refused("TOO_MANY_TRIES", String(isOwner.retryAfterSeconds));
    return isOwner ? codes(context).checkCode(userId, code, subject.key) : refused("PROOF_WRONG");
  };
  const readVersion = () => accounts.guard.versionOf(call);
  const sendCode: Caller["sendCode"] = (subject, captcha) =>
    accounts.security.sendStepUpCode({ userId }, captcha, clock.now(), subject);
  return { userId, isKey: call.caller.kind === "key", readVersion, prove, sendCode };
}

function shownConfirmations(row: WithdrawalRow, watch: WatchService, chains: ChainsNeeds): number {
  const needed = chains.networks.find(({ network }) => network === row.network)?.unlockBlocks ?? 0;
  return Math.min(needed, confirmationsOf(row.block_number, watch.stateOf(row.network)?.head ?? row.block_number ?? 0));
}

function withdrawalNotifier({ accounts, market, clock }: PartContext) {
  return async (row: WithdrawalRow, what: "done" | "failed"): Promise<void> => {
    const amount = `${formatUnits(units(row.amount_units), market.pairs.findAsset(row.asset)?.scale ?? 0)} ${row.asset}`;
    const words =
      what === "done"
        ? { title: `Withdrawal of ${amount}`, body: `Your withdrawal of ${amount} over ${row.network} is complete.` }
        : {
            title: `Withdrawal of ${amount} failed`,
            body: `The network rejected the withdrawal. ${amount} was returned to your account.`,
          };
    const notice = { kind: WITHDRAWALS.kind, reference: `${row.withdrawal_id}:${what}`, path: "/wallet/withdraw" };
    await accounts.notices.notify(row.user_id, { ...notice, topic: `withdrawal-${what}`, ...words }, clock.now());
  };
}

function reconcileNeeds(
  { clock, engine, metrics }: PartContext,
  { chains, coins, report, moveFees, standing }: OutgoingParts,
  review: ReviewService,
) {
  const gauge = new Gauge({
    name: "custody_difference",
    help: "What chains hold beyond what ledger, ways and gifts explain, in 1e-30 of the coin; anything but 0 is an alarm",
    labelNames: ["asset"],
    registers: [metrics.registry],
  });
  const gifts = new Gauge({
    name: "custody_gifts",
    help: "Unattributed deposits to the exchange's own addresses, in 1e-30 of the coin",
    labelNames: ["asset"],
    registers: [metrics.registry],
  });
  return {
    chains,
    coins,
    report,
    moveFees,
    standing,
    now: clock.now,
    settled: () => settledAt(engine, 0),
    rest: () => sleep(REST_MS),
    pause: (network: string, cause: string) => review.pause(network, cause),
    // A gauge is a float: zero is exact, and only zero matters here.
    show: (asset: string, difference: bigint, given: bigint) => {
      gauge.set({ asset }, Number(difference));
      gifts.set({ asset }, Number(given));
    },
  };
}
