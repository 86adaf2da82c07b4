// The statements a user requested, their progress, their hash and the journal's head; updated live, downloaded part by
// part.

import { formatDate } from "@clockwork/kit/time";
import {
  type FilePart,
  STATEMENT_CALLS,
  STATEMENTS_CHANNEL,
  type StatementFile,
  type StatementFiles,
} from "@clockwork/trading/statements/contract";
import { IconButton } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { saveFile } from "@clockwork/ui/hooks/save-file";
import { Progress } from "@clockwork/ui/progress";
import { EmptyState } from "@clockwork/ui/state";
import { showToast } from "@clockwork/ui/toast";
import { useContext, useEffect, useState } from "react";
import type { Failed } from "#live/answer.ts";
import { LiveContext } from "#live/react.ts";
import type { RequestClient } from "#live/request.ts";
import { useCalls } from "#session/auth-context.ts";
import { describeFailure, useAuthText } from "#words/auth-text.ts";
import { useWalletText } from "#words/wallet-text.ts";

/** The channel's last message, initially the page's own data. */
function useFiles(first: StatementFiles): StatementFiles {
  const hub = useContext(LiveContext);
  const [latest, setLatest] = useState(first);
  useEffect(() => {
    if (hub === undefined) return;
    const topic = { channel: STATEMENTS_CHANNEL };
    return hub.socket.subscribe({ topic, onMessage: ({ data }) => setLatest(data as StatementFiles) });
  }, [hub]);
  return latest;
}

/** All parts in order are the file; nothing is offered when one of them is missing. */
async function download(
  request: RequestClient,
  { fileId, parts }: StatementFile,
  refuse: (failed: Failed) => void,
): Promise<void> {
  const texts: FilePart[] = [];
  for (let part = 0; part < parts; part += 1) {
    const answer = await request.call(STATEMENT_CALLS.file, { fileId, part });
    if (!answer.ok) return refuse(answer);
    texts.push(answer.data);
  }
  const [first] = texts;
  if (first === undefined) return;
  saveFile(first.name, new Blob([texts.map(({ text }) => text).join("")], { type: first.mediaType }));
}

export function StatementFilesCard({ first }: { readonly first: StatementFiles }) {
  const text = useWalletText();
  const { files } = useFiles(first);
  return (
    <Card title={text("statement.files")}>
      {files.length === 0 ? (
        <EmptyState text={text("statement.noFiles")} />
      ) : (
        <ul>
          {files.map((file) => (
            <FileRow key={file.fileId} file={file} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function FileRow({ file }: { readonly file: StatementFile }) {
  const text = useWalletText();
  const calls = useCalls();
  const { kind, asset, format, fromMs, toMs, state, rowsDone, rowsAll, sha256, journalHead } = file;
  const isUnderWay = state === "WAITING" || state === "MAKING";
  const title = `${text(`statement.${kind}`)}, ${asset ?? text("statement.allCoins")}, ${format}`;
  const words = useAuthText();
  const refuse = (failed: Failed) => void showToast({ title: describeFailure(words, failed), tone: "danger" });
  const remove = async () => {
    const answer = await (await calls()).call(STATEMENT_CALLS.remove, { fileId: file.fileId });
    if (!answer.ok) refuse(answer);
  };
  return (
    <li className="border-line border-t py-3 first:border-t-0" data-state={state}>
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 font-medium text-ui">{title}</span>
        {state === "DONE" && (
          <IconButton
            icon="download"
            label={text("statement.download", { name: file.name })}
            onPress={() => void calls().then((request) => download(request, file, refuse))}
          />
        )}
        <IconButton
          icon={isUnderWay ? "close" : "trash"}
          label={text(isUnderWay ? "statement.cancel" : "statement.remove")}
          onPress={() => void remove()}
        />
      </div>
      <p className="figures text-label text-muted">
        {text("statement.period", { from: formatDate(fromMs), to: formatDate(toMs - 1) })}
      </p>
      {isUnderWay && (
        <Progress
          className="mt-2"
          label={text("statement.rows", { done: rowsDone, all: rowsAll })}
          share={rowsAll === 0 ? 0 : rowsDone / rowsAll}
        />
      )}
      {state === "DONE" && (
        <>
          <p className="truncate font-mono text-label text-muted" title={sha256}>
            sha256 {sha256}
          </p>
          <p className="figures text-label text-muted">{text("statement.head", { head: journalHead })}</p>
        </>
      )}
      {state === "FAILED" && <p className="text-label text-warn">{text("statement.failed")}</p>}
    </li>
  );
}
