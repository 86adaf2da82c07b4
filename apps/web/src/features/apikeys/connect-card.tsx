// How a program is pointed here: the few lines that differ from its usual set-up, ready to copy.
import { Card } from "@clockwork/ui/card";
import { useKeysText } from "./keys-text.ts";
import { SampleView } from "./sample-view.tsx";

export function ConnectCard({ origin }: { readonly origin: string }) {
  const text = useKeysText();
  return (
    <Card title={text("connect.title")}>
      <p className="mb-3 text-[13px] text-muted">{text("connect.lead")}</p>
      <SampleView
        origin={origin}
        label={text("connect.title")}
        copyLabel={text("connect.copy")}
        note={text("connect.window")}
      />
    </Card>
  );
}
