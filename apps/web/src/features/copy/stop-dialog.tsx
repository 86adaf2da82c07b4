// Prompts for the handling of positions when a follow ends.
import { COPY_CALLS, type CopyKind, type Follow } from "@clockwork/strategies/copy/contract";
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { useCopyAct } from "./copy-calls.ts";
import { useCopyText } from "./copy-text.ts";

interface StopDialogProps {
  readonly kind: CopyKind;
  readonly follow: Follow;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function StopDialog({ kind, follow, onClose, onDone }: StopDialogProps) {
  const text = useCopyText();
  const { act, busy } = useCopyAct();
  const stop = async (positions: "close" | "keep") => {
    if ((await act(COPY_CALLS[kind].cancel, { leaderId: follow.leaderId, positions })) !== undefined) onDone();
  };
  return (
    <Dialog
      title={text("mine.stopTitle", { name: follow.nickname })}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <p className="text-muted text-ui">{text("mine.stopLead")}</p>
      <div className="mt-5 flex flex-col gap-2">
        <Button kind="sell" size={40} wide busy={busy} onPress={() => void stop("close")}>
          {text("mine.stopClose")}
        </Button>
        <Button size={40} wide busy={busy} onPress={() => void stop("keep")}>
          {text("mine.stopKeep")}
        </Button>
        <Button kind="ghost" size={40} wide onPress={onClose}>
          {text("mine.cancel")}
        </Button>
      </div>
    </Dialog>
  );
}
