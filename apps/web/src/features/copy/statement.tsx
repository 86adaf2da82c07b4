// Everything copies brought as one file: copies, skips with their reasons, shares paid, oldest to newest by the page.
import type { DataOf, InputOf } from "@clockwork/kit/endpoint";
import { COPY_CALLS, type CopyKind } from "@clockwork/strategies/copy/contract";
import { Button } from "@clockwork/ui/button";
import { showToast } from "@clockwork/ui/toast";
import { useState } from "react";
import { useCalls } from "#session/auth-context.ts";
import { nameZone, useZone } from "#session/zone.ts";
import { saveSheet } from "#trade/orders/orders-export.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useCopyText } from "./copy-text.ts";
import { headOf, sheetRows } from "./statement-rows.ts";

const PAGE = 100;

export function Statement({ kind }: { readonly kind: CopyKind }) {
  const text = useCopyText();
  const words = useAuthText();
  const calls = useCalls();
  const zone = useZone();
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    const client = await calls();
    const list = COPY_CALLS[kind];
    /** All pages of a list, or nothing after a failure, which is shown. */
    const readAll = async <Called extends typeof list.copies | typeof list.profits>(called: Called) => {
      const pages: DataOf<Called>[] = [];
      for (let before: string | null | undefined; before !== null; before = pages.at(-1)?.nextBefore ?? null) {
        const answer = await client.call(called, { limit: PAGE, before } as InputOf<Called>);
        if (!answer.ok) {
          showToast({ title: describeFailure(words, answer), tone: "danger" });
          return undefined;
        }
        pages.push(answer.data);
      }
      return pages;
    };
    const [copies, profits, follows] = await Promise.all([
      readAll(list.copies),
      readAll(list.profits),
      client.call(list.follows, {}),
    ]);
    setBusy(false);
    if (copies === undefined || profits === undefined || !follows.ok) return;
    const names = new Map(follows.data.map(({ leaderId, nickname }) => [leaderId, nickname]));
    const rows = sheetRows(
      copies.flatMap((page) => page.copies),
      profits.flatMap((page) => page.shares),
      names,
      zone,
    );
    await saveSheet(`copies ${kind}`, { head: headOf(nameZone(zone)), rows });
  };
  return (
    <Button size={40} icon="download" busy={busy} onPress={() => void save()}>
      {text("mine.statement")}
    </Button>
  );
}
