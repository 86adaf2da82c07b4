// What is the user's own as the spot screens need it: balances, open orders and the fee level. Only for signed-in users.
import { SPOT_CALLS, type SpotBalance, type SpotFee } from "@clockwork/trading/spot/contract";
import { useContext, useEffect, useState } from "react";
import { type SpotFeeds, type SpotOrders, spotFeeds } from "#live/feeds/spot-feeds.ts";
import { LiveContext, RequestContext, useChannel } from "#live/react.ts";
import type { RequestClient } from "#live/request.ts";
import { useCalls } from "#session/auth-context.ts";

/** Used until the page's clients are there; it has no listeners. */
const NO_CLIENT = {} as RequestClient;

export function useSpotFeeds(): SpotFeeds {
  return spotFeeds(useContext(RequestContext) ?? NO_CLIENT);
}

export interface Own {
  readonly balances: ReadonlyMap<string, SpotBalance> | undefined;
  readonly openOrders: SpotOrders["open"] | undefined;
  readonly fee: SpotFee | undefined;
}

/** A visitor owns nothing here. */
export const NOBODY: Own = { balances: undefined, openOrders: undefined, fee: undefined };

export function useOwn(): Own {
  const feeds = useSpotFeeds();
  const balances = useChannel(feeds.balances);
  const orders = useChannel(feeds.orders);
  const fee = useFee();
  return {
    balances: balances.empty ? undefined : new Map(balances.value.map((balance) => [balance.asset, balance])),
    openOrders: orders.empty ? undefined : orders.value.open,
    fee,
  };
}

/** The level changes once a day at most: it is requested once per page, and again after an interrupted connection. */
function useFee(): SpotFee | undefined {
  const calls = useCalls();
  const hub = useContext(LiveContext);
  const [fee, setFee] = useState<SpotFee>();
  useEffect(() => {
    let gone = false;
    const ask = async () => {
      const answer = await (await calls()).call(SPOT_CALLS.fee, {});
      if (answer.ok && !gone) setFee(answer.data);
    };
    void ask();
    const release = hub?.onBehind(() => void ask());
    return () => {
      gone = true;
      release?.();
    };
  }, [calls, hub]);
  return fee;
}
