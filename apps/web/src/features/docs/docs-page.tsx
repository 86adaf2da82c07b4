// A documentation page: a title, a lead, and sections with a running example and its code. Pages give content only.
import type { ComponentType, ReactNode } from "react";
import { useLoaderData } from "react-router";
import { PageHead } from "#shell/page-head.tsx";
import { CodeBlock } from "./code-block.tsx";
import { DocsFrame } from "./docs-frame.tsx";

/** The source of each example by its name, cut out on the server. */
export interface DocsData {
  readonly code: Readonly<Record<string, string>>;
}

export interface DocsSection {
  readonly title: string;
  readonly text: ReactNode;
  /** Runs here. */
  readonly example?: ComponentType;
  /** The example's name in its file; written out, since the bundler shortens the function's own. */
  readonly code?: string;
  /** Sections that show something else than an example. */
  readonly content?: ReactNode;
  /** The example brings its own frame. */
  readonly bare?: boolean;
}

export interface DocsPageProps {
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly DocsSection[];
  readonly source?: string;
}

function formatId(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

export function DocsPage({ title, lead, sections, source }: DocsPageProps) {
  const data = useLoaderData<DocsData | undefined>();
  const onPage = sections.map((section) => ({ id: formatId(section.title), title: section.title }));
  return (
    <DocsFrame onPage={onPage} source={source}>
      <PageHead title={title} description={lead} />
      <h1 className="text-[32px] leading-10 font-[640] tracking-[-0.03em]">{title}</h1>
      <p className="mt-4 text-muted text-read">{lead}</p>
      {sections.map((section) => (
        <Section key={section.title} section={section} code={data?.code ?? {}} />
      ))}
    </DocsFrame>
  );
}

function Section({ section, code }: { readonly section: DocsSection; readonly code: DocsData["code"] }) {
  const { title, text, example: Example, content, bare = false } = section;
  const source = section.code === undefined ? undefined : code[section.code];
  return (
    <section aria-labelledby={formatId(title)} className="mt-12">
      <h2 id={formatId(title)} className="scroll-mt-24 font-semibold text-[20px] leading-7 tracking-[-0.015em]">
        {title}
      </h2>
      {text !== "" && <p className="mt-1 text-muted text-ui">{text}</p>}
      {content !== undefined && <div className="mt-4">{content}</div>}
      {Example !== undefined && (
        <div className="mt-4 overflow-hidden rounded-card border border-line">
          <div className={bare ? "[&>div]:rounded-none [&>div]:border-0" : "overflow-x-auto p-5"}>
            <Example />
          </div>
          {source !== undefined && source !== "" && <CodeBlock code={source} label={`Source of ${title}`} />}
        </div>
      )}
    </section>
  );
}
