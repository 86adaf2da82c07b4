// What the footer lists. The API may serve its own list; without one this is it. Links whose page does not exist are
// taken out on the server, so the browser is handed what is shown and no more.
import { hasPage } from "./route-table.ts";

export interface FooterLink {
  readonly title: string;
  /** A bare path, or an address elsewhere. */
  readonly to: string;
}

export interface FooterColumn {
  readonly title: string;
  readonly links: readonly FooterLink[];
}

const COLUMNS: readonly FooterColumn[] = [
  {
    title: "Trade",
    links: [
      { title: "Spot", to: "/spot" },
      { title: "Futures, USDT-margined", to: "/futures" },
      { title: "Futures, coin-margined", to: "/delivery" },
      { title: "Grid bots", to: "/grid" },
      { title: "Demo trading", to: "/simulated" },
      { title: "OTC", to: "/otc" },
    ],
  },
  {
    title: "Grow",
    links: [
      { title: "Copy trading", to: "/copy" },
      { title: "Earn", to: "/earn" },
      { title: "Launchpad", to: "/launchpad" },
      { title: "Rewards", to: "/rewards" },
      { title: "Invite friends", to: "/invite" },
      { title: "VIP and fees", to: "/vip" },
    ],
  },
  {
    title: "Support",
    links: [
      { title: "Help center", to: "/help" },
      { title: "Submit a request", to: "/help/request" },
      { title: "Complaints", to: "/complaints" },
      { title: "Contact us", to: "/contact-us" },
      { title: "System status", to: "/status" },
      { title: "Announcements", to: "/news" },
      { title: "Newsletter", to: "/newsletter" },
    ],
  },
  {
    title: "Developers",
    links: [
      { title: "API reference", to: "/api-docs" },
      { title: "API keys", to: "/api-keys" },
      { title: "Trading rules", to: "/exchange-trading-rules" },
      { title: "Design system", to: "/docs" },
      { title: "Component gallery", to: "/docs/element-plus" },
      { title: "Proof of reserves", to: "/proof-of-reserves" },
      { title: "Market data export", to: "/market-data" },
    ],
  },
  {
    title: "Company",
    links: [
      { title: "Licensed activities", to: "/licensed-activities" },
      { title: "User agreement", to: "/user-agreement" },
      { title: "Privacy policy", to: "/privacy-policy" },
      { title: "Risk disclosure", to: "/risk-disclosure" },
      { title: "Legal statement", to: "/legal-statement" },
      { title: "Whistleblower policy", to: "/whistleblower-policy" },
    ],
  },
];

const LINKS_MAX = 12;

function isShown(to: string): boolean {
  return to.startsWith("https://") || (to.startsWith("/") && !to.startsWith("//") && hasPage(to));
}

function keepShown(columns: readonly FooterColumn[]): readonly FooterColumn[] {
  return columns
    .map(({ title, links }) => ({ title, links: links.filter(({ to }) => isShown(to)).slice(0, LINKS_MAX) }))
    .filter(({ links }) => links.length > 0);
}

function isColumn(value: unknown): value is FooterColumn {
  const column = value as Partial<FooterColumn> | null;
  return (
    typeof column?.title === "string" &&
    Array.isArray(column.links) &&
    column.links.every((link: Partial<FooterLink>) => typeof link?.title === "string" && typeof link.to === "string")
  );
}

/** The served list, read from the API's answer; anything else gives the list above. */
export function readFooter(served: unknown): readonly FooterColumn[] {
  return keepShown(Array.isArray(served) && served.every(isColumn) ? served : COLUMNS);
}
