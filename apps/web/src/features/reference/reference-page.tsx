// The API reference: its groups, and of one group the calls, their members, and a place to run each.
import { useRouteLoaderData } from "react-router";
import type { RootData } from "#boot/root-data.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { usePublicText } from "#words/public-text.ts";
import { CallRunner } from "./call-runner.tsx";
import { groupName, type Operation, type OperationGroup } from "./openapi.ts";

export interface ReferenceData {
  readonly index: readonly { readonly tag: string; readonly count: number }[];
  /** The one whose calls are shown; all of them together are more than a page can hold. */
  readonly group: OperationGroup | null;
}

const TITLE = "font-[640] text-[28px] leading-9 tracking-[-0.03em] sm:text-[36px] sm:leading-11";

export function ReferencePage({ index, group }: ReferenceData) {
  const text = usePublicText();
  const title = group === null ? text("public.api") : `${text("public.api")}: ${group.tag}`;
  return (
    <div className="container-read flex flex-1 gap-10 py-10 lg:gap-16 lg:py-14">
      <PageHead title={title} description={text("public.api.lead")} />
      <nav aria-label={text("public.api.groups")} className="hidden w-[200px] shrink-0 lg:block">
        <div className="sticky top-[104px] max-h-[calc(100vh-128px)] overflow-y-auto">
          <h2 className="text-label text-muted">{text("public.api.groups")}</h2>
          <ul className="mt-3 border-line border-l">
            {index.map(({ tag }) => (
              <li key={tag}>
                <SiteLink
                  to={`/api-docs/${groupName(tag)}`}
                  aria-current={tag === group?.tag ? "page" : undefined}
                  className="flex py-1.5 pl-4 text-[13px] text-muted leading-5 hover:text-text aria-[current]:font-medium aria-[current]:text-text"
                >
                  {tag}
                </SiteLink>
              </li>
            ))}
          </ul>
        </div>
      </nav>
      <main id="content" className="min-w-0 flex-1">
        {group === null ? <Groups index={index} /> : <Calls group={group} />}
      </main>
    </div>
  );
}

const DOCUMENTS = [
  ["openapi.json", "public.api.programsDocument"],
  ["asyncapi.json", "public.api.streamsDocument"],
  ["dialect.json", "public.api.dialectDocument"],
] as const;

function Groups({ index }: Pick<ReferenceData, "index">) {
  const text = usePublicText();
  const origin = useRouteLoaderData<RootData>("root")?.origin ?? "";
  return (
    <>
      <h1 className={TITLE}>{text("public.api")}</h1>
      <p className="mt-3 max-w-[680px] text-[18px] text-muted leading-7">{text("public.api.lead")}</p>
      <p className="mt-3">
        <a href={`${origin}/openapi.json`} className="font-medium text-accent underline underline-offset-4">
          {text("public.api.document")}
        </a>
      </p>
      <p className="mt-3 text-muted">
        {text("public.dialect.from")}{" "}
        <SiteLink to="/api-docs/dialect" className="font-medium text-accent underline underline-offset-4">
          {text("public.dialect")}
        </SiteLink>
      </p>
      <p className="mt-3 text-muted">
        {text("public.api.programs")}{" "}
        {DOCUMENTS.map(([path, name], place) => (
          <span key={path}>
            {place > 0 && ", "}
            <a href={`${origin}/open/v1/${path}`} className="font-medium text-accent underline underline-offset-4">
              {text(name)}
            </a>
          </span>
        ))}
      </p>
      <p className="mt-3">
        <SiteLink to="/api-docs/data" className="font-medium text-accent underline underline-offset-4">
          {text("public.data")}
        </SiteLink>
      </p>
      {index.length === 0 && <p className="mt-8 text-muted">{text("public.api.none")}</p>}
      <ul className="mt-10 grid gap-3 sm:grid-cols-2">
        {index.map(({ tag, count }) => (
          <li key={tag}>
            <SiteLink
              to={`/api-docs/${groupName(tag)}`}
              className="flex items-baseline justify-between rounded-lg border border-line px-4 py-3 hover:bg-surface"
            >
              <span className="font-medium">{tag}</span>
              <span className="text-[13px] text-muted">{text("public.api.calls", { count })}</span>
            </SiteLink>
          </li>
        ))}
      </ul>
    </>
  );
}

function Calls({ group: { tag, operations } }: { readonly group: OperationGroup }) {
  const text = usePublicText();
  return (
    <>
      <p className="text-label text-muted">
        <SiteLink to="/api-docs" className="hover:underline">
          {text("public.api")}
        </SiteLink>
      </p>
      <h1 className={`mt-2 ${TITLE}`}>{tag}</h1>
      <div className="mt-6 border-line border-t">
        {operations.map((operation) => (
          <OperationRow key={operation.id} operation={operation} />
        ))}
      </div>
    </>
  );
}

function OperationRow({ operation }: { readonly operation: Operation }) {
  const text = usePublicText();
  const { method, path, summary, parameters, isSignedIn } = operation;
  return (
    <details className="group border-line border-b" id={operation.id}>
      <summary className="flex cursor-pointer flex-wrap items-baseline gap-x-3 gap-y-1 py-3 hover:bg-surface">
        <span className="w-14 font-mono font-semibold text-[12px]">{method}</span>
        <code className="min-w-0 break-all font-mono text-[13px]">{path}</code>
        <span className="basis-full pl-[68px] text-[13px] text-muted sm:basis-auto sm:pl-0">{summary}</span>
      </summary>
      <div className="pb-5 sm:pl-[68px]">
        {isSignedIn && <p className="text-label text-muted">{text("public.api.signedIn")}</p>}
        {parameters.length > 0 && <Members operation={operation} />}
        <CallRunner operation={operation} />
      </div>
    </details>
  );
}

function Members({ operation }: { readonly operation: Operation }) {
  const text = usePublicText();
  const head = "border-line border-b py-1.5 pr-4 text-left font-normal text-label text-muted";
  const cell = "border-line border-b py-1.5 pr-4 align-top text-[13px]";
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div className="mt-2 overflow-x-auto" tabIndex={0}>
      <table className="w-full">
        <thead>
          <tr>
            <th className={head}>{text("public.api.name")}</th>
            <th className={head}>{text("public.api.place")}</th>
            <th className={head}>{text("public.api.type")}</th>
            <th className={head}>{text("public.api.required")}</th>
          </tr>
        </thead>
        <tbody>
          {operation.parameters.map(({ name, place, type, isRequired }) => (
            <tr key={`${place}-${name}`}>
              <td className={`${cell} font-mono`}>{name}</td>
              <td className={cell}>{place}</td>
              <td className={`${cell} max-w-[360px] break-words text-muted`}>{type}</td>
              <td className={cell}>{isRequired ? text("public.api.yes") : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
