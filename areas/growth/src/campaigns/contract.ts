// The wire contract of campaigns: banners and popups for visitors, and complete for operators. The only file of the
// slice a browser may import. Every text is plain text; a target is a path of this site or an https address.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { REFUSALS, SEEN_REFUSALS } from "./refusals.ts";

export const CAMPAIGN_KINDS = ["banner", "popup"] as const;
export type CampaignKind = (typeof CAMPAIGN_KINDS)[number];
export const AUDIENCES = ["all", "visitors", "members"] as const;
export type Audience = (typeof AUDIENCES)[number];

export const TITLE_LENGTH_MAX = 80;
export const BODY_LENGTH_MAX = 400;
export const ACTION_LENGTH_MAX = 40;

const Key = Type.String({ pattern: "^[a-z0-9][a-z0-9-]{0,39}$", maxLength: 40 });
export const KeyBody = Type.Object({ key: Key }, { additionalProperties: false });

/** The visitor's view. */
export const Campaign = Type.Object({
  key: Type.String(),
  title: Type.String(),
  text: Type.String(),
  /** The text of the link; empty when there is none. */
  action: Type.String(),
  to: Type.String(),
});
export type Campaign = Static<typeof Campaign>;

export const BannerList = Type.Object({ banners: Type.Array(Campaign) });
export type BannerList = Static<typeof BannerList>;
export const PopupList = Type.Object({ popups: Type.Array(Campaign) });
export type PopupList = Static<typeof PopupList>;

const Instant = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 });

const Plan = Type.Object({
  key: Key,
  kind: Type.Enum([...CAMPAIGN_KINDS]),
  title: Type.String({ minLength: 1, maxLength: TITLE_LENGTH_MAX }),
  text: Type.String({ maxLength: BODY_LENGTH_MAX }),
  action: Type.String({ maxLength: ACTION_LENGTH_MAX }),
  to: Type.String({ maxLength: 300 }),
  audience: Type.Enum([...AUDIENCES]),
  position: Type.Integer({ minimum: 0, maximum: 1_000 }),
  startsAtMs: Instant,
  /** Null: until it is withdrawn. */
  endsAtMs: Type.Union([Instant, Type.Null()]),
});

export const CampaignBody = Type.Object(
  {
    ...Plan.properties,
    /** The `setAtMs` of the version that was changed; null for a new one. A concurrent change is not overwritten. */
    baseSetAtMs: Type.Union([Instant, Type.Null()]),
  },
  { additionalProperties: false },
);
export type CampaignBody = Static<typeof CampaignBody>;
/** The base version for the next change. */
export const CampaignSaved = Type.Object({ setAtMs: Type.Integer() });

export const CampaignTable = Type.Object({
  campaigns: Type.Array(
    Type.Object({
      ...Plan.properties,
      /** planned, shown or over, by the clock. */
      state: Type.Enum(["planned", "shown", "over"]),
      setBy: Type.String(),
      setAtMs: Type.Integer(),
    }),
  ),
});
export type CampaignTable = Static<typeof CampaignTable>;

export const CAMPAIGN_CALLS = {
  list: endpoint("GET", "/v2/operators/campaigns", { output: CampaignTable }),
  save: endpoint("POST", "/v2/operators/campaigns/save", {
    body: CampaignBody,
    output: CampaignSaved,
    refusals: REFUSALS,
  }),
  remove: endpoint("POST", "/v2/operators/campaigns/remove", {
    body: KeyBody,
    output: Type.Null(),
    refusals: REFUSALS,
  }),
  banners: endpoint("GET", "/v1/home/banners", { output: BannerList }),
  popups: endpoint("GET", "/v1/home/popups", { output: PopupList }),
  seen: endpoint("POST", "/v1/home/popups/seen", { body: KeyBody, output: Type.Null(), refusals: SEEN_REFUSALS }),
};
