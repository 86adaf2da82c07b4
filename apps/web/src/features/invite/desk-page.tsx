// `/operator/invite`: friends nothing is paid for and why, and those that were released. What is proposed here another
// operator decides.
import { INVITE_CONSOLE_CALLS, type JudgedFriends } from "@clockwork/growth/invite/contract";
import { formatDate } from "@clockwork/kit/time";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { TextField } from "@clockwork/ui/text-field";
import { type ReactNode, useState } from "react";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { ActionNote, useOperatorAction } from "#console/operator-action.tsx";
import { FailedLine } from "#session/failed-line.tsx";
import { type ConsoleText, useConsoleText } from "#words/console-text.ts";

type Friend = JudgedFriends["friends"][number];
const REASON_MIN = 3;

export interface InviteDeskProps {
  readonly me: ConsoleOperator;
  readonly proof: ReactNode;
  /** Null when they could not be read. */
  readonly friends: readonly Friend[] | null;
  readonly onChanged: () => void;
}

export function InviteDeskPage({ me, proof, friends, onChanged }: InviteDeskProps) {
  const text = useConsoleText();
  const action = useOperatorAction();
  const [reason, setReason] = useState("");
  const propose = async ({ user, inviter, counts }: Friend) => {
    const body = { user, inviter, counts: !counts, reason: reason.trim() };
    if ((await action.propose(INVITE_CONSOLE_CALLS.judge, body)) === undefined) return;
    setReason("");
    onChanged();
  };
  return (
    <ConsoleFrame me={me} title={text("invite.title")} lead={text("invite.lead")} proof={proof}>
      <Card>
        <ActionNote action={action} />
        {friends === null && <FailedLine />}
        {friends?.length === 0 && <p className="text-muted text-ui">{text("invite.none")}</p>}
        {friends !== null && friends.length > 0 && (
          <>
            <div className="mb-4 max-w-[480px]">
              <TextField label={text("vip.reason")} value={reason} onChange={setReason} maxLength={200} />
            </div>
            <ul>
              {friends.map((friend) => (
                <FriendRow
                  key={friend.user}
                  friend={friend}
                  text={text}
                  isReady={reason.trim().length >= REASON_MIN && !action.isBusy}
                  onPropose={() => void propose(friend)}
                />
              ))}
            </ul>
          </>
        )}
      </Card>
    </ConsoleFrame>
  );
}

interface FriendRowProps {
  readonly friend: Friend;
  readonly text: ConsoleText;
  readonly isReady: boolean;
  readonly onPropose: () => void;
}

function FriendRow({ friend, text, isReady, onPropose }: FriendRowProps) {
  const { user, inviter, name, inviterName, joinedAtMs, counts, reason, through, releasedAtMs } = friend;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t py-2 text-ui first:border-t-0">
      <span className="min-w-0 flex-1 basis-64">
        {name} <span className="figures text-label text-muted">{user}</span>
        <span className="block text-label text-muted">
          {text("invite.by", { name: inviterName, user: inviter, date: formatDate(joinedAtMs) })}
        </span>
      </span>
      <span className="text-muted">
        {releasedAtMs === null
          ? [
              text(`invite.${reasonOf(reason)}`),
              through.length === 0 ? "" : text("invite.through", { users: through.join(", ") }),
            ].join(" ")
          : text("invite.released", { date: formatDate(releasedAtMs) })}
      </span>
      {user !== inviter && (
        <Button size={28} kind="neutral" isDisabled={!isReady} onPress={onPropose}>
          {text(counts ? "invite.void" : "invite.release")}
        </Button>
      )}
    </li>
  );
}

function reasonOf(reason: string): "self" | "ring" | "operator" {
  return reason === "self" || reason === "ring" ? reason : "operator";
}
