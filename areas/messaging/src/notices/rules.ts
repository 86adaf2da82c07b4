// Pure rules of notices: the channels of a kind.
import { NOTICE_CHANNELS, type NoticeChannel, type NoticeKind } from "@clockwork/kit/notice";

export interface Choice {
  readonly kind: string;
  readonly channel: NoticeChannel;
  readonly is_on: boolean;
}

/** Mandatory channels always; otherwise the user's preference before the kind's default. */
export function channelsOf(kind: NoticeKind, choices: readonly Choice[]): readonly NoticeChannel[] {
  return NOTICE_CHANNELS.filter((channel) => {
    if (kind.always?.includes(channel) === true) return true;
    const chosen = choices.find((one) => one.kind === kind.kind && one.channel === channel);
    return chosen?.is_on ?? kind.defaults.includes(channel);
  });
}
