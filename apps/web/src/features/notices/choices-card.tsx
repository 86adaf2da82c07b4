// A card of `/preferences`: the channels of each group of notices. Each switch takes effect at once.

import { NOTICE_CHANNELS, NOTICE_GROUPS, type NoticeChannel } from "@clockwork/kit/notice";
import { NOTICE_CALLS, type NoticeChoices } from "@clockwork/messaging/notices/contract";
import { Card } from "@clockwork/ui/card";
import { Switch } from "@clockwork/ui/switch";
import { useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { FormError } from "#session/auth-fields.tsx";
import { describeOr, useAccountText } from "#words/account-text.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";

type Kind = NoticeChoices["kinds"][number];

export function ChoicesCard({ first }: { readonly first: NoticeChoices | null }) {
  const text = useAccountText();
  const words = useAuthText();
  const calls = useCalls();
  const [choices, setChoices] = useState(first);
  const [error, setError] = useState<string>();
  const choose = async (kind: string, channel: NoticeChannel, isOn: boolean) => {
    setError(undefined);
    const answer = await (await calls()).call(NOTICE_CALLS.choose, { kind, channel, isOn });
    if (answer.ok) setChoices(answer.data);
    else setError(describeFailure(words, answer));
  };
  if (choices === null) return null;
  const groups = NOTICE_GROUPS.map((group) => [group, choices.kinds.filter((kind) => kind.group === group)] as const);
  return (
    <Card className="mt-4 max-w-[720px]" title={text("notices.title")}>
      <p className="mb-3 text-muted text-ui">{text("notices.lead")}</p>
      <FormError>{error}</FormError>
      <div className="overflow-x-auto">
        <table className="w-full min-w-[480px] text-ui">
          <thead>
            <tr className="text-label text-muted">
              <th className="py-2 text-left font-normal">{text("notices.what")}</th>
              {NOTICE_CHANNELS.map((channel) => (
                <th key={channel} scope="col" className="w-20 py-2 text-center font-normal">
                  {text(`notices.channel.${channel}`)}
                </th>
              ))}
            </tr>
          </thead>
          {groups.map(([group, kinds]) => (
            <tbody key={group}>
              {kinds.map((kind) => (
                <Row key={kind.kind} kind={kind} onChoose={(channel, isOn) => void choose(kind.kind, channel, isOn)} />
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </Card>
  );
}

interface RowProps {
  readonly kind: Kind;
  readonly onChoose: (channel: NoticeChannel, isOn: boolean) => void;
}

function Row({ kind: { kind, channels }, onChoose }: RowProps) {
  const text = useAccountText();
  const name = describeOr(text, `notices.kind.${kind}`, kind);
  return (
    <tr className="border-line border-t">
      <th scope="row" className="py-2 text-left font-normal">
        {name}
      </th>
      {channels.map(({ channel, isOn, isFixed }) => (
        <td key={channel} className="text-center">
          <Switch
            aria-label={`${name}: ${text(`notices.channel.${channel}`)}`}
            isSelected={isOn}
            isDisabled={isFixed}
            onChange={(next) => onChoose(channel, next)}
          />
        </td>
      ))}
    </tr>
  );
}
