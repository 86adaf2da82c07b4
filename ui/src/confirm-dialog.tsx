// A question with two answers: OK does it, Cancel and Esc leave everything as it was.
import type { ReactElement, ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { useLabels } from "./locale.tsx";

export interface ConfirmDialogProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly trigger: ReactElement;
  readonly onConfirm: () => void;
}

export function ConfirmDialog({ title, children, trigger, onConfirm }: ConfirmDialogProps) {
  const labels = useLabels();
  return (
    <Dialog
      alert
      title={title}
      trigger={trigger}
      actions={(close) => (
        <>
          <Button onPress={close}>{labels.cancel}</Button>
          <Button
            kind="primary"
            onPress={() => {
              close();
              onConfirm();
            }}
          >
            {labels.ok}
          </Button>
        </>
      )}
    >
      {children}
    </Dialog>
  );
}
