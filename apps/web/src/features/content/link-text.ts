// The footer and the links elsewhere as text an operator can edit: a line for a column, `Title | /path` below it. Pure.
import type { FooterColumn, SocialLink } from "@clockwork/site/content/contract";

export function writeFooter(columns: readonly FooterColumn[]): string {
  return columns
    .map(({ title, links }) => [title, ...links.map((link) => `  ${link.title} | ${link.to}`)].join("\n"))
    .join("\n\n");
}

/** Nothing when a link is before any column or a line has no target. */
export function readFooter(text: string): FooterColumn[] | undefined {
  const columns: FooterColumn[] = [];
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    const [title = "", to, ...more] = line.split("|").map((part) => part.trim());
    if (more.length > 0) return undefined;
    if (to === undefined) {
      columns.push({ title, links: [] });
      continue;
    }
    const column = columns.at(-1);
    if (column === undefined || title === "" || to === "") return undefined;
    column.links.push({ title, to });
  }
  return columns;
}

export function writeSocial(links: readonly SocialLink[]): string {
  return links.map(({ kind, title, url }) => `${kind} | ${title} | ${url}`).join("\n");
}

export function readSocial(text: string): SocialLink[] | undefined {
  const links: SocialLink[] = [];
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    const [kind = "", title = "", url = "", ...more] = line.split("|").map((part) => part.trim());
    if (kind === "" || title === "" || url === "" || more.length > 0) return undefined;
    links.push({ kind, title, url });
  }
  return links;
}
