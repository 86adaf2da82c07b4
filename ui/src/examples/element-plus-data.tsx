// More of the component gallery: tables, numbers, drawings, states, files.

import { useState } from "react";
import { AreaCurve } from "../area-curve.tsx";
import { Button } from "../button.tsx";
import { CoinGlyph } from "../coin-glyph.tsx";
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

/** Example series from a fixed recipe, so that pictures compare. */
function wave(seed: number, count: number, drift: number): readonly number[] {
  let value = 100;
  return Array.from({ length: count }, (_, index) => {
    value += Math.sin(index * 0.9 + seed) * 1.4 + Math.sin(index * 0.31 + seed * 2) * 1.1 + drift;
    return value;
  });
}

interface Row {
  readonly code: string;
  readonly price: string;
  readonly change: string;
  readonly volume: string;
  readonly line: readonly number[];
}

const ROWS: readonly Row[] = [
  { code: "BTC", price: "64120.0", change: "+1.84%", volume: "1280.00", line: wave(1, 40, 0.2) },
  { code: "ETH", price: "3182.46", change: "+2.61%", volume: "742.90", line: wave(2, 40, 0.25) },
  { code: "BNB", price: "571.3", change: "−0.42%", volume: "96.20", line: wave(3, 40, -0.2) },
  { code: "DOGE", price: "0.12486", change: "−1.93%", volume: "88.30", line: wave(4, 40, -0.3) },
];

const COLUMNS: ReadonlyArray<Column<Row>> = [
  {
    id: "code",
    title: "Pair",
    read: (row) => row.code,
    render: (row) => (
      <span className="flex items-center gap-2 font-medium">
        <CoinGlyph code={row.code} size={20} />
        {row.code}
        <span className="text-muted">/USDT</span>
      </span>
    ),
  },
  { id: "price", title: "Last price", kind: "number", read: (row) => row.price },
  {
    id: "change",
    title: "24h change",
    kind: "number",
    read: (row) => row.change.replace("−", "-").replace(/[+%]/g, ""),
    render: (row) => <Change text={row.change} />,
  },
  { id: "volume", title: "Volume, M", kind: "number", read: (row) => row.volume },
  {
    id: "line",
    title: "Last 7 days",
    kind: "chart",
    render: (row) => <Sparkline values={row.line} className="ml-auto" />,
  },
];

/** Sort, filter and export; text left, numbers right. */
export function SortableTable() {
  const model = useTable(ROWS, COLUMNS, { column: "volume", direction: "descending" });
  return (
    <div className="flex flex-col gap-3">
      <div className="flex justify-end gap-2">
        <TableFilter model={model} label="Filter pairs" />
        <TableExport model={model} title="Markets" />
      </div>
      <Table
        label="Markets"
        columns={COLUMNS}
        rows={model.rows}
        rowKey={(row) => row.code}
        sort={model.sort}
        onSort={model.onSort}
      />
    </div>
  );
}

const FILLS = Array.from({ length: 10_000 }, (_, index) => ({
  id: String(index + 1),
  price: `${64_000 + (index % 700)}.5`,
}));
const FILL_COLUMNS: ReadonlyArray<Column<(typeof FILLS)[number]>> = [
  { id: "id", title: "Fill", read: (row) => row.id, width: "40%" },
  { id: "price", title: "Price", kind: "number", read: (row) => row.price },
];

/** Ten thousand rows in a terminal table; only those in sight are drawn. */
export function VirtualTable() {
  const model = useTable(FILLS, FILL_COLUMNS);
  return (
    <div data-surface="terminal" className="rounded-control border border-line bg-bg">
      <Table
        label="Fills"
        columns={FILL_COLUMNS}
        rows={model.rows}
        rowKey={(row) => row.id}
        sort={model.sort}
        onSort={model.onSort}
        rowPx={32}
        viewPx={220}
      />
    </div>
  );
}

const TOTAL = wave(5, 90, 0.35).map((value, index) => ({
  value: value * 1_000,
  place: `Day ${index + 1}`,
  text: `${Math.round(value * 1_000).toLocaleString("en-US")}.00`,
}));

/** Readout under the pointer, or with the arrow keys. */
export function TotalCurve() {
  return (
    <AreaCurve
      label="Total, 90 days"
      points={TOTAL}
      axisText={(value) => `${(value / 1_000).toFixed(1)}K`}
      heightPx={150}
    />
  );
}

function ladder(side: 1 | -1) {
  let total = 0;
  return Array.from({ length: 24 }, (_, index) => {
    const price = 64_120 + side * (index + 1) * 2.5;
    total += 0.4 + Math.abs(Math.sin(index * 1.7 + side)) * 1.8;
    return { price, total, priceText: price.toFixed(1), totalText: total.toFixed(5) };
  });
}
const BIDS = ladder(-1);
const ASKS = ladder(1);

/** Both sides of a book on one scale. */
export function BookDepth() {
  return (
    <DepthCurve
      label="Depth of BTC/USDT"
      bids={BIDS}
      asks={ASKS}
      priceLabel="Price"
      totalLabel="Sum, BTC"
      heightPx={150}
    />
  );
}

const SHARES = [
  { id: "usdt", title: "USDT", weight: 31.01, text: "31.01%" },
  { id: "btc", title: "BTC", weight: 29.14, text: "29.14%" },
  { id: "eth", title: "ETH", weight: 20.52, text: "20.52%" },
  { id: "sol", title: "SOL", weight: 12.3, text: "12.30%" },
  { id: "sui", title: "SUI", weight: 3.74, text: "3.74%" },
  { id: "link", title: "LINK", weight: 3.28, text: "3.28%" },
];

/** Shares of a whole, in metals. */
export function Allocation() {
  return (
    <Donut
      label="Allocation"
      slices={SHARES}
      centre={
        <>
          <span className="text-label text-muted">Assets</span>
          <span className="figures font-semibold text-app">6</span>
        </>
      }
      className="w-72 max-w-full"
    />
  );
}

/** Loading, empty, failing, under way. */
export function States() {
  return (
    <div className="grid gap-4">
      <div className="rounded-control border border-line bg-surface p-3">
        <SkeletonRows disc />
      </div>
      <EmptyState boxed />
      <EmptyState
        boxed
        text="You have no open orders on BTC/USDT."
        action={<Button size={32}>Show all pairs</Button>}
      />
      <ErrorState
        title="Order history did not load"
        detail="It took too long. Your orders are safe."
        onRetry={() => undefined}
      />
      <Progress label="Deposit 0.25000 BTC" detail="1 of 2 confirmations, about 9 min" steps={{ done: 1, count: 2 }} />
    </div>
  );
}

/** The place marked is the current page. */
export function Pager() {
  const [page, setPage] = useState(4);
  return (
    <Pagination page={page} pageCount={12} onPage={setPage} summary={`${page * 20 - 19} to ${page * 20} of 240`} />
  );
}

/** Always dark on white: cameras do not follow the theme. */
export function QrExample() {
  return <QrCode text="https://clockwork.example/scan/7F3K" label="Scan to log in" />;
}

const UPLOAD_RULE = { types: ["image/*", "application/pdf"], bytesMax: 10_485_760, countMax: 3 } as const;

/** The transport is handed in; this one only pretends, so that the example needs no server. */
export function FileUpload() {
  return (
    <Upload
      label="Choose a file or drop it here"
      help="Image or PDF, up to 10 MB, 3 files"
      rule={UPLOAD_RULE}
      faultText={(fault) =>
        ({
          type: "Not an image or PDF.",
          size: "Over 10 MB.",
          count: "Only 3 files.",
          empty: "The file is empty.",
          failed: "Sending failed.",
        })[fault]
      }
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
