// The dialog behind reason-dialog.tsx: requires the reason of an action before it is done, and shows why it was refused.
// What was typed remains.
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useState } from "react";
import { FormError } from "#session/auth-fields.tsx";
import { useConsoleText } from "#words/console-text.ts";

export const REASON_LENGTH_MIN = 10;

export interface ReasonDialogProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
  /** The label of the button. */
  readonly action: string;
  /** False until the rest of the form is whole. */
  readonly isWhole?: boolean;
  /** The refusal in words; undefined closes the dialog. */
  readonly onSend: (reason: string) => Promise<string | undefined>;
  readonly onClose: () => void;
}

export function ReasonForm(props: ReasonDialogProps) {
  const { title, lead, children, action, isWhole = true, onSend, onClose } = props;
  const text = useConsoleText();
  const [reason, setReason] = useState("");
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    const refused = await onSend(reason.trim());
    setBusy(false);
    setError(refused);
    if (refused === undefined) onClose();
  };
  return (
    <Dialog
      isOpen
      title={title}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      actions={
        <>
          <Button onPress={onClose}>{text("confirm.cancel")}</Button>
          <Button
            kind="primary"
            busy={isBusy}
            isDisabled={reason.trim().length < REASON_LENGTH_MIN || !isWhole}
            onPress={() => void send()}
          >
            {action}
          </Button>
        </>
      }
    >
      <div className="grid gap-4 text-ui">
        {lead !== undefined && <p className="text-muted">{lead}</p>}
        {children}
        <FormError>{error}</FormError>
        <TextField
          label={text("reason.label")}
          help={text("reason.help")}
          value={reason}
          onChange={setReason}
          maxLength={300}
          autoFocus
        />
      </div>
    </Dialog>
  );
}
