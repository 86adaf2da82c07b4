// robots.txt and sitemap.xml (SITE-21), read off the route table: both forms of every page that may be indexed.
import { LOCAL_LANGUAGES } from "@clockwork/kit/constants";
import { formatLanguageTag, formatLocalePath } from "@clockwork/kit/locale";
import { RISK_PATH } from "./root-data.ts";
import { PAGES } from "./route-table.ts";

const XML_TEXT: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => XML_TEXT[character] ?? character);
}

export function formatRobots(origin: string): string {
  return `User-agent: *\nDisallow: /api/\nDisallow: /futuresapi/\nDisallow: /*_payload.json\nSitemap: ${origin}/sitemap.xml\n`;
}

/** `more` are the bare paths below pages that take everything: articles, lessons, pairs. */
export function formatSitemap(origin: string, more: readonly string[] = [], riskPath = RISK_PATH): string {
  const pages = PAGES.filter((page) => page.hidden !== true && !page.path.includes(":") && !page.path.endsWith("/*"));
  const paths = pages.map(({ path }) => (path === RISK_PATH ? riskPath : path));
  const entries = [...paths, ...more].map((path) => {
    const alternates = LOCAL_LANGUAGES.map(({ lang }) => {
      const href = escapeXml(origin + formatLocalePath(path, lang));
      return `<xhtml:link rel="alternate" hreflang="${formatLanguageTag(lang)}" href="${href}"/>`;
    });
    return `<url><loc>${escapeXml(origin + path)}</loc>${alternates.join("")}</url>`;
  });
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n' +
    `${entries.join("\n")}\n</urlset>\n`
  );
}
