// A card that proposes something to a second operator: typed fields, a note of how it went and the one button.
import { filterDecimal } from "@clockwork/kit/validate";
import { Button } from "@clockwork/ui/button";
import { Card } from "@clockwork/ui/card";
import { TextField } from "@clockwork/ui/text-field";
import type { ReactNode } from "react";
import { ActionNote, type OperatorAction } from "./operator-action.tsx";

export const keepTyped = (typed: string): string => typed;
/** Money in USDT. */
export const usdtTyped = (typed: string): string => filterDecimal(typed, 6);
/** In the call's format: a trailing point is dropped. */
export const sentAmount = (typed: string): string => typed.replace(/\.$/, "");

/** A field's name in the form, its label, and what of the typed text is kept. */
export type TypedField<Name extends string> = readonly [name: Name, label: string, filter?: (typed: string) => string];

export interface TypedFieldsProps<Name extends string> {
  readonly fields: readonly TypedField<Name>[];
  readonly form: Readonly<Record<Name, string>>;
  readonly onChange: (change: Readonly<Record<string, string>>) => void;
  readonly maxLength?: number;
}

export function TypedFields<Name extends string>({ fields, form, onChange, maxLength = 60 }: TypedFieldsProps<Name>) {
  return fields.map(([name, label, filter = keepTyped]) => (
    <TextField
      key={name}
      label={label}
      value={form[name]}
      onChange={(value) => onChange({ [name]: filter(value) })}
      maxLength={maxLength}
    />
  ));
}

export interface ProposalCardProps {
  readonly title: string;
  readonly action: OperatorAction;
  /** The label of the button. */
  readonly send: string;
  readonly isWhole: boolean;
  readonly onSend: () => Promise<void>;
  readonly children: ReactNode;
}

export function ProposalCard({ title, action, send, isWhole, onSend, children }: ProposalCardProps) {
  return (
    <Card title={title} className="max-w-[720px]">
      <ActionNote action={action} />
      {children}
      <div className="mt-4">
        <Button kind="primary" size={36} busy={action.isBusy} isDisabled={!isWhole} onPress={() => void onSend()}>
          {send}
        </Button>
      </div>
    </Card>
  );
}
