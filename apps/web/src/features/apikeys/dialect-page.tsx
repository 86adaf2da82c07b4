// The dialect of Binance for authors of bots: its addresses, samples to copy and run, differences.
import type { DialectCall } from "@clockwork/identity/apikeys/contract";
import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import type { RootData } from "#boot/root-data.ts";
import { SiteLink } from "#boot/site-link.tsx";
import { useGlobal } from "#boot/state.ts";
import { PageHead } from "#shell/page-head.tsx";
import { usePublicText } from "#words/public-text.ts";
import { CallTables } from "./dialect-calls.tsx";
import { SampleView } from "./sample-view.tsx";

const RULES = ["sign", "once", "time", "limits", "codes", "stops", "missing"] as const;
const TESTS = ["one", "two", "three", "four", "five", "six"] as const;

export function DialectPage({ calls }: { readonly calls: readonly DialectCall[] }) {
  const text = usePublicText();
  const hasTestFunds = useGlobal((state) => state.hasTestFunds);
  const origin = useRouteLoaderData<RootData>("root")?.origin ?? "";
  return (
    <div className="container-read flex-1 py-10 lg:py-14">
      <PageHead title={text("public.dialect")} description={text("public.dialect.lead")} />
      <main id="content" className="mx-auto max-w-[820px]">
        <p className="text-label text-muted">
          <SiteLink to="/api-docs" className="hover:underline">
            {text("public.api")}
          </SiteLink>
        </p>
        <h1 className="mt-2 font-[640] text-[28px] leading-9 tracking-[-0.03em] sm:text-[36px] sm:leading-11">
          {text("public.dialect")}
        </h1>
        <p className="mt-3 text-[18px] text-muted leading-7">{text("public.dialect.lead")}</p>
        <Addresses origin={origin} />
        <Samples origin={origin} />
        <Section title={text("public.dialect.calls")}>
          <CallTables calls={calls} />
        </Section>
        <Section title={text("public.dialect.rules")}>
          <List lines={RULES.map((name) => text(`public.dialect.rule.${name}`))} />
        </Section>
        <Section title={text("public.dialect.testing")}>
          <List
            lines={TESTS.filter((name) => hasTestFunds || name !== "one").map((name) =>
              text(`public.dialect.testing.${name}`),
            )}
          />
        </Section>
      </main>
    </div>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="mt-12">
      <h2 className="font-semibold text-[20px] leading-7 tracking-[-0.015em]">{title}</h2>
      <div className="mt-4">{children}</div>
    </section>
  );
}

function List({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul className="list-disc space-y-2 pl-5 text-[15px] leading-6">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function Addresses({ origin }: { readonly origin: string }) {
  const text = usePublicText();
  const socket = origin.replace(/^http/, "ws");
  const rows = [
    ["spot", "/api/v3", "/stream/ws", "/ws-api/v3"],
    ["linear", "/fapi/v1", "/fstream/ws", "/ws-fapi/v1"],
    ["inverse", "/dapi/v1", "/dstream/ws", "/ws-dapi/v1"],
    ["wallet", "/sapi/v1", "", ""],
  ] as const;
  const head = "border-line border-b py-2 pr-6 text-left font-normal text-label text-muted";
  const cell = "whitespace-nowrap border-line border-b py-2 pr-6 text-[13px]";
  return (
    <Section title={text("public.dialect.addresses")}>
      <p className="mb-3 flex flex-wrap gap-x-6 font-mono text-[13px] text-muted">
        <span>{origin}</span>
        <span>{socket}</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="overflow-x-auto" tabIndex={0}>
        <table className="w-full">
          <thead>
            <tr>
              <th className={head}>{text("public.api.name")}</th>
              <th className={head}>{text("public.dialect.calls")}</th>
              <th className={head}>{text("public.dialect.streams")}</th>
              <th className={head}>{text("public.dialect.socket")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, calls, streams, door]) => (
              <tr key={name}>
                <td className={cell}>{text(`public.dialect.${name}`)}</td>
                <td className={`${cell} font-mono`}>{calls}</td>
                <td className={`${cell} font-mono`}>{streams}</td>
                <td className={`${cell} font-mono`}>{door}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Samples({ origin }: { readonly origin: string }) {
  const text = usePublicText();
  return (
    <Section title={text("public.dialect.samples")}>
      <p className="mb-4 text-[15px] text-muted leading-6">
        {text("public.dialect.samples.lead")}{" "}
        <SiteLink to="/api-keys" className="font-medium text-accent underline underline-offset-4">
          {text("public.dialect.keys")}
        </SiteLink>
      </p>
      <SampleView origin={origin} label={text("public.dialect.samples")} copyLabel={text("public.dialect.copy")} />
    </Section>
  );
}
