// Markdown becomes a tree of plain nodes from a closed list of tags. Pure. Raw HTML remains text, links lead to this
// site, to https or to mail; anything else loses its target. Nothing here can produce markup.
import MarkdownIt from "markdown-it";
import type { ArticleNode, ArticleTag } from "./contract.ts";
import { ARTICLE_TAGS } from "./contract.ts";

type Token = ReturnType<InstanceType<typeof MarkdownIt>["parse"]>[number];
type Element = Exclude<ArticleNode, string>;
interface Open {
  readonly tag: ArticleTag | undefined;
  readonly children: ArticleNode[];
  readonly extra: Partial<Omit<Element, "tag" | "children">>;
}

const parser = new MarkdownIt("commonmark", { html: false, linkify: false }).enable("table");
const TAGS: ReadonlySet<string> = new Set(ARTICLE_TAGS);
// A page has a title of its own, so the text starts one level below it.
const RENAMED: Readonly<Record<string, ArticleTag>> = { h1: "h2", h4: "h3", h5: "h3", h6: "h3" };

export function parseMarkdown(text: string): ArticleNode[] {
  const ids = new Map<string, number>();
  return nameHeadings(buildNodes(parser.parse(text, {})), ids);
}

function buildNodes(tokens: readonly Token[]): ArticleNode[] {
  const root: Open = { tag: undefined, children: [], extra: {} };
  const stack: Open[] = [root];
  const top = (): Open => stack.at(-1) ?? root;
  for (const token of tokens) {
    if (token.nesting === 1) {
      // A tight list item has its paragraphs hidden: their text belongs to the item.
      stack.push({ tag: token.hidden ? undefined : readTag(token.tag), children: [], extra: readExtra(token) });
    } else if (token.nesting === -1) {
      const closed = stack.pop() ?? root;
      top().children.push(...closeElement(closed));
    } else {
      top().children.push(...readLeaf(token));
    }
  }
  return joinTexts(root.children);
}

function closeElement({ tag, children, extra }: Open): ArticleNode[] {
  return tag === undefined ? children : [{ tag, ...extra, children: joinTexts(children) }];
}

function readLeaf(token: Token): ArticleNode[] {
  switch (token.type) {
    case "inline":
      return buildNodes(token.children ?? []);
    case "text":
      return [token.content];
    case "softbreak":
      return [" "];
    case "hardbreak":
      return [{ tag: "br" }];
    case "code_inline":
      return [{ tag: "code", children: [token.content] }];
    case "fence":
    case "code_block":
      return [{ tag: "pre", children: [token.content.replace(/\n$/, "")] }];
    case "hr":
      return [{ tag: "hr" }];
    default:
      return token.content === "" ? [] : [token.content];
  }
}

function readTag(tag: string): ArticleTag | undefined {
  const name = RENAMED[tag] ?? tag;
  return TAGS.has(name) ? (name as ArticleTag) : undefined;
}

function readExtra(token: Token): Open["extra"] {
  if (token.tag === "a") {
    const href = readTarget(String(token.attrGet("href") ?? ""));
    return href === undefined ? {} : { href };
  }
  if (token.tag === "ol") {
    const start = Number(token.attrGet("start") ?? 1);
    return start > 1 ? { start } : {};
  }
  const style = String(token.attrGet("style") ?? "");
  if (style === "text-align:right") return { align: "right" };
  return style === "text-align:center" ? { align: "center" } : {};
}

/** A path of this site, an https address or a mail address; anything else is no target. */
export function readTarget(href: string): string | undefined {
  if (/^\/(?![/\\])[^\s\\]*$/.test(href) || /^#[A-Za-z0-9-]+$/.test(href)) return href;
  return /^(?:https:\/\/|mailto:)[^\s]+$/.test(href) ? href : undefined;
}

function joinTexts(nodes: readonly ArticleNode[]): ArticleNode[] {
  const joined: ArticleNode[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (typeof node === "string" && typeof last === "string") joined[joined.length - 1] = last + node;
    else if (node !== "") joined.push(node);
  }
  return joined;
}

function nameHeadings(nodes: readonly ArticleNode[], ids: Map<string, number>): ArticleNode[] {
  return nodes.map((node) => {
    if (typeof node === "string" || (node.tag !== "h2" && node.tag !== "h3")) return node;
    const name =
      readText(node)
        .toLowerCase()
        .normalize("NFKD")
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-+|-+$/g, "") || "part";
    const count = (ids.get(name) ?? 0) + 1;
    ids.set(name, count);
    return { ...node, id: count === 1 ? name : `${name}-${count}` };
  });
}

/** All text below a node, without marks. */
export function readText(node: ArticleNode): string {
  return typeof node === "string" ? node : (node.children ?? []).map(readText).join("");
}

export function listContents(nodes: readonly ArticleNode[]): { id: string; title: string }[] {
  return nodes.flatMap((node) =>
    typeof node !== "string" && node.tag === "h2" ? [{ id: node.id ?? "", title: readText(node) }] : [],
  );
}
