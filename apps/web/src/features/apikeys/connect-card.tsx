// How a program is pointed here: the few lines that differ from its usual set-up, ready to copy.
import { Card } from "@clockwork/ui/card";
import { CopyButton } from "@clockwork/ui/copy-button";
import { Segmented } from "@clockwork/ui/segmented";
import { useState } from "react";
import { SAMPLE_TITLES, SAMPLE_WAYS, type SampleWay, sampleOf } from "#shell/dialect-samples.ts";
import { useKeysText } from "./keys-text.ts";

export function ConnectCard({ origin }: { readonly origin: string }) {
  const text = useKeysText();
  const [way, setWay] = useState<SampleWay>("ccxt");
  const sample = sampleOf(way, origin);
  return (
    <Card title={text("connect.title")}>
      <p className="mb-3 text-[13px] text-muted">{text("connect.lead")}</p>
      <div className="mb-3 max-w-full overflow-x-auto">
        <Segmented
          label={text("connect.title")}
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
        <span className="text-label text-muted">{text("connect.window")}</span>
        <CopyButton text={sample} what={text("connect.copy")} worded />
      </div>
    </Card>
  );
}
