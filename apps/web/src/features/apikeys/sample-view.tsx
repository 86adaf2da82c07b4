// Samples for programs, one way at a time, ready to copy.
import { SAMPLE_TITLES, SAMPLE_WAYS, type SampleWay, sampleOf } from "@clockwork/kit/programs/dialect-samples";
import { CopyButton } from "@clockwork/ui/copy-button";
import { Segmented } from "@clockwork/ui/segmented";
import { useState } from "react";

export interface SampleViewProps {
  readonly origin: string;
  readonly label: string;
  readonly copyLabel: string;
  /** Stands beside the button that copies. */
  readonly note?: string;
}

export function SampleView({ origin, label, copyLabel, note = "" }: SampleViewProps) {
  const [way, setWay] = useState<SampleWay>("ccxt");
  const sample = sampleOf(way, origin);
  return (
    <>
      <div className="mb-3 max-w-full overflow-x-auto">
        <Segmented
          label={label}
          segments={SAMPLE_WAYS.map((id) => ({ id, title: SAMPLE_TITLES[id] }))}
          value={way}
          onChange={(id) => setWay(SAMPLE_WAYS.find((one) => one === id) ?? "ccxt")}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto rounded-control bg-active p-4 font-mono text-[12px] leading-5">
        {sample}
      </pre>
      <div className="mt-3 flex items-center justify-between gap-4">
        <span className="text-label text-muted">{note}</span>
        <CopyButton text={sample} what={copyLabel} worded />
      </div>
    </>
  );
}
