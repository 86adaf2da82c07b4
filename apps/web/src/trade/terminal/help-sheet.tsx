// The keys of the terminal on one sheet, with changes to those the user may choose.
import { Icon } from "@clockwork/ui/icon";
import { KeyCap } from "@clockwork/ui/pill";
import { type KeyboardEvent, useState } from "react";
import { Modal } from "#shell/modal.tsx";
import {
  chooseKey,
  FIRST_KEYS,
  KEY_ACTIONS,
  type KeyAction,
  type OwnKeys,
  readOwnKeys,
  useOwnKeys,
} from "#trade/own-keys.ts";
import { useTerminalText } from "#trade/terminal-text.ts";

const KEYS = [
  [["/"], "help.search"],
  [["Enter"], "help.submit"],
  [["↑", "↓"], "help.step"],
  [["↑", "↓", "Enter"], "help.book"],
  [["Esc"], "help.escape"],
  [["?"], "help.help"],
] as const;

const ROW = "flex min-h-7 items-center justify-between gap-4";

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
      <OwnKeyRows />
      <dl className="mt-1 flex flex-col gap-1">
        {KEYS.map(([keys, meaning]) => (
          <div key={meaning} className={ROW}>
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

/** Each with a button that records the next key; an unavailable key is reported, and the old key remains. */
function OwnKeyRows() {
  const text = useTerminalText();
  const keep = useOwnKeys();
  const [keys, setKeys] = useState(readOwnKeys);
  const [recording, setRecording] = useState<KeyAction>();
  const [problem, setProblem] = useState<string>();
  const change = (next: OwnKeys) => {
    setKeys(next);
    keep(next);
    setRecording(undefined);
    setProblem(undefined);
  };
  const record = (event: KeyboardEvent, action: KeyAction) => {
    if (recording !== action || event.key === "Tab" || event.key === "Shift") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") return setRecording(undefined);
    if (event.ctrlKey || event.metaKey || event.altKey) return setProblem(text("keys.shape"));
    const verdict = chooseKey(keys, action, event.key);
    if (verdict.ok) change(verdict.keys);
    else if (verdict.reason === "taken") setProblem(text("keys.taken", { by: text(`keys.${verdict.by}`) }));
    else setProblem(text(`keys.${verdict.reason}`));
  };
  return (
    <section aria-label={text("keys.own")} className="border-line border-b pb-2">
      {KEY_ACTIONS.map((action) => (
        <div key={action} className={ROW}>
          <span id={`key-${action}`}>{text(`keys.${action}`)}</span>
          <button
            type="button"
            data-key-of={action}
            aria-label={text("keys.change", { action: text(`keys.${action}`), key: keys[action].toUpperCase() })}
            aria-pressed={recording === action}
            onClick={() => {
              setProblem(undefined);
              setRecording(recording === action ? undefined : action);
            }}
            onKeyDown={(event) => record(event, action)}
            onBlur={() => setRecording(undefined)}
            className="rounded-xs hover:bg-hover"
          >
            {recording === action ? (
              <span className="px-1 text-accent">{text("keys.press")}</span>
            ) : (
              <KeyCap>{keys[action].toUpperCase()}</KeyCap>
            )}
          </button>
        </div>
      ))}
      <div className="flex min-h-7 items-center justify-between gap-4">
        <span role="status" className="text-danger text-label">
          {problem}
        </span>
        <button type="button" className="text-accent text-label hover:underline" onClick={() => change(FIRST_KEYS)}>
          {text("keys.reset")}
        </button>
      </div>
    </section>
  );
}
