// The toolbar of the data page: links to its parts, their rows as CSV, and the addresses for programs.
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { useLocation } from "react-router";
import { latePart } from "#boot/late-part.tsx";
import { SiteLink } from "#boot/site-link.tsx";
import { useFuturesText } from "../model/futures-text.ts";
import type { FuturesData } from "./data-model.ts";

const PairMenu = latePart(async () => (await import("./pair-menu.tsx")).PairMenu);
const CsvMenu = latePart(async () => (await import("./csv-menu.tsx")).CsvMenu);

const SECTIONS = ["overview", "funding", "index", "fund", "ladder", "interest", "liquidations"] as const;

/** Each part has its own address; the requested one is marked. */
export function DataTabs() {
  const text = useFuturesText();
  const { hash } = useLocation();
  const requested = SECTIONS.find((section) => `#${section}` === hash) ?? "overview";
  return (
    <nav aria-label={text("data.parts")} className="flex gap-6 overflow-x-auto border-line border-b">
      {SECTIONS.map((section) => (
        <a
          key={section}
          href={`#${section}`}
          aria-current={section === requested ? "location" : undefined}
          className="-mb-px whitespace-nowrap border-transparent border-b-2 py-2.5 font-medium text-muted hover:text-text aria-[current]:border-accent aria-[current]:text-text"
        >
          {text(`data.tab.${section}`)}
        </a>
      ))}
    </nav>
  );
}

export function DataTools({ data }: { readonly data: FuturesData }) {
  return (
    <span className="flex items-center gap-2">
      <PairMenu data={data} />
      <CsvMenu data={data} />
      <SiteLink to="/api-docs" className={buttonClass({ size: 32 })}>
        API
      </SiteLink>
    </span>
  );
}
