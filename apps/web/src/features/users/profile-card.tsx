// The public profile: a name, one of twelve drawn pictures, a short text, and whether it is visible. The preview next
// to the form is what others get.
import { type Profile, USER_CALLS } from "@clockwork/identity/users/contract";
import { Avatar } from "@clockwork/ui/avatar";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Checkbox } from "@clockwork/ui/checkbox";
import { TextArea } from "@clockwork/ui/text-area";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { useGlobalStore } from "#boot/state.ts";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { AVATAR_COUNT, avatarName } from "#shell/avatar-name.ts";
import { useAccountText } from "#words/account-text.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";

const AVATARS = Array.from({ length: AVATAR_COUNT }, (_, index) => index);

export function ProfileCard({ profile }: { readonly profile: Profile }) {
  const text = useAccountText();
  const words = useAuthText();
  const calls = useCalls();
  const store = useGlobalStore();
  const [draft, setDraft] = useState(profile);
  const [error, setError] = useState<string>();
  const [reply, setReply] = useState("");
  const [busy, setBusy] = useState(false);
  const change = (part: Partial<Profile>) => {
    setDraft({ ...draft, ...part });
    setReply("");
  };
  const save = async () => {
    setBusy(true);
    setError(undefined);
    const answer = await (await calls()).call(USER_CALLS.saveProfile, draft);
    setBusy(false);
    if (!answer.ok) {
      setError(describeFailure(words, answer));
      return;
    }
    setDraft(answer.data);
    store.setState({ anchorInfo: { ...answer.data } });
    setReply(text("anchor.saved"));
  };
  return (
    <Card title={text("anchor.title")} className="mt-4 max-w-[720px]">
      <FormError>{error}</FormError>
      <div className="flex flex-col gap-4">
        <TextField
          label={text("anchor.nickname")}
          size={40}
          value={draft.nickname}
          maxLength={24}
          onChange={(nickname) => change({ nickname })}
        />
        <fieldset>
          <legend className="pb-1 text-ui">{text("anchor.picture")}</legend>
          <div className="flex flex-wrap gap-2">
            {AVATARS.map((avatar) => (
              <label
                key={avatar}
                className={`cursor-pointer rounded-full p-0.5 ring-2 focus-within:ring-accent ${draft.avatar === avatar ? "ring-text" : "ring-transparent"}`}
              >
                <input
                  type="radio"
                  name="avatar"
                  className="sr-only"
                  checked={draft.avatar === avatar}
                  aria-label={text("anchor.pictureOf", { number: avatar + 1 })}
                  onChange={() => change({ avatar })}
                />
                <Avatar name={avatarName(avatar)} size={40} />
              </label>
            ))}
          </div>
        </fieldset>
        <TextArea
          label={text("anchor.intro")}
          value={draft.intro}
          maxLength={300}
          onChange={(intro) => change({ intro })}
        />
        <Checkbox isSelected={draft.isPublic} onChange={(isPublic) => change({ isPublic })}>
          {text("anchor.public")}
        </Checkbox>
      </div>
      <div className="mt-5 flex items-center gap-3">
        <Button kind="primary" size={40} busy={busy} onPress={() => void save()}>
          {text("label.save")}
        </Button>
        <span role="status" className="text-[13px] text-muted">
          {reply}
        </span>
      </div>
    </Card>
  );
}
