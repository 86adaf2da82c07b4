// The choices around a spot order: how it behaves and how long it lives. Shows only what the kind allows.
import { Checkbox } from "@clockwork/ui/checkbox";
import { Switch } from "@clockwork/ui/switch";
import { ExpiryField, VisibleField } from "#trade/order/kind-fields.tsx";
import { TimeChoice } from "#trade/order/kind-tabs.tsx";
import { useTradeText } from "#trade/trade-text.ts";
import { ExitFields, type FormPartProps } from "./form-fields.tsx";
import { optionsOf } from "./form-state.ts";

export function OrderOptions({ form }: FormPartProps) {
  const text = useTradeText();
  const options = optionsOf(form.state);
  const hasRow = options.postOnly || options.iceberg || options.timesInForce.length > 0;
  return (
    <>
      {options.exits && (
        <div className="flex flex-col gap-2">
          <div className="flex items-center justify-between">
            <Switch isSelected={form.state.exits} onChange={(exits) => form.change({ exits })}>
              {text("exits")}
            </Switch>
            <span className="text-label text-muted @max-[240px]:hidden">{text("trigger")}</span>
          </div>
          {form.state.exits && <ExitFields form={form} />}
        </div>
      )}
      {hasRow && (
        <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1">
          {options.postOnly && (
            <Checkbox isSelected={form.state.postOnly} onChange={(postOnly) => form.change({ postOnly })}>
              {text("postOnly")}
            </Checkbox>
          )}
          {options.iceberg && (
            <Checkbox isSelected={form.state.iceberg} onChange={(iceberg) => form.change({ iceberg })}>
              {text("iceberg")}
            </Checkbox>
          )}
          <span className="ml-auto @max-[240px]:hidden">
            <TimeChoice form={form} times={options.timesInForce} />
          </span>
        </div>
      )}
      {form.state.iceberg && <VisibleField form={form} unit={form.world.pair.base} />}
      {form.state.timeInForce === "GTD" && <ExpiryField form={form} />}
    </>
  );
}
