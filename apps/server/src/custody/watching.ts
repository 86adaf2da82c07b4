// The turns in which networks are read and deposits moved on: at every block a chain tells of, and every second besides.
// One turn at a time for each network; a turn that fails is tried again by the next.
import type { DepositService } from "@clockwork/domains/custody/deposit-service";
import type { WatchService } from "@clockwork/domains/custody/watch-service";
import type { Network } from "@clockwork/kit/chains/network";
import type { Log } from "../base/log.ts";
import type { ChainHost } from "../chain/chain-host.ts";
import type { Treasury } from "./treasury.ts";
import type { Outgoing } from "./withdrawals.ts";

export interface WatchingParts {
  readonly host: ChainHost;
  readonly watch: WatchService;
  readonly deposits: DepositService;
  readonly publish: (userIds: Iterable<number>) => Promise<void>;
  /** What goes out, moved on after what came in. */
  readonly outgoing: Outgoing;
  /** The house's own moves, after what goes out. */
  readonly treasury: Treasury;
  readonly log: Log;
}

const POLL_MS = 2_000;
const INSIDE_TURNS = 30;
const SWEEP_TURNS = 10;
const RECONCILE_MS = 60_000;

export interface Watching {
  /** There is something to do on a network before its next block. */
  wake(network: string): void;
  /** After the turns that are under way. */
  end(): Promise<void>;
}

export function startWatching(parts: WatchingParts): Watching {
  const { host, log, outgoing } = parts;
  const loops = new Map(host.networks.map((network) => [network.network, makeLoop(parts, network)]));
  host.onBlock((network) => loops.get(network)?.wake());
  const timer = setInterval(() => {
    for (const loop of loops.values()) loop.wake();
  }, POLL_MS);
  timer.unref();
  const onFault = (error: unknown): void => log.warn("custody.reconcile.failed", { error });
  const { refills } = parts.treasury;
  let reconciling: Promise<unknown> = Promise.resolve();
  const reconcile = setInterval(() => {
    reconciling = Promise.all([outgoing.reconcile.run(), refills.levels()]).catch(onFault);
  }, RECONCILE_MS);
  reconcile.unref();
  return {
    wake: (network) => loops.get(network)?.wake(),
    end: async () => {
      clearInterval(timer);
      clearInterval(reconcile);
      await Promise.all([...loops.values()].map((loop) => loop.end()));
      await reconciling;
    },
  };
}

function makeLoop({ host, watch, deposits, publish, outgoing, treasury, log }: WatchingParts, network: Network) {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isEnded = false;
  let turns = 0;
  let wasAway = false;
  const turn = async (): Promise<void> => {
    try {
      await outgoing.withdrawals.resume();
      await outgoing.speed.resume();
      await outgoing.review.simulate();
      const head = await watch.read(network);
      await publish(await deposits.progress(network, head));
      if (await outgoing.payouts.turn(network, head)) isWanted = true;
      const isLooking = turns % SWEEP_TURNS === 0 && !outgoing.isPaused(network.network);
      await treasury.sweeps.turn(network, head, isLooking);
      // After the house's own moves were seen: what they brought to an address is no deposit.
      if (turns % INSIDE_TURNS === 0) await watch.lookInside(network);
      turns += 1;
      wasAway = false;
    } catch (error) {
      // Our own chain comes up after the pages: until it has told where, nothing is wrong.
      if (!host.client(network.network).isPointed) return;
      // Told once: an outage of minutes is one fact.
      if (!wasAway) log.warn("custody.turn.failed", { network: network.network, error });
      wasAway = true;
    }
  };
  const wake = (): void => {
    isWanted = true;
    running ??= (async () => {
      while (isWanted && !isEnded) {
        isWanted = false;
        await turn();
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
