// Shows a document's nodes. Every element is made by React from a closed list of tags, so no text can become markup.
import type { ArticleNode } from "@clockwork/site/articles/contract";
import { Fragment, type ReactNode } from "react";
import { SiteLink } from "#boot/site-link.tsx";

const CLASSES: Readonly<Record<string, string>> = {
  p: "mt-3 text-read",
  h2: "mt-10 scroll-mt-24 font-semibold text-[20px] leading-7 tracking-[-0.015em]",
  h3: "mt-8 scroll-mt-24 font-semibold text-[16px] leading-6",
  ul: "prose-dash mt-3 grid gap-2 text-read",
  ol: "mt-3 grid list-decimal gap-2 pl-6 text-read marker:text-muted",
  table: "w-full border-collapse text-ui",
  th: "border-line border-b py-2 pr-4 text-left font-normal text-label text-muted last:pr-0",
  td: "border-line border-b py-3 pr-4 align-top tabular-nums last:pr-0",
  code: "rounded-check bg-surface px-1 py-0.5 font-mono text-[0.9em]",
  pre: "mt-4 overflow-x-auto rounded-card border border-line bg-surface p-4 font-mono text-[13px] leading-5",
  blockquote: "mt-4 border-line2 border-l-2 pl-4 text-muted",
  hr: "mt-8 border-line",
  strong: "font-semibold",
};

export function Prose({ nodes }: { readonly nodes: readonly ArticleNode[] }) {
  return <>{renderAll(nodes)}</>;
}

function renderAll(nodes: readonly ArticleNode[] | undefined): ReactNode {
  // A document's nodes never change places, so their position names them.
  return nodes?.map((node, at) => {
    const key = `${at}`;
    return typeof node === "string" ? <Fragment key={key}>{node}</Fragment> : <Element key={key} node={node} />;
  });
}

function Element({ node }: { readonly node: Exclude<ArticleNode, string> }) {
  const { tag: Tag, children, href, id, align, start } = node;
  if (Tag === "a") return <ProseLink href={href}>{renderAll(children)}</ProseLink>;
  if (Tag === "hr" || Tag === "br") return <Tag className={CLASSES[Tag]} />;
  const side = align === undefined ? "" : align === "right" ? " text-right" : " text-center";
  const element = (
    <Tag className={`${CLASSES[Tag] ?? ""}${side}`} id={id} {...(Tag === "ol" && start !== undefined ? { start } : {})}>
      {renderAll(children)}
    </Tag>
  );
  // A wide table scrolls on its own and takes the keyboard's focus for it.
  return Tag === "table" ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="mt-4 overflow-x-auto" tabIndex={0}>
      {element}
    </div>
  ) : (
    element
  );
}

const LINK = "font-medium text-accent underline decoration-line2 underline-offset-4 hover:decoration-current";

function ProseLink({ href, children }: { readonly href: string | undefined; readonly children: ReactNode }) {
  if (href === undefined) return <>{children}</>;
  if (href.startsWith("/")) {
    return (
      <SiteLink to={href} className={LINK}>
        {children}
      </SiteLink>
    );
  }
  const outside = href.startsWith("https:") ? { target: "_blank", rel: "noreferrer" } : {};
  return (
    <a href={href} className={LINK} {...outside}>
      {children}
    </a>
  );
}
