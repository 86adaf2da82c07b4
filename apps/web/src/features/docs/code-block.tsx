// The source of an example, dark in every theme, with a button that copies it.
import { CopyButton } from "@clockwork/ui/copy-button";
import { useMemo } from "react";
import { highlight, type PieceKind } from "./highlight.ts";

const COLORS: Readonly<Record<PieceKind, string>> = {
  plain: "",
  word: "text-[#8fb1ff]",
  text: "text-[#d8b46a]",
  comment: "text-[#8d96a5]",
};

export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  const pieces = useMemo(() => highlight(code.trimEnd()), [code]);
  return (
    <div className="relative" data-theme="dark">
      <CopyButton text={code} what={label} className="absolute top-3 right-3" />
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys
        tabIndex={0}
        className="max-h-[420px] overflow-auto bg-code-bg p-5 text-code-text"
      >
        <pre className="font-mono text-[13px] leading-5">
          <code>
            {pieces.map(({ kind, text }, index) =>
              kind === "plain" ? (
                text
              ) : (
                // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a constant text never move
                <span key={index} className={COLORS[kind]}>
                  {text}
                </span>
              ),
            )}
          </code>
        </pre>
      </section>
    </div>
  );
}
