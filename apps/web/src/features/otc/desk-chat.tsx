// The chat of an order in the operators' console: both sides by their role, pictures on demand, and a message to both.
import { type ChatMessage, type DeskCase, OTC_ORDER_CALLS } from "@clockwork/fiat/otcorders/contract";
import { formatDateTime } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import type { OperatorAction } from "#console/operator-action.tsx";
import { useCalls } from "#session/auth-context.ts";
import { FailedLine } from "#session/failed-line.tsx";
import { describeOr, useOtcText } from "./otc-text.ts";

export interface DeskPartProps {
  readonly found: DeskCase;
  readonly complaintId: number;
  readonly action: OperatorAction;
  readonly onDone: () => void;
}

export function DeskChat({ found, complaintId, action, onDone }: DeskPartProps) {
  const text = useOtcText();
  const count = (
    <span className="text-[13px] text-muted">{text("desk.messages", { count: found.messages.length })}</span>
  );
  return (
    <Card title={text("desk.chat")} aside={count}>
      <ul className="flex max-h-96 flex-col gap-3 overflow-y-auto text-ui">
        {found.messages.map((message) => (
          <Message key={message.id} message={message} found={found} />
        ))}
      </ul>
      <Say complaintId={complaintId} action={action} onSent={onDone} />
    </Card>
  );
}

function Message({ message, found }: { readonly message: ChatMessage; readonly found: DeskCase }) {
  const text = useOtcText();
  const { author, kind, text: reply } = message;
  const time = formatDateTime(message.createdAtMs);
  if (kind === "system")
    return (
      <li className="text-center text-label text-muted">
        {describeOr(text, `system.${reply}`, reply)} · {time}
      </li>
    );
  const isBuyer = author === "buyer";
  const name = isBuyer ? found.buyer.name : author === "seller" ? found.seller.name : text("chat.support");
  return (
    <li className={`flex max-w-[85%] flex-col gap-1 ${isBuyer ? "items-end self-end" : "items-start self-start"}`}>
      <span className="text-label text-muted">
        {name}, {time}
      </span>
      <span className="break-words rounded-card border border-line bg-surface px-3 py-2 dark:bg-bg">
        {kind === "picture" ? <Evidence fileId={reply} /> : reply}
      </span>
    </li>
  );
}

/** Shown on demand: every view is audited. */
export function Evidence({ fileId }: { readonly fileId: string }) {
  const text = useOtcText();
  const calls = useCalls();
  const [source, setSource] = useState<string>();
  const [isFailed, setFailed] = useState(false);
  const show = async () => {
    const answer = await (await calls()).call(OTC_ORDER_CALLS.deskFile, { id: fileId });
    setFailed(!answer.ok);
    if (!answer.ok) return;
    const bytes = Uint8Array.from(atob(answer.data.data), (letter) => letter.charCodeAt(0));
    setSource(URL.createObjectURL(new Blob([bytes], { type: answer.data.mediaType })));
  };
  if (source !== undefined)
    return <img src={source} alt={text("appeal.picture")} className="max-h-80 rounded-control" />;
  if (isFailed) return <FailedLine onAgain={show} />;
  return (
    <Button size={32} icon="eye" onPress={() => void show()}>
      {text("desk.picture")}
    </Button>
  );
}

interface SayProps {
  readonly complaintId: number;
  readonly action: OperatorAction;
  readonly onSent: () => void;
}

function Say({ complaintId, action, onSent }: SayProps) {
  const text = useOtcText();
  const [typed, setTyped] = useState("");
  const say = async () => {
    if ((await action.run(OTC_ORDER_CALLS.deskSay, { complaintId, text: typed })) === undefined) return;
    setTyped("");
    onSent();
  };
  return (
    <div className="mt-4 flex items-end gap-2">
      <TextField className="flex-1" label={text("desk.say")} size={40} value={typed} onChange={setTyped} />
      <Button size={40} isDisabled={typed.trim() === ""} onPress={() => void say()}>
        {text("chat.send")}
      </Button>
    </div>
  );
}
