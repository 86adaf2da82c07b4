// Help-centre addresses per language, built from article, section, category and request ids (SITE-18). Pure: gives bare
// paths of our own help centre; three languages talk in a chat group instead of filling in a work order.
import type { Locale } from "@clockwork/kit/constants";

type HelpTarget =
  | { readonly kind: "article" | "section" | "category"; readonly id: string }
  | { readonly kind: "request"; readonly id: string };

export const HELP_TARGETS = {
  aboutUs: { kind: "article", id: "about-us" },
  fees: { kind: "article", id: "fees" },
  legalStatement: { kind: "article", id: "legal-statement" },
  riskNotification: { kind: "article", id: "risk-notification" },
  vips: { kind: "article", id: "vips" },
  becomeMerchant: { kind: "article", id: "become-merchant" },
  beginners: { kind: "category", id: "beginners" },
  deposits: { kind: "section", id: "deposits" },
  withdrawals: { kind: "section", id: "withdrawals" },
  security: { kind: "section", id: "security" },
  announcements: { kind: "category", id: "announcements" },
  notices: { kind: "section", id: "notices" },
  submitWorkOrder: { kind: "request", id: "new" },
} as const satisfies Readonly<Record<string, HelpTarget>>;

export type HelpName = keyof typeof HELP_TARGETS;

export const CHAT_GROUP_LOCALES: readonly Locale[] = ["zh_CN", "zh_TW", "ru_RU"];

/** The operator's switch that holds a group's address: `chatGroupZhCN`. */
export function chatGroupKey(locale: Locale): string {
  const [language = "", country = ""] = locale.split("_");
  return `chatGroup${language.charAt(0).toUpperCase()}${language.slice(1)}${country}`;
}

const FOLDERS = { article: "articles", section: "sections", category: "categories", request: "requests" } as const;

export function formatHelpLink(name: HelpName, locale: Locale): string {
  const target: HelpTarget = HELP_TARGETS[name];
  if (target.kind === "request" && CHAT_GROUP_LOCALES.includes(locale)) return `/help/chat-group/${locale}`;
  return `/help/${FOLDERS[target.kind]}/${target.id}`;
}

export function listHelpLinks(locale: Locale): Readonly<Record<HelpName, string>> {
  const names = Object.keys(HELP_TARGETS) as HelpName[];
  return Object.fromEntries(names.map((name) => [name, formatHelpLink(name, locale)])) as Record<HelpName, string>;
}
