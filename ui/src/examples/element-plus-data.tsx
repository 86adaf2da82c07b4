// More of the component gallery: tables, numbers, drawings, states, files.
import { useState } from "react";
import { AreaCurve } from "../area-curve.tsx";
import { DepthCurve } from "../depth-curve.tsx";
import { Donut } from "../donut.tsx";
import { Change } from "../figure.tsx";
import { useTable } from "../hooks/use-table.ts";
import { Pagination } from "../pagination.tsx";
import { Progress } from "../progress.tsx";
import { QrCode } from "../qr-code.tsx";
import { SkeletonRows } from "../skeleton.tsx";
import { Sparkline } from "../sparkline.tsx";
import { EmptyState, ErrorState } from "../state.tsx";
import { type Column, Table } from "../table.tsx";
import { TableExport, TableFilter } from "../table-tools.tsx";
import { Upload } from "../upload.tsx";

const ROWS = [
  { code: "BTC", price: "64120.0", change: "+1.84%", line: [3, 4, 6, 5, 8] },
  { code: "ETH", price: "3182.46", change: "+2.61%", line: [2, 5, 4, 7, 9] },
  { code: "BNB", price: "571.3", change: "−0.42%", line: [7, 6, 8, 5, 4] },
];
const COLUMNS: ReadonlyArray<Column<(typeof ROWS)[number]>> = [
  { id: "code", title: "Pair", read: (row) => row.code },
  { id: "price", title: "Last price", kind: "number", read: (row) => row.price },
  { id: "change", title: "24h change", kind: "number", render: (row) => <Change text={row.change} /> },
  { id: "line", title: "Last 7 days", kind: "chart", render: (row) => <Sparkline values={row.line} /> },
];

/** Table. Sort, filter, export; text left, numbers right. */
export function SortableTable() {
  const model = useTable(ROWS, COLUMNS, { column: "price", direction: "descending" });
  return (
    <>
      <div className="mb-3 flex justify-end gap-2">
        <TableFilter model={model} label="Filter pairs" />
        <TableExport model={model} title="Markets" />
      </div>
      <Table label="Markets" columns={COLUMNS} {...model} rowKey={(row) => row.code} />
    </>
  );
}

const FILLS = Array.from({ length: 10_000 }, (_, index) => ({
  id: `${index + 1}`,
  price: `${64_000 + (index % 700)}.5`,
}));
const FILL_COLUMNS: ReadonlyArray<Column<(typeof FILLS)[number]>> = [
  { id: "id", title: "Fill", read: (row) => row.id, width: "40%" },
  { id: "price", title: "Price", kind: "number", read: (row) => row.price },
];

/** Long table. Ten thousand rows in a terminal's table; only those in sight are drawn. */
export function VirtualTable() {
  const model = useTable(FILLS, FILL_COLUMNS);
  return (
    <div data-surface="terminal" className="bg-bg">
      <Table label="Fills" columns={FILL_COLUMNS} {...model} rowKey={(row) => row.id} rowPx={32} viewPx={220} />
    </div>
  );
}

const TOTAL = Array.from({ length: 90 }, (_, index) => {
  const value = 100_000 + index * 350 + Math.sin(index * 0.9) * 1_400;
  return { value, place: `Day ${index + 1}`, text: value.toFixed(2) };
});

/** Curve. A readout under the pointer, or with the arrow keys. */
export function TotalCurve() {
  const axisText = (value: number) => `${(value / 1_000).toFixed(1)}K`;
  return <AreaCurve label="Total, 90 days" points={TOTAL} axisText={axisText} heightPx={150} />;
}

const ladder = (side: 1 | -1) =>
  Array.from({ length: 24 }, (_, index) => {
    const [price, total] = [64_120 + side * (index + 1) * 2.5, (index + 1) * 1.3];
    return { price, total, priceText: price.toFixed(1), totalText: total.toFixed(5) };
  });
const BOOK = { bids: ladder(-1), asks: ladder(1), priceLabel: "Price", totalLabel: "Sum, BTC" };

/** Depth. Both sides of a book on one scale. */
export function BookDepth() {
  return <DepthCurve label="Depth of BTC/USDT" {...BOOK} heightPx={150} />;
}

const SHARES = Object.entries({ USDT: 31, BTC: 29, ETH: 21, SOL: 12, SUI: 4, LINK: 3 }).map(([title, weight]) => ({
  id: title,
  title,
  weight,
  text: `${weight}%`,
}));

/** Donut. Shares of a whole, in metals. */
export function Allocation() {
  return <Donut label="Allocation" slices={SHARES} centre="6 assets" className="w-72 max-w-full" />;
}

/** States. Loading, empty, failing, under way. */
export function States() {
  return (
    <div className="grid gap-4">
      <SkeletonRows disc />
      <EmptyState boxed />
      <ErrorState title="Order history did not load" detail="It took too long." onRetry={() => undefined} />
      <Progress label="Deposit 0.25000 BTC" detail="1 of 2 confirmations, about 9 min" steps={{ done: 1, count: 2 }} />
    </div>
  );
}

/** Pagination. The marked place is the current page. */
export function Pager() {
  const [page, setPage] = useState(4);
  return <Pagination page={page} pageCount={12} onPage={setPage} summary={`Page ${page} of 12`} />;
}

/** QR code. Always dark on white: cameras do not follow the theme. */
export function QrExample() {
  return <QrCode text="https://clockwork.example/scan/7F3K" label="Scan to log in" />;
}

const RULE = { types: ["image/*", "application/pdf"], bytesMax: 10_485_760, countMax: 3 };

/** Upload. Progress in numbers, a way to stop, a way to try again. This transport only pretends. */
export function FileUpload() {
  return (
    <Upload
      label="Choose a file or drop it here"
      help="Image or PDF, up to 10 MB, 3 files"
      rule={RULE}
      faultText={(fault) => `Refused: ${fault}.`}
      transport={async (file, run) => {
        for (let step = 1; step <= 10; step++) {
          await new Promise((resolve) => setTimeout(resolve, 120));
          run.signal.throwIfAborted();
          run.onProgress(step / 10);
        }
        return file.name;
      }}
      className="w-96 max-w-full"
    />
  );
}
