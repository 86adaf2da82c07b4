// Recomputes a leader's figures in the browser, from the public record, and shows whether they match.
import { COPY_CALLS, type CopyKind } from "@clockwork/strategies/copy/contract";
import { Button } from "@clockwork/ui/button";
import { useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { useCopyText } from "./copy-text.ts";
import { verifyRecord } from "./verify.ts";

export function VerifyButton({ kind, leaderId }: { readonly kind: CopyKind; readonly leaderId: string }) {
  const text = useCopyText();
  const calls = useCalls();
  const [busy, setBusy] = useState(false);
  const [reply, setReply] = useState<{ readonly words: string; readonly tone: string }>();
  const verify = async () => {
    setBusy(true);
    const answer = await (await calls()).call(COPY_CALLS[kind].record, { id: leaderId });
    setBusy(false);
    if (!answer.ok) {
      setReply({ words: text("failed"), tone: "text-warn" });
      return;
    }
    const { days, trades } = answer.data;
    const { count, differing } = verifyRecord(answer.data);
    const isSame = differing.length === 0;
    setReply({
      words: isSame
        ? text("verify.same", { count, days: days.length, trades: trades.length })
        : text("verify.other", { count: differing.length, list: differing.join(", ") }),
      tone: isSame ? "text-buy" : "text-sell",
    });
  };
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3">
      <Button size={32} busy={busy} onPress={() => void verify()}>
        {text("verify.go")}
      </Button>
      <p role="status" className={`min-w-0 flex-1 text-[13px] ${reply?.tone ?? ""}`}>
        {reply?.words}
      </p>
    </div>
  );
}
