// Which dialog of the futures screens is open: set by form, rows, keys and the bar, shown by one host. Each is loaded when
// it is first asked for.
import { Suspense } from "react";
import { lazy } from "#boot/patience.ts";
import { createStore } from "#live/store.ts";
import { useLinked } from "#trade/terminal-link.ts";

export type FuturesDialog =
  | { readonly kind: "leverage" | "mode" | "transfer" | "calculator" }
  | { readonly kind: "close"; readonly positionId: string; readonly by: "market" | "limit" }
  | { readonly kind: "reverse" | "margin" | "stops" | "share"; readonly positionId: string };

const open = createStore<FuturesDialog | undefined>(undefined);

export function openDialog(dialog: FuturesDialog): void {
  open.set(dialog);
}

const close = () => open.set(undefined);

const LeverageDialog = lazy(() => import("./leverage-dialog.tsx").then((part) => ({ default: part.LeverageDialog })));
const ModeDialog = lazy(() => import("./mode-dialog.tsx").then((part) => ({ default: part.ModeDialog })));
const TransferDialog = lazy(() => import("./transfer-dialog.tsx").then((part) => ({ default: part.TransferDialog })));
const Calculator = lazy(() => import("./calculator-dialog.tsx").then((part) => ({ default: part.CalculatorDialog })));
const CloseDialog = lazy(() => import("./close-dialog.tsx").then((part) => ({ default: part.CloseDialog })));
const ReverseDialog = lazy(() => import("./reverse-dialog.tsx").then((part) => ({ default: part.ReverseDialog })));
const MarginDialog = lazy(() => import("./margin-dialog.tsx").then((part) => ({ default: part.MarginDialog })));
const StopsDialog = lazy(() => import("./stops-dialog.tsx").then((part) => ({ default: part.StopsDialog })));
const ShareDialog = lazy(() => import("./share-dialog.tsx").then((part) => ({ default: part.ShareDialog })));

function Shown({ dialog }: { readonly dialog: FuturesDialog }) {
  switch (dialog.kind) {
    case "leverage":
      return <LeverageDialog onClose={close} />;
    case "mode":
      return <ModeDialog onClose={close} />;
    case "transfer":
      return <TransferDialog onClose={close} />;
    case "calculator":
      return <Calculator onClose={close} />;
    case "close":
      return <CloseDialog positionId={dialog.positionId} by={dialog.by} onClose={close} />;
    case "reverse":
      return <ReverseDialog positionId={dialog.positionId} onClose={close} />;
    case "margin":
      return <MarginDialog positionId={dialog.positionId} onClose={close} />;
    case "stops":
      return <StopsDialog positionId={dialog.positionId} onClose={close} />;
    case "share":
      return <ShareDialog positionId={dialog.positionId} onClose={close} />;
  }
}

export function FuturesDialogs() {
  const dialog = useLinked(open);
  return <Suspense fallback={null}>{dialog !== undefined && <Shown dialog={dialog} />}</Suspense>;
}
