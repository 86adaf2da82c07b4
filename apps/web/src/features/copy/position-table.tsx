// Open positions of a copy or lead book as a table, each to be closed by hand.
import { COPY_CALLS, type CopyKind, type CopyPosition, SPOT_COPY_CALLS } from "@clockwork/strategies/copy/contract";
import { POSITION_CALLS } from "@clockwork/trading/positions/contract";
import { Button } from "@clockwork/ui/button";
import { showToast } from "@clockwork/ui/toast";
import { type ReactNode, useState } from "react";
import { latePart } from "#boot/late-part.tsx";
import { useCalls } from "#session/auth-context.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useCopyAct } from "./copy-calls.ts";
import { gain, money, price, toneOf } from "./copy-figures.ts";
import { useCopyText } from "./copy-text.ts";
import { PairSide } from "./pair-side.tsx";
import { CopyTable } from "./tables.tsx";

const TradeStopsDialog = latePart(async () => (await import("./trade-stops-dialog.tsx")).TradeStopsDialog);

export interface PositionTableProps {
  readonly positions: readonly CopyPosition[];
  readonly kind: CopyKind;
  /** Whose book they are in as trading calls name it; by default the copy of the leader it names. */
  readonly accountOf?: ((row: CopyPosition) => string) | undefined;
  /** A card of one leader already shows the name. */
  readonly hasLeader?: boolean;
  /** Of a copy that has ended: coins it kept may be taken home. */
  readonly isOver?: boolean;
}

const copyAccount = ({ leaderId }: CopyPosition): string => `copy:${leaderId}`;

export function PositionTable(props: PositionTableProps) {
  const { kind, positions, accountOf = copyAccount, hasLeader = true, isOver = false } = props;
  const text = useCopyText();
  const { close, sell, takeHome, closing } = useClosing(kind);
  const leader = { title: text("mine.leader"), isLeft: true, cell: (row: CopyPosition) => row.nickname };
  const [setting, setSetting] = useState<CopyPosition>();
  // A lead book belongs to its owner: its stops are set where the owner trades.
  const isCopy = accountOf === copyAccount;
  const hasStops = kind === "futures" && isCopy;
  const button = (row: CopyPosition, name: string, onPress: () => void): ReactNode => (
    <Button
      kind="ghost"
      size={28}
      busy={closing === row.positionId}
      aria-label={`${name} ${row.pairCode.replace("_", "")}`}
      onPress={onPress}
    >
      {name}
    </Button>
  );
  const act = (row: CopyPosition) => (
    <span className="flex justify-end gap-1">
      {kind === "spot" && isOver && button(row, text("mine.home"), () => void takeHome(row))}
      {button(
        row,
        text("mine.closeOne"),
        () => void (kind === "spot" ? sell(row) : close(row.positionId, accountOf(row))),
      )}
    </span>
  );
  const stops = {
    title: text("mine.stops"),
    cell: (row: CopyPosition) => (
      <Button
        kind="ghost"
        size={28}
        aria-label={`${text("mine.setStops")} ${row.pairCode.replace("_", "")} ${describeStops(row)}`}
        onPress={() => setSetting(row)}
      >
        {describeStops(row)}
      </Button>
    ),
  };
  return (
    <>
      <CopyTable
        label={text("mine.positions")}
        rows={positions}
        keyOf={({ positionId }) => positionId}
        empty={text("mine.noPositions")}
        columns={[
          { title: text("pair"), isLeft: true, cell: (row) => <PairSide {...row} /> },
          ...(hasLeader ? [leader] : []),
          { title: text("size"), cell: (row) => row.quantity },
          { title: text("entry"), cell: (row) => price(row.entryPrice) },
          { title: text("mark"), cell: (row) => price(row.markPrice) },
          { title: text(kind === "spot" ? "cost" : "mine.margin"), cell: (row) => money(row.margin) },
          {
            title: text("unrealised"),
            cell: (row) => <span className={toneOf(row.unrealizedPnl)}>{gain(row.unrealizedPnl)}</span>,
          },
          ...(hasStops ? [stops] : []),
          { title: text("mine.act"), isHidden: true, cell: act },
        ]}
      />
      {setting !== undefined && <TradeStopsDialog position={setting} onClose={() => setSetting(undefined)} />}
    </>
  );
}

const describeStops = ({ takeProfit, stopLoss }: CopyPosition): string =>
  [takeProfit, stopLoss].map((at) => (at === null ? "–" : price(at))).join(" · ");

/** Closes a position at the market from its book; of spot, sells what a copy holds of a coin. */
function useClosing(kind: CopyKind) {
  const calls = useCalls();
  const words = useAuthText();
  const text = useCopyText();
  const { actOnce } = useCopyAct();
  const [closing, setClosing] = useState<string>();
  // The whole of a position that ends: a second press finds none.
  const close = async (positionId: string, account: string) => {
    setClosing(positionId);
    const client = await calls();
    const answer = await client.call(POSITION_CALLS.close, { biz: "futures", account, positionId }, { api: "futures" });
    setClosing(undefined);
    if (answer.ok) showToast({ title: text("mine.closedOne"), tone: "done" });
    else showToast({ title: describeFailure(words, answer), tone: "danger" });
  };
  const sell = async ({ positionId, leaderId, pairCode, quantity }: CopyPosition) => {
    setClosing(positionId);
    const sold = await actOnce(SPOT_COPY_CALLS.close, { leaderId, pairCode });
    setClosing(undefined);
    if (sold === undefined) return;
    const isWhole = sold.filled === quantity;
    const title = isWhole ? text("mine.sold") : text("mine.soldPart", { filled: sold.filled });
    showToast({ title, tone: isWhole ? "done" : "warn" });
  };
  /** All of a coin that is left, to the last unit. */
  const takeHome = async ({ positionId, leaderId, pairCode }: CopyPosition) => {
    setClosing(positionId);
    const [asset] = pairCode.split("_");
    const moved = await actOnce(COPY_CALLS[kind].transfer, { direction: "out", leaderId, asset, amount: "all" });
    setClosing(undefined);
    if (moved !== undefined) showToast({ title: text("lead.moved"), tone: "done" });
  };
  return { close, sell, takeHome, closing };
}
