// `/wallet/statements`: asking for a statement or a tax export, and the files made.
import type { StatementFiles } from "@clockwork/trading/statements/contract";
import { WalletFrame } from "#shell/wallet-frame.tsx";
import { useWalletText } from "#words/wallet-text.ts";
import { StatementCard, type StatementCardProps } from "./statement-card.tsx";
import { StatementFilesCard } from "./statement-files.tsx";

export interface StatementsPageProps extends StatementCardProps {
  readonly files: StatementFiles;
}

export function StatementsPage({ files, ...card }: StatementsPageProps) {
  const text = useWalletText();
  return (
    <WalletFrame title={text("statement.page")}>
      <div className="grid items-start gap-4 xl:grid-cols-[420px_minmax(0,1fr)]">
        <StatementCard {...card} />
        <StatementFilesCard first={files} />
      </div>
    </WalletFrame>
  );
}
