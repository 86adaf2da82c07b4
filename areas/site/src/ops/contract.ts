// The wire contract of the ops slice: schemas and their types. The only file of the slice a browser may import.
import { endpoint } from "@clockwork/kit/endpoint";
import { type Static, Type } from "typebox";
import { REFUSALS } from "./refusals.ts";

export const LABEL_LENGTH_MAX = 64;
export const UTM_LENGTH_MAX = 128;

// Names our own pages give to events; a narrow alphabet keeps invented ones out of reports.
const Label = Type.String({ minLength: 1, maxLength: LABEL_LENGTH_MAX, pattern: "^[A-Za-z0-9][A-Za-z0-9_.:/-]*$" });
// Written by the author of the link, in any language; only control characters are refused.
const Utm = Type.Optional(Type.String({ maxLength: UTM_LENGTH_MAX, pattern: "^[^\\u0000-\\u001f\\u007f]*$" }));

export const RequestSource = Type.Union([Type.Literal("H5"), Type.Literal("PC")]);
export type RequestSource = Static<typeof RequestSource>;

export const StatisticsQuery = Type.Object({
  event: Label,
  request_source: RequestSource,
  type: Type.Optional(Label),
  utm_source: Utm,
  utm_medium: Utm,
  utm_campaign: Utm,
  utm_term: Utm,
  utm_content: Utm,
  utm_id: Utm,
});
export type StatisticsQuery = Static<typeof StatisticsQuery>;

const Day = Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", maxLength: 10 });
export const VisitTotalsQuery = Type.Object({ from: Day, to: Day });
export const VisitQuery = Type.Object({
  from: Day,
  to: Day,
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
});

const Count = Type.Integer();
export const VisitTotals = Type.Object({
  totals: Type.Array(Type.Object({ day: Type.String(), event: Type.String(), source: RequestSource, count: Count })),
});
export type VisitTotals = Static<typeof VisitTotals>;

export const VisitPage = Type.Object({
  rows: Type.Array(
    Type.Object({
      day: Type.String(),
      event: Type.String(),
      source: RequestSource,
      type: Type.String(),
      utmSource: Type.String(),
      utmMedium: Type.String(),
      utmCampaign: Type.String(),
      utmTerm: Type.String(),
      utmContent: Type.String(),
      utmId: Type.String(),
      count: Count,
    }),
  ),
  nextOffset: Type.Union([Type.Integer(), Type.Null()]),
});
export type VisitPage = Static<typeof VisitPage>;

export const OPS_CALLS = {
  totals: endpoint("GET", "/v2/operators/visits/totals", {
    query: VisitTotalsQuery,
    output: VisitTotals,
    refusals: REFUSALS,
  }),
  rows: endpoint("GET", "/v2/operators/visits/rows", { query: VisitQuery, output: VisitPage, refusals: REFUSALS }),
  statistics: endpoint("GET", "/open/activity/statistics", { query: StatisticsQuery, output: Type.Null() }),
};
