// Cloning a bot with own funds, in a dialog.
import { Button } from "@clockwork/ui/button";
import { Dialog } from "@clockwork/ui/dialog";
import { CloneForm, type CloneFormProps } from "./clone-form.tsx";
import { useGridText } from "./grid-text.ts";

export function CloneDialog({ source, isSignedIn }: CloneFormProps) {
  const text = useGridText();
  return (
    <Dialog title={text("detail.clone")} size="small" trigger={<Button>{text("detail.clone")}</Button>}>
      <div className="flex flex-col gap-3">
        <CloneForm source={source} isSignedIn={isSignedIn} />
      </div>
    </Dialog>
  );
}
