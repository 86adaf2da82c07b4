// Which pairs of a leader's are copied: all of them, or those that are ticked.
import { COPY_CALLS, type CopyKind } from "@clockwork/strategies/copy/contract";
import { Checkbox } from "@clockwork/ui/checkbox";
import { Switch } from "@clockwork/ui/switch";
import { useContext, useEffect, useState } from "react";
import { RequestContext } from "#live/react.ts";
import { useCopyText } from "./copy-text.ts";
import type { FollowDraft } from "./follow-form.ts";

/** As many as a follow can name. */
const PAIRS_MAX = 16;

interface PairChoiceProps {
  readonly kind: CopyKind;
  readonly draft: FollowDraft;
  readonly onChange: (draft: FollowDraft) => void;
}

export function PairChoice({ kind, draft, onChange }: PairChoiceProps) {
  const text = useCopyText();
  const request = useContext(RequestContext);
  const [isChosen, setChosen] = useState(draft.pairs.length > 0);
  const [pairs, setPairs] = useState<readonly string[]>(draft.pairs);
  useEffect(() => {
    if (!isChosen) return;
    void request?.call(COPY_CALLS[kind].config, {}).then((answer) => {
      if (answer.ok) setPairs(answer.data.pairs);
    });
  }, [request, kind, isChosen]);
  const toggle = (code: string, isOn: boolean) =>
    onChange({ ...draft, pairs: isOn ? [...draft.pairs, code] : draft.pairs.filter((one) => one !== code) });
  return (
    <>
      <Switch
        isSelected={!isChosen}
        onChange={(all) => {
          setChosen(!all);
          if (all) onChange({ ...draft, pairs: [] });
        }}
      >
        {text("follow.allPairs")}
      </Switch>
      {isChosen && (
        <fieldset className="max-h-40 overflow-y-auto rounded-control border border-line p-3">
          <legend className="sr-only">{text("follow.pairs")}</legend>
          <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
            {pairs.map((code) => {
              const isOn = draft.pairs.includes(code);
              return (
                <Checkbox
                  key={code}
                  isSelected={isOn}
                  isDisabled={!isOn && draft.pairs.length >= PAIRS_MAX}
                  onChange={(on) => toggle(code, on)}
                >
                  {code.replace("_", "")}
                </Checkbox>
              );
            })}
          </div>
        </fieldset>
      )}
    </>
  );
}
