// One action of a dialog: busy while it runs, closed when it is done, its refusal next to the field. Also the position
// a dialog is about, in kit's numbers.
import type { DataOf, Endpoint, InputOf } from "@clockwork/kit/endpoint";
import type { ContractInfo } from "@clockwork/trading/markets/contract";
import type { FuturesAccount, FuturesPosition } from "@clockwork/trading/positions/contract";
import { useState } from "react";
import type { Answer } from "#live/answer.ts";
import { sendIntent } from "#live/intent.ts";
import type { RequestClient } from "#live/request.ts";
import { useCalls } from "#session/auth-context.ts";
import { useTerminalLink } from "#trade/terminal-link.ts";
import { useTradeText } from "#trade/trade-text.ts";
import { type KnownContract, readTicks } from "./contract.ts";
import { describeFuturesRefusal, useFuturesText } from "./futures-text.ts";
import { type Account, type Held, readAccount, readHeld, readOthers } from "./preview.ts";
import { useAccountOf, useFee, useKnownContracts, usePositions } from "./use-own.ts";

export interface Act {
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  readonly clear: () => void;
  /** Once, however often it is clicked before it is answered: `intent` defines when two clicks are the same request. */
  readonly intend: <Called extends Endpoint>(
    called: Called,
    intent: object,
    input: Omit<InputOf<Called>, "clientId">,
    onDone: (data: DataOf<Called>) => void,
  ) => void;
  readonly run: <Data>(call: (request: RequestClient) => Promise<Answer<Data>>, onDone: (data: Data) => void) => void;
}

export function useAct(onClose?: () => void): Act {
  const text = useTradeText();
  const words = useFuturesText();
  const calls = useCalls();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const start = async <Data>(call: (request: RequestClient) => Promise<Answer<Data>>, onDone: (data: Data) => void) => {
    setBusy(true);
    setProblem(undefined);
    const answer = await call(await calls());
    setBusy(false);
    if (!answer.ok) {
      setProblem(describeFuturesRefusal(words, text, answer));
      return;
    }
    onDone(answer.data);
    onClose?.();
  };
  return {
    isBusy,
    problem,
    clear: () => setProblem(undefined),
    intend: <Called extends Endpoint>(
      called: Called,
      intent: object,
      input: Omit<InputOf<Called>, "clientId">,
      onDone: (data: DataOf<Called>) => void,
    ) =>
      void start(
        (request) =>
          sendIntent(called.path, intent, { mint: request.mintOrderId, nowMs: Date.now() }, (clientId) =>
            request.call(called, { ...input, clientId } as InputOf<Called>, { api: "futures" }),
          ),
        onDone,
      ),
    run: (call, onDone) => void start(call, onDone),
  };
}

export interface PositionView {
  readonly position: FuturesPosition;
  readonly contract: KnownContract;
  readonly held: Held;
  readonly markTicks: bigint;
  readonly account: Account | undefined;
  readonly served: FuturesAccount | undefined;
  readonly takerRate: string;
  /**
   * The price a market order would get now: the best of the other side where this contract is on the screen, else the
   * mark.
   */
  readonly fillTicks: bigint;
}

/** Nothing while the position's contract is missing, or once it is over. */
export function usePositionView(positionId: string): PositionView | undefined {
  const { positions } = usePositions();
  const position = positions.find((one) => one.positionId === positionId);
  const contracts = useKnownContracts(positions.map(({ pairCode }) => pairCode));
  const contract = position === undefined ? undefined : contracts.get(position.pairCode);
  const served = useAccountOf(contract?.rules.settle ?? "");
  const fee = useFee();
  const market = useTerminalLink<ContractInfo>().market.get();
  if (position === undefined || contract === undefined) return undefined;
  const held = readHeld(contract, position);
  const markTicks = readTicks(contract, position.markPrice);
  if (held === undefined || markTicks === undefined) return undefined;
  const others = readOthers(positions, positionId, contract, (pairCode) => contracts.get(pairCode));
  const best = market.pair.pairCode === position.pairCode ? (held.side > 0n ? market.bid : market.ask) : null;
  return {
    position,
    contract,
    held,
    markTicks,
    served,
    account: served === undefined ? undefined : readAccount(served, contract.rules.settleScale, others),
    takerRate: fee?.takerRate ?? "0.0006",
    fillTicks: (best === null ? undefined : readTicks(contract, best)) ?? markTicks,
  };
}
