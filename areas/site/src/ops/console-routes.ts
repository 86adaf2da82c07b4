// REST of the visit statistics for operators: totals per day, and every combination of labels with its campaign.
import { answer, defineRoute, type RouteSpec, refuse } from "@clockwork/host/route";
import { VisitPage, VisitQuery, VisitTotals, VisitTotalsQuery } from "./contract.ts";
import type { OpsService, ReadingRefusal } from "./service.ts";

const MESSAGES: Readonly<Record<ReadingRefusal, string>> = {
  OPS_RANGE_INVALID: "Name two days, the first no later than the last and at most 400 apart.",
  OPS_PAGE_INVALID: "There is no such page.",
};

const refuseReading = ({ code }: { readonly code: ReadingRefusal }) =>
  refuse({ code, status: 400, message: MESSAGES[code] });

const PATH = "/v2/operators/visits";
const ROWS = 100;

export function opsConsoleRoutes(service: OpsService): readonly RouteSpec[] {
  return [
    defineRoute({
      method: "GET",
      tag: "ops",
      scope: { operator: "visits.read" },
      path: `${PATH}/totals`,
      summary: "For operators: visits per day, event and source",
      query: VisitTotalsQuery,
      output: VisitTotals,
      handle: async ({ query: { from, to } }) => {
        const read = await service.readTotals({ fromDay: from, toDay: to });
        if (!read.done) return refuseReading(read);
        return answer({
          totals: read.value.map(({ day, event, request_source, count }) => ({
            day,
            event,
            source: request_source,
            count: Number(count),
          })),
        });
      },
    }),
    defineRoute({
      method: "GET",
      tag: "ops",
      scope: { operator: "visits.read" },
      path: `${PATH}/rows`,
      summary: "For operators: visits by event, source and campaign, most frequent first within a day",
      query: VisitQuery,
      output: VisitPage,
      handle: async ({ query: { from, to, offset = 0 } }) => {
        const read = await service.readRows({ fromDay: from, toDay: to }, { offset, limit: ROWS });
        if (!read.done) return refuseReading(read);
        return answer({
          rows: read.value.rows.map((row) => ({
            day: row.day,
            event: row.event,
            source: row.request_source,
            type: row.type,
            utmSource: row.utm_source,
            utmMedium: row.utm_medium,
            utmCampaign: row.utm_campaign,
            utmTerm: row.utm_term,
            utmContent: row.utm_content,
            utmId: row.utm_id,
            count: Number(row.count),
          })),
          nextOffset: read.value.nextOffset ?? null,
        });
      },
    }),
  ];
}
