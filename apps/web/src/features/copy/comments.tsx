// What people say of a leader: read by everybody, written by whoever is signed in, reported to the operators.
import type { Comment, CommentPage } from "@clockwork/strategies/comments/contract";
import { COPY_PATHS, type CopyKind } from "@clockwork/strategies/copy/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
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
  const { data, refresh } = useFresh<CommentPage | null>(`${COPY_PATHS[kind]}/comments?leaderId=${leaderId}`, first);
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
  const { act } = useCopyAct(kind);
  const zone = useZone();
  const [translated, setTranslated] = useState<string>();
  const { commentId, nickname, isOwn } = comment;
  const remove = async () => {
    await act("/comments/remove", { commentId });
    onChanged();
  };
  const report = async () => {
    const sent = await act("/comments/report", { commentId, reason: text("reportReason") });
    if (sent !== undefined) showToast({ title: text("reported"), tone: "done" });
  };
  const translate = async () => {
    const answer = await act<{ readonly isTranslated: boolean; readonly text: string }>("/translate", {
      text: comment.text,
      to: "en",
    });
    if (answer !== undefined) setTranslated(answer.isTranslated ? answer.text : text("untranslated"));
  };
  return (
    <li className="border-line border-b py-3 last:border-0">
      <p className="text-[13px] text-muted">
        <span className="font-medium text-text">{nickname}</span>
        {comment.isFollower && ` · ${text("isFollower")}`} · {minute(comment.createdAtMs, zone)}
      </p>
      <p className="mt-1 text-ui [overflow-wrap:anywhere]">{comment.text}</p>
      {translated !== undefined && (
        <p role="status" className="mt-1 border-line border-l-2 pl-3 text-[13px] text-muted [overflow-wrap:anywhere]">
          {translated}
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
  const { actOnce, busy } = useCopyAct(kind);
  const [words, setWords] = useState("");
  const send = async () => {
    if ((await actOnce("/comments", { leaderId, text: words.trim() })) === undefined) return;
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
