// The wire contract of notices: preferences per kind and channel, and the stream to open pages. The only file of the
// slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { NOTICE_CHANNELS, NOTICE_GROUPS } from "@clockwork/kit/notice";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

const Channel = Type.Enum([...NOTICE_CHANNELS]);

export const NoticeChoices = Type.Object({
  kinds: Type.Array(
    Type.Object({
      kind: Type.String(),
      group: Type.Enum([...NOTICE_GROUPS]),
      channels: Type.Array(
        Type.Object({
          channel: Channel,
          isOn: Type.Boolean(),
          /** Sent whatever the preferences are. */
          isFixed: Type.Boolean(),
        }),
      ),
    }),
  ),
});
export type NoticeChoices = Static<typeof NoticeChoices>;

export const ChoiceBody = Type.Object(
  { kind: Type.String({ pattern: "^[a-zA-Z]{1,32}$", maxLength: 32 }), channel: Channel, isOn: Type.Boolean() },
  { additionalProperties: false },
);
export type ChoiceBody = Static<typeof ChoiceBody>;

/** The private stream of new notices. */
export const NOTICES_CHANNEL = "notices";
export const LiveNotice = Type.Object({
  kind: Type.String(),
  topic: Type.String(),
  reference: Type.String(),
  title: Type.String(),
  body: Type.String(),
  path: Type.Union([Type.String(), Type.Null()]),
  atMs: Type.Integer(),
});
export type LiveNotice = Static<typeof LiveNotice>;

export const NOTICE_CALLS = {
  choices: endpoint("GET", "/v2/users/notices/choices", { output: NoticeChoices }),
  choose: endpoint("POST", "/v2/users/notices/choices", {
    body: ChoiceBody,
    output: NoticeChoices,
    refusals: REFUSALS,
  }),
};
