// The tools above a table: a filter field and the export button.

import { Button } from "./button.tsx";
import { saveCsv, type TableModel } from "./hooks/use-table.ts";
import { useLabels } from "./locale.tsx";
import { TextField } from "./text-field.tsx";

export function TableFilter<Row>({ model, label }: { readonly model: TableModel<Row>; readonly label: string }) {
  return (
    <TextField
      label={label}
      labelHidden
      size={32}
      icon="search"
      placeholder={label}
      value={model.query}
      onChange={model.setQuery}
      clearable
      className="w-52"
    />
  );
}

export function TableExport<Row>({ model, title }: { readonly model: TableModel<Row>; readonly title: string }) {
  const labels = useLabels();
  return (
    <Button size={32} icon="download" onPress={() => saveCsv(title, model.writeText(), Date.now())}>
      {labels.exportCsv}
    </Button>
  );
}
