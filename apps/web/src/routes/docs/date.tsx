// Documentation: dates.
import { OneDay, SpanOfDays, TimeLeft, TimeTexts } from "@clockwork/ui/examples/date";
import source from "@clockwork/ui/examples/date?raw";
import { loadPayload } from "#boot/payload.ts";
import { readCode } from "../../features/docs/docs-code.ts";
import { type DocsData, DocsPage } from "../../features/docs/docs-page.tsx";

export function loader(): DocsData {
  return readCode(source);
}

export const clientLoader = loadPayload<DocsData>;

export default function DocsDate() {
  return (
    <DocsPage
      title="Dates"
      lead="Days are picked or typed, and travel as ISO text. Times are told in the zone the visitor chose, UTC+0 or UTC+8, the same in charts, history and exports."
      source="ui/src/date-field.tsx"
      sections={[
        {
          title: "One day",
          text: "Typed part by part or picked from the calendar, within its bounds.",
          example: OneDay,
          code: "OneDay",
        },
        {
          title: "A span of days",
          text: "With quick choices, as history and exports use it.",
          example: SpanOfDays,
          code: "SpanOfDays",
        },
        {
          title: "Time left",
          text: "A countdown that agrees with the server on its first frame.",
          example: TimeLeft,
          code: "TimeLeft",
        },
        {
          title: "Times as text",
          text: "One format for a moment, one for a duration.",
          example: TimeTexts,
          code: "TimeTexts",
        },
      ]}
    />
  );
}
