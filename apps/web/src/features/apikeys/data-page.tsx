// Daily files of market data: one market and kind of data at a time, each day with its file and checksum.
import { Select } from "@clockwork/ui/select";
import { useState } from "react";
import { SiteLink } from "#boot/site-link.tsx";
import { PageHead } from "#shell/page-head.tsx";
import { usePublicText } from "#words/public-text.ts";
import {
  ARCHIVE_INTERVALS,
  ARCHIVE_PRODUCTS,
  type ArchivedSymbol,
  type ArchiveKind,
  archivedDays,
  archivePath,
  hasInterval,
  kindsOf,
} from "./archive-links.ts";

const DAYS_SHOWN = 31;
const LINK = "font-medium text-accent underline underline-offset-4";

const optionsOf = (ids: readonly string[], title: (id: string) => string = (id) => id) =>
  ids.map((id) => ({ id, title: title(id) }));

export interface DataPageProps {
  readonly symbols: readonly ArchivedSymbol[];
  readonly nowMs: number;
}

export function DataPage({ symbols, nowMs }: DataPageProps) {
  const text = usePublicText();
  const [product, setProduct] = useState<ArchivedSymbol["product"]>("spot");
  const [name, setName] = useState("");
  const [kind, setKind] = useState<ArchiveKind>("klines");
  const [interval, setInterval] = useState("1m");
  const listed = symbols.filter((one) => one.product === product);
  const market = listed.find(({ symbol }) => symbol === name) ?? listed[0];
  const shown = kindsOf(product).includes(kind) ? kind : "klines";
  const days = market === undefined ? [] : archivedDays(market.listedAtMs, nowMs, DAYS_SHOWN);
  return (
    <div className="container-read flex-1 py-10 lg:py-14">
      <PageHead title={text("public.data")} description={text("public.data.lead")} />
      <main id="content" className="mx-auto max-w-[820px]">
        <p className="text-label text-muted">
          <SiteLink to="/api-docs" className="hover:underline">
            {text("public.api")}
          </SiteLink>
        </p>
        <h1 className="mt-2 font-[640] text-[28px] leading-9 tracking-[-0.03em] sm:text-[36px] sm:leading-11">
          {text("public.data")}
        </h1>
        <p className="mt-3 text-[18px] text-muted leading-7">{text("public.data.lead")}</p>
        <div className="mt-8 grid gap-4 sm:grid-cols-2">
          <Select
            label={text("public.data.market")}
            options={optionsOf(ARCHIVE_PRODUCTS, (id) => text(`public.data.${id as ArchivedSymbol["product"]}`))}
            value={product}
            onChange={(id) => setProduct(ARCHIVE_PRODUCTS.find((one) => one === id) ?? "spot")}
          />
          <Select
            label={text("public.data.symbol")}
            options={optionsOf(listed.map(({ symbol }) => symbol))}
            value={market?.symbol ?? null}
            onChange={setName}
          />
          <Select
            label={text("public.data.kind")}
            options={optionsOf(kindsOf(product), (id) => text(`public.data.kind.${id as ArchiveKind}`))}
            value={shown}
            onChange={(id) => setKind(kindsOf(product).find((one) => one === id) ?? "klines")}
          />
          {hasInterval(shown) && (
            <Select
              label={text("public.data.interval")}
              options={optionsOf(ARCHIVE_INTERVALS)}
              value={interval}
              onChange={setInterval}
            />
          )}
        </div>
        <h2 className="mt-12 font-semibold text-[20px] leading-7 tracking-[-0.015em]">{text("public.data.files")}</h2>
        {market === undefined || days.length === 0 ? (
          <p className="mt-4 text-muted">{text("public.data.none")}</p>
        ) : (
          <ul className="mt-4">
            {days.map((day) => {
              const path = archivePath(market, shown, interval, day);
              return (
                <li
                  key={day}
                  className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-line border-b py-2 text-[13px]"
                >
                  <a href={path} className={`${LINK} break-all font-mono`}>
                    {path.split("/").at(-1)}
                  </a>
                  <a href={`${path}.CHECKSUM`} className="text-muted underline underline-offset-4">
                    {text("public.data.checksum")}
                  </a>
                </li>
              );
            })}
          </ul>
        )}
        <p className="mt-6 text-[15px] text-muted leading-6">{text("public.data.note")}</p>
      </main>
    </div>
  );
}
