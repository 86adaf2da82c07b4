// Hands what a tab shows to the browser's downloads as CSV, safe to open in a spreadsheet.
import { type RefObject, useEffect } from "react";

export interface Sheet {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Every row the filters leave, also those no page has shown yet; nothing when they could not be fetched. */
export type WriteSheet = () => Promise<Sheet | undefined>;

/** The visible tab's source of rows. */
export type SheetSource = RefObject<WriteSheet | undefined>;

export function useSheet(source: SheetSource, write: WriteSheet): void {
  useEffect(() => {
    source.current = write;
    return () => {
      if (source.current === write) source.current = undefined;
    };
  });
}

export async function saveSheet(title: string, sheet: Sheet): Promise<void> {
  const [{ writeCsv }, { saveCsv }] = await Promise.all([
    import("@clockwork/ui/logic/csv"),
    import("@clockwork/ui/hooks/use-table"),
  ]);
  saveCsv(title, writeCsv(sheet.head, sheet.rows), Date.now());
}
