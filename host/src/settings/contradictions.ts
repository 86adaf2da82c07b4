// Settings that contradict each other, described for operators. Reads values only.

import { isWithinDomain } from "@clockwork/kit/session-cookie";
import type { Config, Problem } from "./config.ts";
import { hasSubdomains } from "./domains.ts";

type Judged = Pick<
  Config,
  | "mode"
  | "captcha"
  | "geetestId"
  | "geetestKey"
  | "chatUrl"
  | "chatAppId"
  | "chatSecret"
  | "domain"
  | "cookieDomain"
  | "archive"
  | "archiveCredentials"
  | "indexSources"
>;

/** As many as the core has places for. */
const INDEX_SOURCES_MAX = 8;

/** Settings that are each valid but contradict each other. */
export function findContradictions(values: Judged): readonly Problem[] {
  const problems: Problem[] = [];
  if (values.mode === "production" && values.captcha === "off") {
    problems.push({ setting: "CW_CAPTCHA", message: "off is refused in production: programs would guess unhindered" });
  }
  if ((values.geetestId === "") !== (values.geetestKey === "")) {
    problems.push({ setting: "CW_GEETEST_ID", message: "needs CW_GEETEST_KEY, and the other way round" });
  }
  const chat = [values.chatUrl !== undefined, values.chatAppId !== "", values.chatSecret !== ""];
  if (new Set(chat).size > 1) {
    problems.push({ setting: "CW_CHAT_URL", message: "needs CW_CHAT_APP_ID and CW_CHAT_SECRET, and they need it" });
  }
  const { domain, cookieDomain } = values;
  if (hasSubdomains(domain) && cookieDomain !== "" && !isWithinDomain(domain, cookieDomain)) {
    problems.push({
      setting: "CW_COOKIE_DOMAIN",
      message: `${cookieDomain} is neither ${domain} (CW_DOMAIN) nor a parent of it: nobody would be signed in at its futures API`,
    });
  }
  const sources = values.indexSources.map((text) => text.slice(0, text.indexOf("=")));
  if (sources.length === 1 || sources.length > INDEX_SOURCES_MAX || new Set(sources).size < sources.length) {
    problems.push({
      setting: "CW_INDEX_SOURCES",
      message: `needs 2 to ${INDEX_SOURCES_MAX} sources of different names: one alone leaves the index degraded`,
    });
  }
  if (values.archive.startsWith("s3://") && values.archiveCredentials === "") {
    problems.push({ setting: "CW_ARCHIVE_CREDENTIALS", message: "is needed with a store in CW_ARCHIVE" });
  }
  return problems;
}
