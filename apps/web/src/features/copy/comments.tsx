// Comments on a leader: public, written by signed-in users, reported to the operators.
import {
  COMMENT_CALLS,
  type Comment,
  type CommentPage,
  type Translation,
} from "@clockwork/strategies/comments/contract";
import type { CopyKind } from "@clockwork/strategies/copy/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Badge } from "@clockwork/ui/pill";
import { TextArea } from "@clockwork/ui/text-area";
import { showToast } from "@clockwork/ui/toast";
import { useState } from "react";
import { useGlobal } from "#boot/state.ts";
import { useZone } from "#session/zone.ts";
import { useCopyAct, useFresh } from "./copy-calls.ts";
import { minute } from "./copy-figures.ts";
import { useCopyText } from "./copy-text.ts";

export interface CommentsProps {
  readonly kind: CopyKind;
  readonly leaderId: string;
  readonly first: CommentPage | null;
}

export function Comments({ kind, leaderId, first }: CommentsProps) {
  const text = useCopyText();
  const isSignedIn = useGlobal((state) => state.topInfo.id != null);
  const { data, refresh } = useFresh(COMMENT_CALLS[kind].list, { leaderId }, first);
  const comments = data?.comments ?? [];
  return (
    <Card title={comments.length === 0 ? text("comments") : `${text("comments")} ${comments.length}`}>
      {comments.length === 0 && <p className="text-muted text-ui">{text("noComments")}</p>}
      <ul>
        {comments.map((comment) => (
          <Row key={comment.commentId} kind={kind} comment={comment} onChanged={() => void refresh()} />
        ))}
      </ul>
      {isSignedIn && <Write kind={kind} leaderId={leaderId} onSent={() => void refresh()} />}
    </Card>
  );
}

interface RowProps {
  readonly kind: CopyKind;
  readonly comment: Comment;
  readonly onChanged: () => void;
}

function Row({ kind, comment, onChanged }: RowProps) {
  const text = useCopyText();
  const isSignedIn = useGlobal((state) => state.topInfo.id != null);
  const { act } = useCopyAct();
  const zone = useZone();
  const language = useGlobal((state) => state.language.lang);
  const [translated, setTranslated] = useState<Translation>();
  const { commentId, nickname, isOwn } = comment;
  const remove = async () => {
    await act(COMMENT_CALLS[kind].remove, { commentId });
    onChanged();
  };
  const report = async () => {
    const sent = await act(COMMENT_CALLS[kind].report, { commentId, reason: text("reportReason") });
    if (sent !== undefined) showToast({ title: text("reported"), tone: "done" });
  };
  const translate = async () => {
    const answer = await act(COMMENT_CALLS[kind].translate, { text: comment.text, to: language });
    if (answer !== undefined) setTranslated(answer);
  };
  return (
    <li className="border-line border-b py-3 last:border-0">
      <p className="text-[13px] text-muted">
        <span className="font-medium text-text">{nickname}</span>
        {comment.isSimulated && <Badge className="ml-2">{text("simulatedTrader")}</Badge>}
        {comment.isFollower && ` · ${text("isFollower")}`} · {minute(comment.createdAtMs, zone)}
      </p>
      <p className="mt-1 text-ui [overflow-wrap:anywhere]">{comment.text}</p>
      {translated !== undefined && (
        <p role="status" className="mt-1 border-line border-l-2 pl-3 text-[13px] text-muted [overflow-wrap:anywhere]">
          {translated.isTranslated ? translated.text : text("untranslated")}
          {translated.isSimulated && <Badge className="ml-2">{text("simulatedTranslation")}</Badge>}
        </p>
      )}
      {isSignedIn && (
        <div className="mt-1 flex gap-2">
          <Button kind="ghost" size={28} onPress={() => void translate()}>
            {text("translate")}
          </Button>
          {isOwn ? (
            <Button kind="ghost" size={28} onPress={() => void remove()}>
              {text("remove")}
            </Button>
          ) : (
            <Button kind="ghost" size={28} onPress={() => void report()}>
              {text("report")}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

function Write({
  kind,
  leaderId,
  onSent,
}: {
  readonly kind: CopyKind;
  readonly leaderId: string;
  readonly onSent: () => void;
}) {
  const text = useCopyText();
  const { actOnce, busy } = useCopyAct();
  const [words, setWords] = useState("");
  const send = async () => {
    if ((await actOnce(COMMENT_CALLS[kind].write, { leaderId, text: words.trim() })) === undefined) return;
    setWords("");
    onSent();
  };
  return (
    <div className="mt-3 flex flex-col gap-2">
      <TextArea label={text("write")} value={words} onChange={setWords} maxLength={500} rows={2} />
      <Button size={36} busy={busy} isDisabled={words.trim() === ""} onPress={() => void send()} className="self-end">
        {text("send")}
      </Button>
    </div>
  );
}
