// Live examples of the select page: short lists, search, thousands of rows, countries.
import { useState } from "react";
import { CoinGlyph } from "../coin-glyph.tsx";
import { ComboBox } from "../combobox.tsx";
import { PhoneField } from "../phone-field.tsx";
import { SearchSelect } from "../search-select.tsx";
import { Select } from "../select.tsx";

const PERIODS = [
  { id: "gtc", title: "Good till cancelled", detail: "GTC" },
  { id: "ioc", title: "Immediate or cancel", detail: "IOC" },
];

/** Short. A few options behind a button, in a box or as plain words. */
export function ShortSelect() {
  const [period, setPeriod] = useState("gtc");
  return (
    <div className="flex items-end gap-8">
      <Select label="Valid" options={PERIODS} value={period} onChange={setPeriod} className="w-64 max-w-full" />
      <Select label="Valid, plain" plain options={PERIODS} value={period} onChange={setPeriod} />
    </div>
  );
}

const CODES = ["BTC", "ETH", "SOL", "XRP", "BNB", "DOGE", "LINK", "AVAX", "TON", "NEAR"];
const ASSETS = CODES.map((code) => ({ id: code, title: code, glyph: <CoinGlyph code={code} size={20} /> }));

/** With a search. The list opens with a search field on top. */
export function SearchableSelect() {
  const [asset, setAsset] = useState("BTC");
  return <SearchSelect label="Asset" options={ASSETS} value={asset} onChange={setAsset} className="w-64 max-w-full" />;
}

const MANY = Array.from({ length: 1_000 }, (_, index) => ({ id: `m${index}`, title: `Market ${index + 1}` }));

/** Long. A thousand rows; only those in sight are drawn. */
export function LongCombobox() {
  const [market, setMarket] = useState<string | null>(null);
  return <ComboBox label="Market" options={MANY} value={market} onChange={setMarket} className="w-72 max-w-full" />;
}

/** Telephone. A number with its country, found by name or code. */
export function PhoneWithCountry() {
  const [phone, setPhone] = useState({ country: "AE", number: "" });
  return <PhoneField label="Phone" value={phone} onChange={setPhone} className="w-80 max-w-full" />;
}
