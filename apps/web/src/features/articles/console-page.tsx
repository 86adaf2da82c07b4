// `/operator/articles`: every written page by kind, with its state; one of them opens in the editor.
import {
  ARTICLE_CONSOLE_CALLS,
  ARTICLE_KINDS,
  type ArticleKind,
  type ConsoleArticle,
  type ConsoleList,
  NEW_KINDS,
} from "@clockwork/site/articles/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Badge } from "@clockwork/ui/pill";
import { type Column, Table } from "@clockwork/ui/table";
import { type ReactNode, Suspense, useState } from "react";
import { useRevalidator } from "react-router";
import { SiteLink } from "#boot/site-link.tsx";
import { lazy } from "#boot/timeout.ts";
import { ConsoleFrame, type ConsoleOperator } from "#console/console-frame.tsx";
import { writeInstant } from "#console/operator-action.tsx";
import { useCalls } from "#session/auth-context.ts";
import { FailedLine } from "#session/failed-line.tsx";
import { type ConsoleText, useConsoleText } from "#words/console-text.ts";

const ArticleEditor = lazy(() => import("./console-editor.tsx").then((part) => ({ default: part.ArticleEditor })));

export interface ArticlesPageProps {
  readonly me: ConsoleOperator;
  readonly kind: ArticleKind;
  readonly list: ConsoleList | null;
  readonly proof: ReactNode;
}

export function ArticlesPage({ me, kind, list, proof }: ArticlesPageProps) {
  const text = useConsoleText();
  return (
    <ConsoleFrame me={me} title={text("articles.title")} lead={text("articles.lead")} proof={proof}>
      {list === null ? <FailedLine /> : <ArticleConsole key={kind} kind={kind} list={list} />}
    </ConsoleFrame>
  );
}

function ArticleConsole({ kind, list }: { readonly kind: ArticleKind; readonly list: ConsoleList }) {
  const text = useConsoleText();
  const calls = useCalls();
  const { revalidate } = useRevalidator();
  const [open, setOpen] = useState<ConsoleArticle | "new">();
  const show = async (slug: string) => {
    const answer = await (await calls()).call(ARTICLE_CONSOLE_CALLS.one, { kind, slug });
    if (answer.ok) setOpen(answer.data);
  };
  if (open !== undefined) {
    return (
      <Suspense fallback={null}>
        <ArticleEditor
          key={open === "new" ? "" : `${open.slug}-${open.version}`}
          kind={kind}
          article={open === "new" ? undefined : open}
          onSaved={(saved) => {
            setOpen(saved);
            void revalidate();
          }}
          onClose={() => setOpen(undefined)}
        />
      </Suspense>
    );
  }
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-6 gap-y-3">
        <nav aria-label={text("articles.kinds")} className="flex flex-wrap gap-x-5">
          {ARTICLE_KINDS.map((one) => (
            <SiteLink
              key={one}
              to={`/operator/articles?kind=${one}`}
              aria-current={one === kind ? "page" : undefined}
              data-selected={one === kind ? "" : undefined}
              className="tab-look"
            >
              {text(`articles.kind.${one}`)}
            </SiteLink>
          ))}
        </nav>
        {NEW_KINDS.includes(kind) && (
          <Button size={36} icon="plus" className="ml-auto" onPress={() => setOpen("new")}>
            {text("articles.new")}
          </Button>
        )}
      </div>
      <Card flush className="overflow-x-auto">
        <Table
          label={text("articles.title")}
          columns={listColumns(text, (slug) => void show(slug))}
          rows={list.articles}
          rowKey={({ slug }) => slug}
        />
      </Card>
    </>
  );
}

type Row = ConsoleList["articles"][number];
const TONES = { shown: "neutral", scheduled: "info", withdrawn: "warn" } as const;

function listColumns(text: ConsoleText, onEdit: (slug: string) => void): readonly Column<Row>[] {
  return [
    {
      id: "title",
      title: text("articles.heading"),
      render: ({ title, slug }) => (
        <button
          type="button"
          onClick={() => onEdit(slug)}
          className="block max-w-[420px] truncate text-left hover:underline max-md:w-[220px] max-md:whitespace-normal"
        >
          <span className="font-medium">{title}</span> <span className="text-muted">{slug}</span>
        </button>
      ),
    },
    {
      id: "state",
      title: text("articles.state"),
      className: "whitespace-nowrap",
      render: ({ state, isPinned, isHot }) => (
        <span className="flex gap-1">
          <Badge tone={TONES[state]}>{text(`articles.state.${state}`)}</Badge>
          {isPinned && <Badge tone="outline">{text("articles.pinned")}</Badge>}
          {isHot && <Badge tone="outline">{text("articles.hot")}</Badge>}
        </span>
      ),
    },
    { id: "category", title: text("articles.category"), read: ({ category }) => category },
    {
      id: "published",
      title: text("articles.published"),
      kind: "time",
      className: "whitespace-nowrap",
      render: ({ publishedAtMs }) => (publishedAtMs === 0 ? "" : writeInstant(publishedAtMs)),
    },
    { id: "version", title: text("articles.version"), kind: "number", read: ({ version }) => version },
    {
      id: "by",
      title: text("articles.by"),
      render: ({ editedBy }) => (editedBy === "" ? text("articles.release") : editedBy),
    },
    {
      id: "edit",
      title: text("label.edit"),
      titleHidden: true,
      kind: "action",
      render: ({ slug, title }) => (
        <Button size={28} aria-label={`${text("label.edit")}: ${title}`} onPress={() => onEdit(slug)}>
          {text("label.edit")}
        </Button>
      ),
    },
  ];
}
