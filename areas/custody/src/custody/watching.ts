// The turns in which networks are read, deposits processed and payments made: at every block a chain announces, and
// every few seconds. Deposits have turns of their own for each network, so that no queue of payments delays a deposit;
// payments follow, up to the block that was read last. A failed turn is retried by the next.

import type { Log } from "@clockwork/host/log";
import { every } from "@clockwork/host/time/background";
import type { Network } from "@clockwork/kit/chains/network";
import type { ChainHost } from "../chain/chain-host.ts";
import type { Standing } from "../withdrawals/reconcile-service.ts";
import type { DepositService } from "./deposit-service.ts";
import type { Treasury } from "./treasury.ts";
import type { WatchService } from "./watch-service.ts";
import type { Outgoing } from "./withdrawals.ts";

export interface WatchingParts {
  readonly host: ChainHost;
  readonly watch: WatchService;
  readonly deposits: DepositService;
  readonly publish: (userIds: Iterable<number>) => Promise<void>;
  /** Payments, processed after deposits. */
  readonly outgoing: Outgoing;
  /** The exchange's own moves, after payments. */
  readonly treasury: Treasury;
  readonly log: Log;
}

const POLL_MS = 2_000;
const INSIDE_TURNS = 30;
const SWEEP_TURNS = 10;
const RECONCILE_MS = 60_000;

export interface Watching {
  /** There is something to send over a network before its next block. */
  wake(network: string): void;
  /** The block up to which all deposits and payments were processed. */
  standing(network: string): Standing | undefined;
  /** After the turns that are under way. */
  end(): Promise<void>;
}

export function startWatching(parts: WatchingParts): Watching {
  const { host, log, outgoing } = parts;
  const standings = new Map<string, Standing>();
  const goingOut = new Map(
    host.networks.map((network) => [network.network, makeLoop(parts, network, outTurn(parts, network, standings))]),
  );
  const wake = (network: string): void => goingOut.get(network)?.wake();
  const comingIn = new Map(
    host.networks.map((network) => [network.network, makeLoop(parts, network, inTurn(parts, network, wake))]),
  );
  const loops = [...comingIn.values(), ...goingOut.values()];
  host.onBlock((network) => comingIn.get(network)?.wake());
  const timer = every(
    "custody.watch",
    () => {
      for (const loop of loops) loop.wake();
    },
    POLL_MS,
  );
  timer.unref();
  const onFault = (error: unknown): void => log.warn("custody.reconcile.failed", { error });
  const { refills } = parts.treasury;
  let reconciling: Promise<unknown> = Promise.resolve();
  const reconcile = every(
    "custody.watch",
    () => {
      reconciling = Promise.all([outgoing.reconcile.run(), refills.levels()]).catch(onFault);
    },
    RECONCILE_MS,
  );
  reconcile.unref();
  return {
    wake,
    standing: (network) => standings.get(network),
    end: async () => {
      clearInterval(timer);
      clearInterval(reconcile);
      await Promise.all(loops.map((loop) => loop.end()));
      await reconciling;
    },
  };
}

/** True when there is more work at once. */
type Turn = () => Promise<boolean>;

function inTurn({ watch, deposits, publish }: WatchingParts, network: Network, wake: (network: string) => void): Turn {
  return async () => {
    const head = await watch.read(network);
    await publish(await deposits.progress(network, head));
    wake(network.network);
    return false;
  };
}

function outTurn(
  { watch, outgoing, treasury }: WatchingParts,
  network: Network,
  standings: Map<string, Standing>,
): Turn {
  let turns = 0;
  return async () => {
    await outgoing.withdrawals.resume();
    await outgoing.speed.resume();
    await outgoing.review.resume();
    await outgoing.review.simulate();
    const read = await watch.cursor(network.network);
    if (read === undefined) return false;
    const { number, hash } = read;
    const isMore = await outgoing.payouts.turn(network, number);
    const isLooking = turns % SWEEP_TURNS === 0 && !outgoing.isPaused(network.network);
    await treasury.sweeps.turn(network, number, isLooking);
    standings.set(network.network, { number, hash });
    if (turns % INSIDE_TURNS === 0) await watch.checkInside(network, number);
    turns += 1;
    return isMore;
  };
}

/** One turn at a time. */
function makeLoop({ host, log }: WatchingParts, { network }: Network, turn: Turn) {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isEnded = false;
  let answer = "";
  const tryTurn = async (): Promise<void> => {
    try {
      if (await turn()) isWanted = true;
      answer = "";
    } catch (error) {
      // Our own chain starts after pages are served: until it has reported its address, nothing is wrong.
      if (!host.client(network).isPointed) return;
      // Logged once: an outage of minutes is one fact.
      const message = error instanceof Error ? error.message : String(error);
      if (answer !== message) log.warn("custody.turn.failed", { network, error });
      answer = message;
    }
  };
  const wake = (): void => {
    isWanted = true;
    running ??= (async () => {
      while (isWanted && !isEnded) {
        isWanted = false;
        await tryTurn();
      }
      running = undefined;
    })();
  };
  return {
    wake,
    end: async (): Promise<void> => {
      isEnded = true;
      await running;
    },
  };
}
