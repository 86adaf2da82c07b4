// Samples for programs, one way at a time, ready to copy.
import { SAMPLE_TITLES, SAMPLE_WAYS, type SampleWay, sampleOf } from "@clockwork/kit/programs/dialect-samples";
import { CopyButton } from "@clockwork/ui/copy-button";
import { Segmented } from "@clockwork/ui/segmented";
import { type ReactNode, useState } from "react";
import { type Paint, paintSample } from "./sample-paint.ts";

/** On the dark ground of code in both themes. */
const PAINTS: Readonly<Record<Paint, string>> = {
  plain: "",
  word: "text-[#a3b3ff]",
  text: "text-[#e3b878]",
  number: "text-[#8ad1b3]",
  remark: "text-[#98a1b0]",
};

export interface SampleViewProps {
  readonly origin: string;
  readonly label: string;
  readonly copyLabel: string;
  /** Next to the copy button. */
  readonly note?: string;
  /** Above the sample, the title next to its variants. */
  readonly title?: string;
  readonly lead?: string;
  /** After the copy button. */
  readonly more?: ReactNode;
}

export function SampleView({ origin, label, copyLabel, note = "", title, lead, more }: SampleViewProps) {
  const [way, setWay] = useState<SampleWay>("ccxt");
  const sample = sampleOf(way, origin);
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {title !== undefined && <h2 className="text-card text-text">{title}</h2>}
        <div className="max-w-full overflow-x-auto">
          <Segmented
            label={label}
            segments={SAMPLE_WAYS.map((id) => ({ id, title: SAMPLE_TITLES[id] }))}
            value={way}
            onChange={(id) => setWay(SAMPLE_WAYS.find((one) => one === id) ?? "ccxt")}
          />
        </div>
      </div>
      {lead !== undefined && <p className="mb-3 text-[13px] text-muted">{lead}</p>}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard
        tabIndex={0}
        className="overflow-x-auto rounded-control bg-code-bg p-4 font-mono text-[12px] text-code-text leading-5"
      >
        {paintSample(sample).map(({ at, paint, text }) => (
          <span key={at} className={PAINTS[paint]}>
            {text}
          </span>
        ))}
      </pre>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span className="text-label text-muted">{note}</span>
        <div className="flex items-center gap-2">
          <CopyButton text={sample} what={copyLabel} worded />
          {more}
        </div>
      </div>
    </>
  );
}
