// The host of the dialogs of the futures screens: shows the one that is open. Each is loaded on first use.
import { Suspense } from "react";
import { lazy } from "#boot/timeout.ts";
import { useLinked } from "#trade/terminal-link.ts";
import { type FuturesDialog, openedDialog } from "./model/open-dialog.ts";

const close = () => openedDialog.set(undefined);

const LeverageDialog = lazy(() =>
  import("./form/leverage-dialog.tsx").then((part) => ({ default: part.LeverageDialog })),
);
const ModeDialog = lazy(() => import("./form/mode-dialog.tsx").then((part) => ({ default: part.ModeDialog })));
const TransferDialog = lazy(() =>
  import("./form/transfer-dialog.tsx").then((part) => ({ default: part.TransferDialog })),
);
const Calculator = lazy(() =>
  import("./calculator/calculator-dialog.tsx").then((part) => ({ default: part.CalculatorDialog })),
);
const CloseDialog = lazy(() => import("./positions/close-dialog.tsx").then((part) => ({ default: part.CloseDialog })));
const ReverseDialog = lazy(() =>
  import("./positions/reverse-dialog.tsx").then((part) => ({ default: part.ReverseDialog })),
);
const MarginDialog = lazy(() =>
  import("./positions/margin-dialog.tsx").then((part) => ({ default: part.MarginDialog })),
);
const StopsDialog = lazy(() => import("./positions/stops-dialog.tsx").then((part) => ({ default: part.StopsDialog })));
const ShareDialog = lazy(() => import("./share/share-dialog.tsx").then((part) => ({ default: part.ShareDialog })));

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
  const dialog = useLinked(openedDialog);
  return <Suspense fallback={null}>{dialog !== undefined && <Shown dialog={dialog} />}</Suspense>;
}
