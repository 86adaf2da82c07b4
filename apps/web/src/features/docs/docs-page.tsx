// A documentation page: a title, a lead, and sections with a running example and its code. Pages give content only.
import type { ExampleSource } from "@clockwork/ui/logic/example-source";
import type { ComponentType, ReactNode } from "react";
import { useLoaderData } from "react-router";
import { PageHead } from "#shell/page-head.tsx";
import { CodeBlock } from "./code-block.tsx";
import { DocsFrame } from "./docs-frame.tsx";
import { DOCS, OVERVIEW } from "./docs-list.ts";

/** The examples of a page's file, cut out on the server: sources never enter a bundle. */
export interface DocsData {
  readonly examples: readonly ExampleSource[];
}

export interface DocsPageProps {
  readonly path: string;
  /** By their names, which the bundler keeps in a module's namespace. */
  readonly examples?: Readonly<Record<string, ComponentType>>;
  /** Before the examples. */
  readonly sections?: readonly { readonly title: string; readonly text?: string; readonly content: ReactNode }[];
}

export function DocsPage({ path, examples = {}, sections = [] }: DocsPageProps) {
  const shown = useLoaderData<DocsData | undefined>()?.examples ?? [];
  const { title, about, source } = DOCS.flatMap(({ entries }) => entries).find((one) => one.path === path) ?? OVERVIEW;
  const onPage = [...sections, ...shown].map((section) => ({ id: formatId(section.title), title: section.title }));
  return (
    <DocsFrame onPage={onPage} source={source}>
      <PageHead title={title} description={about} />
      <h1 className="text-[32px] leading-10 font-[640] tracking-[-0.03em]">{title}</h1>
      <p className="mt-4 text-muted text-read">{about}</p>
      {sections.map((section) => (
        <Section key={section.title} title={section.title} text={section.text}>
          <div className="mt-4">{section.content}</div>
        </Section>
      ))}
      {shown.map(({ name, code, ...head }) => {
        const Example = examples[name];
        return (
          <Section key={name} {...head}>
            <div className="mt-4 overflow-hidden rounded-card border border-line">
              <div className="overflow-x-auto p-5">{Example !== undefined && <Example />}</div>
              <CodeBlock code={code} label={`Source of ${head.title}`} />
            </div>
          </Section>
        );
      })}
    </DocsFrame>
  );
}

const formatId = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, "-");

function Section(props: { readonly title: string; readonly text?: string | undefined; readonly children: ReactNode }) {
  const id = formatId(props.title);
  return (
    <section aria-labelledby={id} className="mt-12">
      <h2 id={id} className="scroll-mt-24 font-semibold text-[20px] leading-7 tracking-[-0.015em]">
        {props.title}
      </h2>
      {(props.text ?? "") !== "" && <p className="mt-1 text-muted text-ui">{props.text}</p>}
      {props.children}
    </section>
  );
}
