// The editor of one written page: text, path, date, marks, a preview rendered by the server, and earlier versions.
// Input remains until it is saved or left.
import {
  ARTICLE_CONSOLE_CALLS,
  type ArticleKind,
  type ArticleNode,
  type ConsoleArticle,
} from "@clockwork/site/articles/contract";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { Checkbox } from "@clockwork/ui/checkbox";
import { buttonClass } from "@clockwork/ui/logic/button-style";
import { TextArea } from "@clockwork/ui/text-area";
import { TextField } from "@clockwork/ui/text-field";
import { useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import {
  ActionNote,
  FormRow,
  type OperatorAction,
  readInstant,
  useOperatorAction,
  writeInstant,
} from "#console/operator-action.tsx";
import { useCalls } from "#session/auth-context.ts";
import { Prose } from "#shell/prose.tsx";
import { useConsoleText } from "#words/console-text.ts";

export interface ArticleEditorProps {
  readonly kind: ArticleKind;
  /** Nothing: a new one. */
  readonly article: ConsoleArticle | undefined;
  readonly onSaved: (article: ConsoleArticle) => void;
  readonly onClose: () => void;
}

interface Draft {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly category: string;
  readonly section: string;
  readonly body: string;
  readonly published: string;
  readonly isPinned: boolean;
  readonly isHot: boolean;
  readonly isWithdrawn: boolean;
}

function draftOf(article: ConsoleArticle | undefined): Draft {
  return {
    slug: article?.slug ?? "",
    title: article?.title ?? "",
    summary: article?.summary ?? "",
    category: article?.category ?? "",
    section: article?.section ?? "",
    body: article?.body ?? "",
    published: writeInstant(article?.publishedAtMs ?? null),
    isPinned: article?.isPinned ?? false,
    isHot: article?.isHot ?? false,
    isWithdrawn: article?.isWithdrawn ?? false,
  };
}

function useEditor({ kind, article, onSaved }: ArticleEditorProps, action: OperatorAction) {
  const text = useConsoleText();
  const [draft, setDraft] = useState(() => draftOf(article));
  const [preview, setPreview] = useState<readonly ArticleNode[]>();
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const save = async () => {
    const instant = readInstant(draft.published);
    if (instant === undefined) return action.refuse(text("label.badInstant"));
    const { published: _published, ...rest } = draft;
    // Without a date it is shown from now on.
    const body = { kind, ...rest, baseVersion: article?.version ?? 0, publishedAtMs: instant.ms ?? Date.now() };
    const saved = await action.run(ARTICLE_CONSOLE_CALLS.save, body);
    if (saved !== undefined) onSaved(saved.data);
  };
  const look = async () => {
    if (preview !== undefined) return setPreview(undefined);
    const made = await action.look(ARTICLE_CONSOLE_CALLS.preview, { body: draft.body });
    if (made !== undefined) setPreview(made.data.body);
  };
  return { draft, change, preview, save, look };
}

export function ArticleEditor(props: ArticleEditorProps) {
  const text = useConsoleText();
  const action = useOperatorAction();
  const { draft, change, preview, save, look } = useEditor(props, action);
  const { article, kind, onClose } = props;
  return (
    <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_300px]">
      <Card>
        <ActionNote action={action} />
        <div className="grid gap-4">
          <FormRow>
            <TextField
              label={text("articles.slug")}
              value={draft.slug}
              onChange={(slug) => change({ slug })}
              isDisabled={article !== undefined}
              maxLength={80}
            />
            <TextField
              label={text("articles.publishedField")}
              value={draft.published}
              onChange={(published) => change({ published })}
              placeholder="2026-11-15 12:00"
              maxLength={16}
            />
          </FormRow>
          <TextField
            label={text("articles.heading")}
            value={draft.title}
            onChange={(title) => change({ title })}
            maxLength={200}
          />
          <TextField
            label={text("articles.summary")}
            value={draft.summary}
            onChange={(summary) => change({ summary })}
            maxLength={500}
          />
          <FormRow>
            <TextField
              label={text("articles.category")}
              value={draft.category}
              onChange={(category) => change({ category })}
              maxLength={80}
            />
            <TextField
              label={text("articles.section")}
              value={draft.section}
              onChange={(section) => change({ section })}
              maxLength={80}
            />
          </FormRow>
          {preview === undefined ? (
            <TextArea
              label={text("articles.body")}
              value={draft.body}
              onChange={(body) => change({ body })}
              rows={18}
              maxLength={200_000}
              className="[&_textarea]:font-mono [&_textarea]:text-[13px]"
            />
          ) : (
            <section aria-label={text("articles.preview")} className="rounded-control border border-line px-6 pb-6">
              <Prose nodes={preview} />
            </section>
          )}
          <div className="flex flex-wrap gap-x-6 gap-y-2">
            <Checkbox isSelected={draft.isPinned} onChange={(isPinned) => change({ isPinned })}>
              {text("articles.pinned")}
            </Checkbox>
            <Checkbox isSelected={draft.isHot} onChange={(isHot) => change({ isHot })}>
              {text("articles.hot")}
            </Checkbox>
            <Checkbox isSelected={draft.isWithdrawn} onChange={(isWithdrawn) => change({ isWithdrawn })}>
              {text("articles.state.withdrawn")}
            </Checkbox>
          </div>
          <div className="flex flex-wrap gap-2">
            <Button kind="primary" size={40} busy={action.isBusy} onPress={() => void save()}>
              {text("label.save")}
            </Button>
            <Button size={40} onPress={() => void look()}>
              {text(preview === undefined ? "articles.preview" : "articles.write")}
            </Button>
            {(kind === "announcement" || kind === "news") && article?.state === "shown" && (
              <SiteLink
                to="/operator/broadcasts"
                state={{ subject: draft.title, body: draft.summary }}
                className={buttonClass({ size: 40 })}
              >
                {text("articles.broadcast")}
              </SiteLink>
            )}
            <Button size={40} kind="ghost" onPress={onClose}>
              {text("label.close")}
            </Button>
          </div>
        </div>
      </Card>
      {article !== undefined && (
        <Versions kind={kind} article={article} onTake={(title, body) => change({ title, body })} />
      )}
    </div>
  );
}

interface VersionsProps {
  readonly kind: ArticleKind;
  readonly article: ConsoleArticle;
  readonly onTake: (title: string, body: string) => void;
}

/** Taking an earlier text puts it into the form; only saving makes it the newest. */
function Versions({ kind, article, onTake }: VersionsProps) {
  const text = useConsoleText();
  const calls = useCalls();
  const take = async (version: number) => {
    const query = { kind, slug: article.slug, version };
    const answer = await (await calls()).call(ARTICLE_CONSOLE_CALLS.version, query);
    if (answer.ok) onTake(answer.data.title, answer.data.body);
  };
  return (
    <Card flush title={text("articles.versions")} className="self-start">
      <ul>
        {article.versions.map(({ version, changedAtMs, changedBy }) => (
          <li
            key={version}
            className="flex items-center justify-between gap-3 border-line border-t px-6 py-2.5 text-ui"
          >
            <span>
              <span className="font-medium">{version}</span>{" "}
              <span className="figures text-[13px] text-muted">
                {writeInstant(changedAtMs)} · {changedBy === "release" ? text("articles.release") : changedBy}
              </span>
            </span>
            <Button size={28} aria-label={text("articles.takeVersion", { version })} onPress={() => void take(version)}>
              {text("articles.take")}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
