// The keys of the terminal on one sheet.
import { Icon } from "@clockwork/ui/icon";
import { KeyCap } from "@clockwork/ui/pill";
import { Modal } from "#shell/modal.tsx";
import { useTerminalText } from "#trade/terminal-text.ts";

const KEYS = [
  [["/"], "help.search"],
  [["P"], "help.pairs"],
  [["B", "S"], "help.sides"],
  [["Enter"], "help.submit"],
  [["↑", "↓"], "help.step"],
  [["↑", "↓", "Enter"], "help.book"],
  [["F"], "help.fullscreen"],
  [["Esc"], "help.escape"],
  [["?"], "help.help"],
] as const;

export function HelpSheet({ onClose }: { readonly onClose: () => void }) {
  const text = useTerminalText();
  return (
    <Modal
      label={text("help")}
      onClose={onClose}
      className="inset-x-4 top-[12vh] mx-auto w-auto max-w-[440px] rounded-card p-5 shadow-raised sm:w-[440px]"
    >
      <div className="mb-3 flex items-center justify-between">
        <h2 className="text-card">{text("help")}</h2>
        <button type="button" aria-label={text("close")} className="t-icon" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <dl className="flex flex-col gap-2">
        {KEYS.map(([keys, meaning]) => (
          <div key={meaning} className="flex items-center justify-between gap-4">
            <dt>{text(meaning)}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <KeyCap key={key}>{key}</KeyCap>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
