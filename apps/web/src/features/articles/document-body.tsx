// The text of a document. The gist is in a box of its own, before the detail.
import type { ArticleNode } from "@clockwork/site/articles/contract";
import { Prose } from "#shell/prose.tsx";

const SHORT_ID = "in-short";

export function DocumentBody({ nodes }: { readonly nodes: readonly ArticleNode[] }) {
  const isHeading = (node: ArticleNode | undefined, id?: string) =>
    typeof node === "object" && node.tag === "h2" && (id === undefined || node.id === id);
  const end = isHeading(nodes[0], SHORT_ID) ? nodes.findIndex((node, at) => at > 0 && !isList(node)) : 0;
  const short = nodes.slice(0, Math.max(0, end));
  const [heading, ...points] = short;
  return (
    <>
      {typeof heading === "object" && (
        <section
          aria-labelledby={SHORT_ID}
          className="mt-6 rounded-card border border-line bg-surface px-6 pt-5 pb-6 [&>ul]:mt-3"
        >
          <h2 id={SHORT_ID} className="scroll-mt-24 font-semibold text-[16px] leading-6">
            {heading.children?.filter((child) => typeof child === "string").join("")}
          </h2>
          <Prose nodes={points} />
        </section>
      )}
      <div className="mt-8">
        <Prose nodes={nodes.slice(short.length)} />
      </div>
    </>
  );
}

function isList(node: ArticleNode): boolean {
  return typeof node === "object" && node.tag === "ul";
}
