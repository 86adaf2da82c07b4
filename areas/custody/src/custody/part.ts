// Connects custody with the chains, the signer, the ledger, users' accounts and the sockets. Contains no rules.
// Everything here starts after pages are served: a slow chain delays nothing else.

import { createHash } from "node:crypto";
import type { Channel } from "@clockwork/host/channel";
import type { Part } from "@clockwork/host/part";
import type { RouteSpec } from "@clockwork/host/route";
import type { Chain, ChainsNeeds, Coins } from "@clockwork/kit/chains/chain";
import { formatUnits, units } from "@clockwork/kit/money";
import type { NoticeKind } from "@clockwork/kit/notice";
import type { PartContext } from "@clockwork/trading/context";
import { ledgerView } from "@clockwork/trading/projectors/ledger/ledger-view";
import type { CoinNetwork } from "@clockwork/trading/wallet/contract";
import { ChainHost } from "../chain/chain-host.ts";
import { chainReader } from "../chain/chain-reader.ts";
import { ChildGone, ChildSlow } from "../chain/child.ts";
import { checksumOf, findAddressProblem } from "../chain/evm.ts";
import { readNetworks } from "../chain/networks.ts";
import type { CustodyPorts } from "../ports.ts";
import { WITHDRAWALS_CHANNEL } from "../withdrawals/contract.ts";
import type { LedgerNeeds } from "../withdrawals/needs.ts";
import { type SendingStore, sendingStore } from "../withdrawals/sending-store.ts";
import { DEPOSITS_CHANNEL } from "./contract.ts";
import { DepositService } from "./deposit-service.ts";
import { devChainRoutes } from "./dev-routes.ts";
import { custodyRoutes } from "./routes.ts";
import { type CustodyStore, custodyStore, type DepositRow } from "./store.ts";
import { composeTreasury, type Treasury } from "./treasury.ts";
import { CustodyViews } from "./view-service.ts";
import { type WatchNeeds, WatchService } from "./watch-service.ts";
import { startWatching, type Watching } from "./watching.ts";
import { composeOutgoing, type Outgoing } from "./withdrawals.ts";

const DEPOSITS: NoticeKind = { kind: "deposits", group: "wallet", defaults: ["live", "letter"] };

export interface Custody extends Part {
  /** The networks that carry a coin, with their rules. */
  networksOf(symbol: string): CoinNetwork[];
}

export function custodyPart(context: PartContext, ports: CustodyPorts): Custody {
  const { log, clock, database, accounts, live } = context;
  accounts.notices.register(DEPOSITS);
  const store = custodyStore(database.kysely);
  const host = openHost(context, store);
  const chains = chainsOf(host);
  const coins = coinsOf(context);
  const report = (fact: string, fields: Readonly<Record<string, unknown>>): void => log.warn(fact, fields);
  const idOf = (network: string, txHash: string, place: number): string =>
    createHash("sha256").update(`${network}:${txHash}:${place}`).digest("hex").slice(0, 20);
  const ledger = ledgerOf(context);
  const sendings = sendingStore(database.kysely);
  const treasury: Treasury = composeTreasury(context, {
    host,
    chains,
    coins,
    store,
    report,
    topUp: (...gas) => outgoing.payouts.topUp(...gas),
    isPaused: (network) => outgoing.isPaused(network),
    pause: (network, cause) => outgoing.review.pause(network, cause),
  });
  const movedNative = movedNativeOf(treasury, sendings);
  const watch = new WatchService({ store, needs: { chains, coins, now: clock.now, idOf, report, movedNative } });
  const running: { watching?: Watching } = {};
  const outgoing: Outgoing = composeOutgoing(context, ports, {
    host,
    store,
    watch,
    chains,
    coins,
    ledger,
    report,
    sendings,
    moveFees: (network, number) => treasury.sweeps.fees(network, number),
    changed: (userId) => {
      const account = String(userId);
      if (!live.isOpen({ channel: WITHDRAWALS_CHANNEL }, account)) return;
      outgoing.withdrawals.list(userId).then(
        (list) => live.publish({ channel: WITHDRAWALS_CHANNEL }, list, { account }),
        (error: unknown) => log.warn("withdrawals.publish.failed", { error }),
      );
    },
    wake: (network) => running.watching?.wake(network),
    standing: (network) => running.watching?.standing(network),
  });
  const { isPaused } = outgoing;
  const signer = () => host.signer;
  const findCoin = (asset: number) => context.market.pairs.findAssetById(asset);
  const views = new CustodyViews({
    store,
    watch,
    needs: { chains, coins, findCoin, now: clock.now, isPaused, signer },
  });
  const deposits = new DepositService({
    store,
    needs: { coins, ledger, now: clock.now, notify: depositNotifier(context), report },
  });
  const publish = async (userIds: Iterable<number>): Promise<void> => {
    for (const userId of userIds) {
      const account = String(userId);
      if (!live.isOpen({ channel: DEPOSITS_CHANNEL }, account)) continue;
      live.publish({ channel: DEPOSITS_CHANNEL }, await views.listDeposits(userId), { account });
    }
  };
  return {
    networksOf: networksOfCoin(views),
    routes: [...custodyRoutes(views, store), ...outgoing.routes, ...treasury.routes, ...developmentRoutes(host)],
    channels: [
      privateChannel(DEPOSITS_CHANNEL, (userId) => views.listDeposits(userId)),
      privateChannel(WITHDRAWALS_CHANNEL, (userId) => outgoing.withdrawals.list(userId)),
    ],
    mount(app) {
      app.addHook("onListen", async () => {
        if (host.networks.length === 0 || context.marketMode === "off") return;
        await outgoing.review.load();
        running.watching = startWatching({ host, watch, deposits, publish, outgoing, treasury, log });
        host.start(await store.readHouse());
      });
    },
    async close() {
      await running.watching?.end();
      host.close();
    },
  };
}

function openHost({ config, log, isTestMoney }: PartContext, store: CustodyStore): ChainHost {
  return new ChainHost({
    folder: config.folder,
    log,
    isDevelopment: isTestMoney && config.chain === "auto",
    isIdle: config.chainPriority === "idle",
    isTimed: config.chainBlocks === "timed",
    configured: readNetworks(config.networksFile),
    onHouse: async ({ extendedPublicKey, hot, cold }) => {
      for (const [name, value] of Object.entries({ extendedPublicKey, hot, cold })) {
        // Another key would send users' money to addresses no one reads.
        if ((await store.keepHouse(name, value)) !== value) return `the keys are others than those in use (${name})`;
      }
      return undefined;
    },
  });
}

function networksOfCoin(views: CustodyViews): Custody["networksOf"] {
  return (symbol) =>
    views.listNetworks().flatMap(({ network, name, state, creditBlocks, unlockBlocks, coins }) => {
      const coin = coins.find(({ asset }) => asset === symbol);
      if (coin === undefined) return [];
      const { depositMin, withdrawMin, withdrawFee } = coin;
      return [{ network, name, state, creditBlocks, unlockBlocks, depositMin, withdrawMin, withdrawFee }];
    });
}

/** The amounts and fees of sweeps, and the gas sent for them. */
function movedNativeOf(treasury: Treasury, sendings: SendingStore): WatchNeeds["movedNative"] {
  return async (network, number) => {
    const moved = new Map(await treasury.sweeps.nativeMoved(network, number));
    for (const [address, gas] of await sendings.toppedUp(network.network, number)) {
      moved.set(address, (moved.get(address) ?? 0n) + gas);
    }
    return moved;
  };
}

function chainsOf(host: ChainHost): ChainsNeeds {
  const readers = new Map<string, Chain>();
  return {
    networks: host.networks,
    chain(network) {
      const known = readers.get(network) ?? chainReader(host.client(network));
      readers.set(network, known);
      return known;
    },
    addressOf: (chainId, userId) => host.addressOf(chainId, userId),
    checksumOf,
    house: () => host.house,
  };
}

function coinsOf({ market }: PartContext): Coins {
  return {
    find: (symbol) => market.pairs.findAsset(symbol),
    worthUnits: (asset, amountUnits) => market.pairs.worthUnits(asset, amountUnits),
  };
}

function ledgerOf({ engine, ledger }: PartContext): LedgerNeeds {
  return {
    submit: engine.submit,
    openAccount: (userId, book = "spot") => ledger.accounts.open(userId, book),
    availableUnits: async (account, asset) =>
      (await ledger.openView(account)).of(ledgerView).balances.get(asset)?.available_units ?? 0n,
  };
}

function depositNotifier({ accounts, market }: PartContext) {
  return async (row: DepositRow, what: "credited" | "taken", timeMs: number): Promise<void> => {
    const amount = `${formatUnits(units(row.units), market.pairs.findAsset(row.asset)?.scale ?? 0)} ${row.asset}`;
    const words =
      what === "credited"
        ? {
            title: `Deposit of ${amount}`,
            body: `${amount} was credited over ${row.network} and is available to trade.`,
          }
        : {
            title: `Deposit of ${amount} reversed`,
            body: `The block with your deposit of ${amount} was replaced by the network. It is credited again once it is confirmed in a new block.`,
          };
    const notice = {
      kind: DEPOSITS.kind,
      reference: `${row.deposit_id}:${row.round}:${what}`,
      path: "/wallet/deposit",
    };
    await accounts.notices.notify(row.user_id, { ...notice, topic: `deposit-${what}`, ...words }, timeMs);
  };
}

function privateChannel(channel: string, read: (userId: number) => Promise<unknown>): Channel {
  return {
    channel,
    kind: "latest",
    isPrivate: true,
    serves: ({ biz, type, pairCode, base }) => [biz, type, pairCode, base].every((part) => part === undefined),
    snapshot: async (_, account) => ({ data: await read(Number(account)) }),
  };
}

/** Empty without development chains. */
function developmentRoutes(host: ChainHost): readonly RouteSpec[] {
  const ask = host.development;
  if (ask === undefined) return [];
  return devChainRoutes({
    networks: host.networks.filter(({ isTest }) => isTest),
    decimalsOf: (network, asset) =>
      asset === "ODD" ? 6 : network.coins.find((coin) => coin.asset === asset)?.decimals,
    addressProblem: (address) =>
      address === address.toLowerCase() && findAddressProblem(address) !== "ADDRESS_INVALID"
        ? undefined
        : findAddressProblem(address),
    failureOf: (error) =>
      error instanceof ChildGone ? "CHAIN_AWAY" : error instanceof ChildSlow ? "CHAIN_SLOW" : "CHAIN_REFUSED",
    faucet: (network, asset, to, amount) => ask({ kind: "faucet", network, asset, to, units: amount.toString() }),
    mine: async (network, blocks) => Number(await ask({ kind: "mine", network, blocks })),
    reorg: async (network, depth, dropped) => Number(await ask({ kind: "reorg", network, depth, dropped })),
  });
}
