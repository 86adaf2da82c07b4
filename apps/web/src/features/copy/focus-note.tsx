// A private note of a user about a leader on their watchlist.
import { COPY_CALLS, type CopyKind } from "@clockwork/strategies/copy/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { TextField } from "@clockwork/ui/text-field";
import { showToast } from "@clockwork/ui/toast";
import { useContext, useEffect, useState } from "react";
import { RequestContext } from "#live/react.ts";
import { useCopyAct } from "./copy-calls.ts";
import { useCopyText } from "./copy-text.ts";

interface FocusNoteProps {
  readonly kind: CopyKind;
  readonly leaderId: string;
}

export function FocusNote({ kind, leaderId }: FocusNoteProps) {
  const text = useCopyText();
  const request = useContext(RequestContext);
  const { act, busy } = useCopyAct();
  const [note, setNote] = useState<string>();
  useEffect(() => {
    void request?.call(COPY_CALLS[kind].focused, {}).then((answer) => {
      if (answer.ok) setNote((known) => known ?? answer.data.find((one) => one.leaderId === leaderId)?.note ?? "");
    });
  }, [request, kind, leaderId]);
  const save = async () => {
    if ((await act(COPY_CALLS[kind].focus, { leaderId, isOn: true, note: (note ?? "").trim() })) === undefined) return;
    showToast({ title: text("follow.saved"), tone: "done" });
  };
  return (
    <Card title={text("note")} aside={<span className="text-[13px] text-muted">{text("note.only")}</span>}>
      <div className="flex items-end gap-2">
        <TextField
          label={text("note")}
          labelHidden
          value={note ?? ""}
          onChange={setNote}
          maxLength={200}
          className="flex-1"
        />
        <Button size={40} busy={busy} isDisabled={note === undefined} onPress={() => void save()}>
          {text("note.save")}
        </Button>
      </div>
    </Card>
  );
}
