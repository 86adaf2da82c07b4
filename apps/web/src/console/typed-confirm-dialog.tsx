// The dialog behind typed-confirm.tsx: states what happens, and requires the typed name of what stops.
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useState } from "react";
import { useConsoleText } from "#words/console-text.ts";

export interface TypedConfirmProps {
  readonly title: string;
  /** What happens to whom, as text. */
  readonly children: ReactNode;
  /** What has to be typed. */
  readonly word: string;
  readonly onConfirm: (typed: string) => void;
  readonly onClose: () => void;
}

export function TypedConfirmDialog({ title, children, word, onConfirm, onClose }: TypedConfirmProps) {
  const text = useConsoleText();
  const [typed, setTyped] = useState("");
  const isSame = typed.trim() === word;
  return (
    <Dialog
      alert
      isOpen
      title={title}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      actions={(close) => (
        <>
          <Button onPress={close}>{text("confirm.cancel")}</Button>
          <Button
            kind="primary"
            isDisabled={!isSame}
            onPress={() => {
              close();
              onConfirm(typed);
            }}
          >
            {title}
          </Button>
        </>
      )}
    >
      <div className="grid gap-4 text-ui">
        {children}
        <TextField label={text("confirm.type", { word })} value={typed} onChange={setTyped} maxLength={64} autoFocus />
      </div>
    </Dialog>
  );
}
