// The written pages, for editors.

import type { Me } from "@clockwork/identity/operators/contract";
import {
  ARTICLE_CONSOLE_CALLS,
  ARTICLE_KINDS,
  type ArticleKind,
  type ConsoleList,
} from "@clockwork/site/articles/contract";
import { type LoaderFunctionArgs, useLoaderData, useRevalidator } from "react-router";
import { pageContext } from "#boot/page-context.ts";
import { loadPayload } from "#boot/payload.ts";
import { loadBehindGate, loadOperator } from "#console/operator-data.ts";
import { StepUpProof } from "#shell/proof/step-up.tsx";
import { ArticlesPage } from "../../features/articles/console-page.tsx";

interface ArticlesData {
  readonly me: Me;
  readonly kind: ArticleKind;
  readonly list: ConsoleList | null;
}

export async function loader({ context, url }: LoaderFunctionArgs): Promise<ArticlesData> {
  const page = context.get(pageContext);
  const me = await loadOperator(page);
  const requested = url.searchParams.get("kind");
  const kind = ARTICLE_KINDS.find((one) => one === requested) ?? "announcement";
  return { me, kind, list: await loadBehindGate(page, me, ARTICLE_CONSOLE_CALLS.list, { kind }) };
}

export const clientLoader = loadPayload<ArticlesData>;

export default function OperatorArticles() {
  const data = useLoaderData<ArticlesData>();
  const { revalidate } = useRevalidator();
  return <ArticlesPage {...data} proof={<StepUpProof kind="totp" onProved={() => void revalidate()} />} />;
}
